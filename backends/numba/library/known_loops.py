"""Whether NumPy's loops over doubles are known so well that kernels may compute what they give.

NumPy calls the C library's functions, or has vectorised ones, as its version and the processor will
have it. glibc's are documented: since 2.28 they are wrong by less than 0.55 units in the last place
(sines and cosines), 0.511 (exponentials) and 0.52 (logarithms). NumPy is asked for its own on
points where others would hardly give the same bits.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..machine_code.objects import features
from .loop_points import BOUND, NO_OTHERS, OTHERS, points

OLDEST = (2, 28)
"""glibc."""
NAMES: dict[np.ufunc, str] = {
    np.sin: "sines",
    np.cos: "cosines",
    np.exp: "exponentials",
    np.log: "logarithms",
    np.power: "powers",
}
"""What a kernel calls."""
IN_C: dict[np.ufunc, str] = {np.power: "pow"}
"""Where the library has another name."""


@cache
def is_known(ufunc: np.ufunc, number: int) -> bool:
    """Whether the loop of a ufunc gives doubles that kernels may compute."""
    if ufunc not in NAMES or number != loop_of_doubles(ufunc) or not fuses():
        return False
    return _is_recent(_version_of_library()) and agrees(ufunc, _library_function(ufunc))


def loop_of_doubles(ufunc: np.ufunc) -> int:
    """The number of a ufunc's loop from doubles to doubles."""
    return ufunc.types.index("d" * ufunc.nin + "->d")


def fuses() -> bool:
    """Whether kernels have an instruction for a product and a sum."""
    return "+fma" in features()


def _version_of_library() -> str:
    """Such as "glibc 2.36"; nothing for another library."""
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
    """Whether a ufunc gives the bits of a function of the C library, however items lie."""
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
    """On points, each with the same second operand."""
    expected = np.array([function(x, *rest) for x in asked.tolist()])
    twice = np.repeat(asked, 2)
    found = ufunc(asked, *rest), ufunc(twice[::2], *rest), ufunc(asked[::-1], *rest)[::-1]
    return all(_same_bits(expected, each) for each in found)


def _same_bits(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes()
