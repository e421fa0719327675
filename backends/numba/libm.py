"""Functions of the C library, as Python's `math` and NumPy's scalars call them.

Which library that is depends on how Python was built: a function is called from kernels only where
it gives the same bits as `math` on a set of points.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable
from functools import cache

_ONE = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2"),
    *("expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
_TWO = ("atan2", "fmod", "pow")
_POINTS = tuple(
    sign * mantissa * 2.0**exponent
    for sign in (1.0, -1.0)
    for mantissa in (1.0, 1.1, 1.37, 1.732050807568877, 1.9999)
    for exponent in (-30, -7, -2, -1, 0, 1, 3, 8, 40)
)


def functions() -> dict[Callable[..., float], str]:
    """The functions of `math` that are one call of the C library, with their names there."""
    names = [name for name in (*_ONE, *_TWO) if hasattr(math, name)]
    return {getattr(math, name): name for name in names}


@cache
def address_of_function(name: str) -> int | None:
    """Where the function is; None where it is not that of `math`."""
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    function = getattr(library, name, None)
    if function is None:
        return None
    count = 2 if name in _TWO else 1
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * count
    return ctypes.cast(function, ctypes.c_void_p).value if _agrees(function, name) else None


def _agrees(function: Callable[..., float], name: str) -> bool:
    of_python: Callable[..., float] = getattr(math, name)
    pairs = zip(_POINTS, reversed(_POINTS), strict=True)
    for arguments in pairs if name in _TWO else ((x,) for x in _POINTS):
        try:
            expected = of_python(*arguments)
        except (ValueError, OverflowError):
            continue
        if function(*arguments) != expected:
            return False
    return True
