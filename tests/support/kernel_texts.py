"""Texts of the kernels that programs come to, in processes that differ in all that may not matter.

An entry of the disk cache is found by its kernel's text, so a text that depends on where objects
stand in memory, on seeds of hashes or on what was captured before is compiled anew in each process.
Here nothing is compiled: the numba backend writes its texts, and the reference backend computes.

    python tests/support/kernel_texts.py SEED GROUP...    # a line [name, [text, ...]] a program

A group is all of `MAKERS`, every n-th program of it (`families@20`), or one program
(`training-early_stopping`).
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent
PYTHON_PROGRAMS = HOME.parent / "programs" / "python"
CALLS = 3
"""The first finds the breaks, the second captures the segments behind them, the third hits."""

Texts = dict[str, list[str]]


class Recorder:
    """In the place of the numba backend: writes down what it would compile."""

    name = "numba"

    def __init__(self) -> None:
        from framejit.backends.numba.backend import NumbaBackend
        from framejit.backends.numpy import NumpyBackend

        self.texts: list[str] = []
        self.leaves_to_eager = False
        """For programs that are one segment: computing would take long and lead to nothing new."""
        self._writes, self._computes = NumbaBackend(), NumpyBackend()

    def compile(self, plan: Any, attribute: bool = False) -> Any:
        """Parts of the reference backend; the kernel is only written."""
        from framejit.jit.pipeline import compile_plan

        own = replace(plan, objects=[*plan.objects], cache=False, later=True)
        written = compile_plan(self._writes, own, attribute)
        self.texts.append(written.text)
        parts = self._computes.compile(plan, attribute)
        if self.leaves_to_eager:
            parts.python_kernel = _bail
        return replace(parts, fused=written.fused, opaque=written.opaque)


def _bail(*slots: object) -> None:
    """A kernel that leaves at its start."""


def install() -> Recorder:
    """Takes the numba backend's place, before anything has asked for it."""
    from framejit.backends import registry

    recorder = Recorder()
    registry._BUILT_IN["numba"] = lambda: recorder
    registry.load_backend.cache_clear()
    return recorder


# ---- what may not matter -------------------------------------------------------------------------


def scatter(seed: int) -> list[object]:
    """Objects of framejit's come in another order in sets; memory is handed out in another one.

    Returns garbage that is to be kept.
    """
    rng = random.Random(seed)
    factor, salt = rng.getrandbits(61) | 1, rng.getrandbits(61)

    def scattered(self: object) -> int:
        mixed = (id(self) ^ salt) * factor & (1 << 61) - 1
        return mixed ^ mixed >> 29

    in_use = {type(one) for one in gc.get_objects()}  # tables of modules know these by their hash
    for cls in _classes_of_framejit():
        if cls.__hash__ is object.__hash__ and cls not in in_use:
            cls.__hash__ = scattered  # type: ignore[method-assign, assignment]
    garbage: list[object] = [[] for _ in range(20_000)]
    garbage += [bytes(rng.randrange(600)) for _ in range(20_000)]
    rng.shuffle(garbage)
    return garbage[: len(garbage) // 2]


def _classes_of_framejit() -> Iterator[type]:
    found: dict[type, None] = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("framejit."):
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__.startswith("framejit."):
                    found[value] = None
    return (cls for cls in found if cls.__flags__ & 1 << 9)  # those that Python has made


# ---- programs ------------------------------------------------------------------------------------


def programs(asked: Sequence[str]) -> dict[str, Callable[[], None]]:
    """Return functions by name; each runs one program under @jit, a few times."""
    found: dict[str, Callable[[], None]] = {}
    for one in asked:
        group, _, single = one.partition("-")
        group, _, step = group.partition("@")
        runs = {f"{group}-{name}": run for name, run in MAKERS[group]()}
        found |= {one: runs[one]} if single else dict([*runs.items()][:: int(step or 1)])
    return found


def _runs(
    function: Callable[..., Any], make: Callable[[], Sequence[Any]], calls: int = CALLS
) -> Callable[[], None]:
    def run() -> None:
        from framejit import jit

        jitted = jit(function, backend="numba")
        for _ in range(calls):
            with contextlib.suppress(Exception, SystemExit):
                jitted(*make())

    return run


def _examples() -> Iterator[tuple[str, Callable[[], None]]]:
    from importlib import import_module

    from framejit.examples import PROGRAMS

    for name, (function, *_) in PROGRAMS.items():
        module = import_module(f"framejit.examples.{name}")
        whole = getattr(module, function).__wrapped__
        yield name, _runs(whole, lambda module=module: module.problem(0.002))


def _arrays() -> Iterator[tuple[str, Callable[[], None]]]:
    from bench.workloads import load

    for name, one in load().items():
        for dtype in ("float64", "float32"):
            make = lambda one=one, dtype=dtype: one.arguments(300, dtype)  # noqa: E731
            yield f"{name}-{dtype}", _runs(one.function, make, 1)


def _loops() -> Iterator[tuple[str, Callable[[], None]]]:
    from loop_programs import load

    for name, one in load().items():
        yield name, _runs(one.function, one.arguments, 1)


def _training() -> Iterator[tuple[str, Callable[[], None]]]:
    from copies import deep_copy
    from training_programs import load

    for name, (function, args) in load().items():
        yield name, _runs(function, lambda args=args: deep_copy(args))


def _families() -> Iterator[tuple[str, Callable[[], None]]]:
    sys.path.insert(0, str(PYTHON_PROGRAMS))
    from importlib import import_module

    import python_ladder

    for family in python_ladder.FAMILIES:
        import_module(f"families.{family}")
    for one in python_ladder.PROGRAMS:
        if one.runs_here:
            yield f"{one.family}-{one.name}", lambda one=one: _run_ladder(one)


def _run_ladder(one: Any) -> None:
    with contextlib.suppress(AssertionError):
        one.check(["numba"])


MAKERS = {
    "examples": _examples,
    "arrays": _arrays,
    "loops": _loops,
    "training": _training,
    "families": _families,
}
"""By group what gives its programs, each with its name."""
ONE_SEGMENT = ("arrays", "loops")


# ---- processes -----------------------------------------------------------------------------------


def texts(seed: int, groups: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the kernels that this process writes; a seed orders programs and memory."""
    recorder = install()
    runs = programs(groups)
    order = sorted(runs)
    kept = scatter(seed) if seed else []
    random.Random(seed).shuffle(order)
    for name in order:
        recorder.texts.clear()
        recorder.leaves_to_eager = name.partition("-")[0] in ONE_SEGMENT
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            runs[name]()
        yield name, sorted(set(recorder.texts))
    del kept


def processes(seeds: Sequence[int], groups: Sequence[str]) -> list[Texts]:
    """Return the kernels that processes of these seeds write, which run at the same time."""
    started = [
        subprocess.Popen(
            [sys.executable, __file__, str(seed), *groups],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "FRAMEJIT_CACHE_DIR": "off"},
        )
        for seed in seeds
    ]
    with ThreadPoolExecutor(len(started)) as readers:  # who is not read from has to wait
        outputs = list(readers.map(lambda process: process.communicate()[0], started))
    assert [process.returncode for process in started] == [0] * len(seeds)
    return [dict(map(json.loads, output.splitlines())) for output in outputs]


def differing(found: Sequence[Texts]) -> dict[str, list[list[str]]]:
    """Programs whose texts are not the same in all processes: those that only one of them has."""
    first = found[0]
    assert all(one.keys() == first.keys() for one in found)
    different = {}
    for name in first:
        sets = [set(one[name]) for one in found]
        common = set.intersection(*sets)
        if any(one - common for one in sets):
            different[name] = [sorted(one - common) for one in sets]
    return different


if __name__ == "__main__":
    sys.path[:0] = [str(HOME), str(HOME.parent)]
    printed = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # programs print, some of them behind Python's back
    for line in texts(int(sys.argv[1]), sys.argv[2:]):
        print(json.dumps(line), file=printed, flush=True)
