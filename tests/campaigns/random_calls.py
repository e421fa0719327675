"""Random calls of builtins, methods and NumPy's functions, right and wrong ones, by the oracle.

    python tests/campaigns/random_calls.py COUNT [SEED [BACKEND ...]]

Each program works with an array, makes one call with arguments that a seed chooses, often too
many, too few or of the wrong kind, and works on. What differs from eager is printed with its text,
and the exit code is 1.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from differing import differing, main
from oracle import check

SPACES = {
    "": builtins,
    "operator.": operator,
    "functools.": functools,
    "itertools.": itertools,
    "math.": math,
    "np.": np,
    "np.linalg.": np.linalg,
    "np.fft.": np.fft,
    "np.emath.": np.emath,
    "np.polynomial.polynomial.": np.polynomial.polynomial,
    "np.ndarray.": np.ndarray,
    **{f"{kind.__name__}.": kind for kind in (list, dict, set, str, tuple, int, float)},
}
_LEFT_OUT = """
input exec eval open print breakpoint exit quit help copyright credits license compile
save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap tofile dump
DataSource info show_config show_runtime test seterr seterrcall setbufsize set_printoptions
printoptions errstate

id hash asmatrix matrix bmat globals locals vars dir empty empty_like ndarray object
broadcast_arrays longdouble clongdouble

pow repeat tile resize full ones zeros identity eye tri indices bytes bytearray linspace arange
logspace geomspace vander bincount pad cycle count kaiser hanning hamming bartlett blackman
"""
LEFT_OUT = frozenset(_LEFT_OUT.split())
"""Calls that leave the program or change the process; results that are no values (addresses, memory
that nobody has written, arrays whose flags warn); results too large to look at."""
ARGUMENTS = (
    *("x", "y", "x[0]", "x > 0", "x.sum()", "x.shape", "x.shape[0]", "o", "o.first", "O", "np"),
    *("1", "0", "-1", "2.5", "True", "None", "'ab'", "'first'", "b'x'", "slice(1)", "range(3)"),
    *("[x, 1]", "[3, 1, 2]", "[]", "(1, 2)", "()", "{'a': x}", "{}", "float", "int", "np.float32"),
)
KEYWORDS = (
    *("key=None", "start=1", "axis=0", "axis=None", "out=x", "dtype=float", "strict=True"),
    *("reverse=True", "default=3", "keepdims=True", "x=1", "a=x", "value=x"),
)

OWNERS = {
    "list": "[3, 1, 2]",
    "dict": "{'a': x}",
    "set": "{1}",
    "str": "'ab'",
    "tuple": "(1, 2)",
    "int": "3",
    "float": "2.5",
    "math": "2",
    "operator": "2.5",
}
"""What the first argument is for most of what begins so."""


class O:  # noqa: E742
    """An object of the user's."""

    def __init__(self) -> None:
        self.first = 1.5
        self.inner = np.ones(4)

    def __len__(self) -> int:
        return 3

    def __add__(self, other: object) -> int:
        return 7

    def __repr__(self) -> str:
        return "O()"


def callables() -> list[tuple[str, Any]]:
    """What is called, by the text that a program has for it."""
    found = []
    for prefix, space in SPACES.items():
        for name, value in sorted(vars(space).items()):
            error = isinstance(value, type) and issubclass(value, BaseException)
            hidden = name.startswith("_") or name in LEFT_OUT or error
            if callable(value) and not hidden:
                found.append((prefix + name, getattr(space, name)))
    return found


def programs(seed: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Texts of programs `program(x, y, o)`, without end, and their globals."""
    rng = random.Random(str(seed))
    known = callables()
    while True:
        name, called = rng.choice(known)
        count = rng.choice((0, 1, 1, 2, 2, 2, 3, 4))
        if isinstance(called, MethodDescriptorType | WrapperDescriptorType):
            # CPython 3.11 to 3.13 may crash by itself where such a thing is called without one.
            count = max(count, 1)
        given = [rng.choice(ARGUMENTS) for _ in range(count)]
        given += rng.sample(KEYWORDS, rng.choice((0, 0, 0, 1)))
        if rng.random() < 0.5:  # likely to be right
            own = OWNERS.get(name.split(".")[0], "x")
            given = [own, *rng.choice(((), ("y",), (own,), ("1",), ("axis=0",), ("x > 1", "y")))]
        text = f"def program(x, y, o):\n    z = x * 2\n    r = {name}({', '.join(given)})\n"
        text += "    return r, z + 1, o\n"
        modules = {module.__name__: module for module in (operator, functools, itertools, math)}
        yield text, {"np": np, "O": O, **modules}


def first(count: int, seed: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """So many of them."""
    return itertools.islice(programs(seed), count)


def try_one(text: str, globals_: dict[str, Any], backends: Sequence[str]) -> None:
    """Compares one program; AssertionError when something differs."""
    exec(text, globals_)
    x = np.linspace(0.5, 3, 4)
    check(globals_["program"], x, x + 1, O(), backends=backends)


def run(count: int, seed: object, backends: Sequence[str]) -> list[str]:
    """So many programs; the texts of those that differ, with what differs."""
    return differing(
        (text, functools.partial(try_one, text, globals_, backends))
        for text, globals_ in first(count, seed)
    )


if __name__ == "__main__":
    sys.exit(main(run, "calls"))
