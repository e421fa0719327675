"""Tests that NumPy's loops over doubles are accurate enough for kernels to reproduce their bits.

Depending on version and processor, NumPy calls the C library or has vectorised loops of its own.
glibc documents its errors since 2.28: below 0.55 ulp for sines and cosines, 0.511 for exponentials,
0.52 for logarithms. NumPy's loops are compared with it at points where another method would hardly
give the same bits.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ....jit.platforms import PROCESSOR
from ..machine_code.objects import features
from .loop_points import BOUND, NO_OTHERS, OTHERS, points

OLDEST = (2, 28)
"""The oldest version of glibc with these bounds."""
NAMES: dict[np.ufunc, str] = {
    np.sin: "sines",
    np.cos: "cosines",
    np.exp: "exponentials",
    np.log: "logarithms",
    np.power: "powers",
}
"""Functions of kernels that replace the loops."""
IN_C: dict[np.ufunc, str] = {np.power: "pow"}
"""Names in the C library, where they differ from NumPy's."""


@cache
def is_known(ufunc: np.ufunc, number: int) -> bool:
    """True if kernels may reproduce the doubles of a ufunc's loop."""
    if ufunc not in NAMES or number != loop_of_doubles(ufunc) or not fuses():
        return False
    return _is_recent(_version_of_library()) and agrees(ufunc, _library_function(ufunc))


def loop_of_doubles(ufunc: np.ufunc) -> int:
    """Return the number of a ufunc's loop from doubles to doubles."""
    return ufunc.types.index("d" * ufunc.nin + "->d")


def fuses() -> bool:
    """True if kernels have fused multiply-add instructions."""
    return PROCESSOR.fused in features()


def _version_of_library() -> str:
    """Return, for example, "glibc 2.36"; "" for another library."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, OSError, ValueError):
        return ""


def _is_recent(version: str) -> bool:
    name, _, number = version.partition(" ")
    try:
        return name == "glibc" and tuple(map(int, number.split(".")[:2])) >= OLDEST
    except ValueError:
        return False


def _library_function(ufunc: np.ufunc) -> Callable[..., float] | None:
    try:
        function = getattr(ctypes.CDLL("libm.so.6"), IN_C.get(ufunc, ufunc.__name__))
    except (AttributeError, OSError):
        return None
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * ufunc.nin
    made: Callable[..., float] = function
    return made


def agrees(ufunc: np.ufunc, function: Callable[..., float] | None) -> bool:
    """True if a ufunc gives the bits of the C function on lines of any layout."""
    if function is None:
        return False
    asked, others = points(ufunc), OTHERS.get(ufunc, NO_OTHERS)
    with np.errstate(all="ignore"):
        if any(float(ufunc(x, *others[0])) != result for x, result in BOUND[ufunc]):
            return False
        return all(_agrees(ufunc, function, asked, *rest) for rest in others)


def _agrees(
    ufunc: np.ufunc, function: Callable[..., float], asked: np.ndarray[Any, Any], *rest: float
) -> bool:
    """Compare at points that share their second operand."""
    expected = np.array([function(x, *rest) for x in asked.tolist()])
    twice = np.repeat(asked, 2)
    found = ufunc(asked, *rest), ufunc(twice[::2], *rest), ufunc(asked[::-1], *rest)[::-1]
    return all(_same_bits(expected, each) for each in found)


def _same_bits(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes()
