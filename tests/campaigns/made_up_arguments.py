"""The functions of SciPy that capture asks with examples, called with arguments made up.

    python tests/campaigns/made_up_arguments.py [--calls N] [--seed N] [--under COMMAND] [TEXT ...]

Results of an opaque call are inferred from the function's for examples, and some compiled code
trusts its arguments: where it writes beyond its memory, the process of a user ends. Functions run
in processes of their own; named are those of which one ended, and the exit code is 1. TEXT: only
functions with one of the texts in their names. With `--under 'valgrind --undef-value-errors=no'`
and PYTHONMALLOC=malloc what is read and written elsewhere is told too, behind the name.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import resource
import shlex
import signal
import subprocess
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from framejit.frontends.numpy import purity

KINDS = ("f8", "f8", "f4", "i8", "c16", "?")
LENGTHS = (3, 5, 7)
SECONDS = 60
"""Limit for all calls of one function; some go on for ever."""
MEMORY = 8 << 30
"""Bytes of a process; some ask for all there is."""


class TooLongError(Exception):
    """A function's time is over."""


def functions() -> dict[str, Callable[..., Any]]:
    """Return the public pure functions of SciPy but ufuncs, which look at their arguments."""
    found: dict[int, tuple[str, Callable[..., Any]]] = {}
    for module in sorted(purity.PURE_MODULES):
        if module.startswith("scipy"):
            for name, value in vars(importlib.import_module(module)).items():
                if not callable(value) or isinstance(value, np.ufunc) or name.startswith("_"):
                    continue
                if purity.is_pure(value):
                    found.setdefault(id(value), (f"{module}.{name}", value))
    return dict(found.values())


def arguments(
    function: Callable[..., Any], rng: np.random.Generator
) -> tuple[list[Any], dict[str, Any]]:
    """Positional ones and some keywords; arrays mostly fit together."""
    n = int(rng.choice(LENGTHS))
    m = n if rng.random() < 0.7 else int(rng.choice(LENGTHS))
    shapes = ((n,), (n,), (n, m), (2, n, m))

    def one() -> Any:
        if rng.random() < 0.15:
            return int(rng.integers(0, 5)) if rng.random() < 0.7 else float(rng.random())
        shape = shapes[rng.integers(len(shapes))]
        return (rng.normal(size=shape) * 3).astype(KINDS[rng.integers(len(KINDS))])

    given, named = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = parameter.default
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if default is parameter.empty:
            if parameter.kind is parameter.KEYWORD_ONLY:
                named[name] = one()
            else:
                given.append(one())
        elif rng.random() < 0.12 and name != "workers":
            if isinstance(default, bool):
                named[name] = not default
            elif isinstance(default, int):
                named[name] = int(rng.integers(-2, 6))
            elif default is None or isinstance(default, float):
                named[name] = one()
    return given, named


def call(names: list[str], calls: int, seed: int, under: str) -> None:
    """In a process of its own: the name of each function, then so many calls of it."""
    signal.signal(signal.SIGALRM, _too_long)
    if not under:  # valgrind needs more
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    known = functions()
    for name in names:
        print(name, file=sys.stderr, flush=True)
        rng = np.random.default_rng(zlib.crc32(name.encode()) + seed)
        signal.alarm(SECONDS)
        try:
            for _ in range(calls):
                _called(known[name], rng)
        except TooLongError:
            pass
        signal.alarm(0)


def _called(function: Callable[..., Any], rng: np.random.Generator) -> None:
    """Call it with examples: what real arguments are refused for, examples are refused for too."""
    try:
        given, named = arguments(function, rng)
        if not purity.trusts_arguments(function, len(given), named):
            function(*given, **named)
    except TooLongError:
        raise
    except Exception:
        pass


def _too_long(*_: object) -> None:
    raise TooLongError


def ended(names: list[str], options: argparse.Namespace) -> Iterator[str]:
    """The functions in which a process ended, with what it said last."""
    while names:
        command = [*shlex.split(options.under), sys.executable, __file__, "--here"]
        command += ["--calls", str(options.calls), "--seed", str(options.seed)]
        command += ["--under", options.under, *names]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        lines = done.stderr.splitlines()
        begun = [line for line in lines if line in names]
        place = ""
        for line in lines:
            place = line if line in names else place
            if "Invalid " in line:
                yield f"{place}: {line.rpartition('== ')[2]}"
        if done.returncode == 0:
            return
        yield f"{begun[-1] if begun else 'the start'}: exit code {done.returncode}"
        names = names[names.index(begun[-1]) + 1 :] if begun else []


def main() -> int:
    """Prints the functions that end a process; 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--calls", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--under", default="", metavar="COMMAND")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        call(options.texts, options.calls, options.seed, options.under)
        return 0
    names = [
        name
        for name in functions()
        if not options.texts or any(text in name for text in options.texts)
    ]
    found = 0
    for line in ended(names, options):
        print(line, flush=True)
        found += 1
    print(f"{len(names)} functions, {options.calls} calls each: {found} times something was wrong")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
