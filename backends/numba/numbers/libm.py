"""Functions of the C library that Python's `math` and NumPy's scalars call.

Which library that is depends on how Python was built. Kernels call a function only if it gives the
bits of `math` at a set of points.
"""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ....jit.addresses import LibraryAddress, mathematics

_ONE = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2"),
    *("expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
TWO = ("atan2", "fmod", "pow")
"""Functions of two numbers; the others have one."""
_OF_NUMPY: dict[str, tuple[type[np.floating[Any]], Callable[..., Any]]] = {
    "powf": (np.float32, operator.pow),
    "hypot": (np.float64, lambda x, y: _size(complex(x, y))),
    "hypotf": (np.float32, lambda x, y: abs(np.complex64(complex(x, y)))),
}
"""Functions used by NumPy's scalars: their precision, and how to observe them."""
_POINTS = tuple(
    sign * mantissa * 2.0**exponent
    for sign in (1.0, -1.0)
    for mantissa in (1.0, 1.1, 1.37, 1.732050807568877, 1.9999)
    for exponent in (-30, -7, -2, -1, 0, 1, 3, 8, 40)
)


def _size(number: complex) -> Any:
    """Return the absolute value of a complex number if NumPy and Python agree on it, else NaN."""
    size = abs(np.complex128(number))
    return size if size == abs(number) else np.float64(np.nan)


def functions() -> dict[Callable[..., float], str]:
    """Return the functions of `math` that are a single C library call, with their names there."""
    names = [name for name in (*_ONE, *TWO) if hasattr(math, name)]
    return {getattr(math, name): name for name in names}


@cache
def address_of_function(name: str) -> LibraryAddress | None:
    """Return the address of a function; None if it is not the one that `math` uses."""
    function = getattr(mathematics(), name, None)
    if function is None:
        return None
    count = 1 if name in _ONE else 2
    single = name in _OF_NUMPY and _OF_NUMPY[name][0] is np.float32
    number = ctypes.c_float if single else ctypes.c_double
    function.restype, function.argtypes = number, [number] * count
    return LibraryAddress(name) if _agrees(function, name) else None


def _agrees(function: Callable[..., float], name: str) -> bool:
    if name in _OF_NUMPY:
        return _agrees_with_numpy(function, *_OF_NUMPY[name])
    of_python: Callable[..., float] = getattr(math, name)
    pairs = zip(_POINTS, reversed(_POINTS), strict=True)
    for arguments in pairs if name in TWO else ((x,) for x in _POINTS):
        try:
            expected = of_python(*arguments)
        except (ValueError, OverflowError):
            continue
        if function(*arguments) != expected:
            return False
    return True


def _agrees_with_numpy(
    function: Callable[..., float], kind: type[np.floating[Any]], of_numpy: Callable[..., Any]
) -> bool:
    with np.errstate(all="ignore"):
        points = np.array(_POINTS, kind)
        return all(
            kind(function(x, y)).tobytes() == of_numpy(x, y).tobytes()
            for x, y in zip(points, points[::-1] / 7, strict=True)
        )
