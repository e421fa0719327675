"""Programs of one call of a builtin, a method or one of NumPy's functions, right or wrong.

Each works with an array, makes the call with arguments that are often too many, too few or of the
wrong kind, and works on.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
from functools import cache
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

import numpy as np

from fuzzing.choices import Choices
from fuzzing.programs import Program

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
"""The first argument of most functions with these prefixes."""


HEAD = """
import functools, itertools, math, operator
import numpy as np

class O:
    def __init__(self):
        self.first = 1.5
        self.inner = np.ones(4)

    def __len__(self):
        return 3

    def __add__(self, other):
        return 7

    def __repr__(self):
        return "O()"

def program(x, y, o):
    z = x * 2
"""
STEP = "x = np.linspace(0.5, 3, 4)\ny = x + 1\no = M.O()"


@cache
def callables() -> tuple[tuple[str, Any], ...]:
    """Return the functions to call, by the text that a program has for them."""
    found = []
    for prefix, space in SPACES.items():
        for name, value in sorted(vars(space).items()):
            error = isinstance(value, type) and issubclass(value, BaseException)
            hidden = name.startswith("_") or name in LEFT_OUT or error
            if callable(value) and not hidden:
                found.append((prefix + name, getattr(space, name)))
    return tuple(found)


def program_of_a_call(choices: Choices) -> Program:
    """A program `program(x, y, o)` that makes one call."""
    name, called = choices.one(callables())
    count = choices.one((0, 1, 1, 2, 2, 2, 3, 4))
    if isinstance(called, MethodDescriptorType | WrapperDescriptorType):
        # CPython 3.11 to 3.13 may crash by itself where such a thing is called without one.
        count = max(count, 1)
    given = [choices.one(ARGUMENTS) for _ in range(count)]
    given += choices.some(KEYWORDS, choices.one((0, 0, 0, 1)))
    if choices.chance(50):  # likely to be right
        own = OWNERS.get(name.split(".")[0], "x")
        given = [own, *choices.one(((), ("y",), (own,), ("1",), ("axis=0",), ("x > 1", "y")))]
    call = f"{name}({', '.join(given)})"
    return Program(f"{HEAD}    r = {call}\n    return r, z + 1, o\n", "x, y, o", (STEP, STEP))
