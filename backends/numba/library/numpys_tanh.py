"""Coefficients of NumPy's hyperbolic tangent of doubles, and a test that its loop uses them.

With FMA but without AVX-512 that loop spends its time on table look-ups. Its method, from Intel's
SVML, is documented in NumPy (loops_hyperbolic.dispatch): the magnitude is classified into sixteen
intervals by its exponent and the next bit; in each, the result is a polynomial of degree 16 in the
distance from an interior point, evaluated by Horner's rule with each step rounded once.

The interior points and coefficients are read from NumPy's library, where they lie beside those of
other loops; a digest makes sure that it is the right table.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import pairwise

import numpy as np

from ....jit.platforms import PROCESSOR
from ..machine_code.objects import features

PARTS, ROWS = 16, 18
"""Number of intervals, and of rows: interior points, then coefficients from the constant one on."""
FIRST = 0x3FC << 52
"""Bits of 2**-3, from which on magnitudes leave the first interval."""
SHIFT = 51
"""Shift that leaves those bits which select the interval."""
_SIZE = 8 * PARTS * ROWS
_DIGEST = "1e3027e16b45d048342bcc0f456072e0627377aaabe41e57de6a5adeaa261ea7"
_EACH = 7
"""Number of test points in each interval."""


@cache
def is_known() -> bool:
    """True if NumPy's loop over doubles is the known one and a kernel's code is faster."""
    is_wide = PROCESSOR.vector_bytes(features()) >= 64
    if PROCESSOR.fused not in features() or is_wide or table() is None:
        return False
    return _agrees(np.tanh)


@cache
def table() -> tuple[float, ...] | None:
    """Return the rows, concatenated; None if NumPy's library does not contain this table."""
    library = getattr(sys.modules.get("numpy._core._multiarray_umath"), "__file__", None)
    if library is None:
        return None
    try:
        with (
            open(library, "rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory,
        ):
            return _found(memory)
    except (OSError, ValueError):
        return None


def _found(memory: mmap.mmap) -> tuple[float, ...] | None:
    row = struct.pack(f"{PARTS}d", *_middles())
    start = memory.find(row)
    while start >= 0:
        rows = memory[start : start + _SIZE]
        if sha256(rows).hexdigest() == _DIGEST:
            return struct.unpack(f"{PARTS * ROWS}d", rows)
        start = memory.find(row, start + 1)
    return None


def _middles() -> list[float]:
    """Return the first row; the first interval and the last one, where tanh is 1, have no point."""
    edges = [_number(FIRST + (part << SHIFT)) for part in range(PARTS)]
    return [0.0, *((a + b) / 2 for a, b in pairwise(edges[1:])), 0.0]


def _number(bits: int) -> float:
    number: float = struct.unpack("d", struct.pack("q", bits))[0]
    return number


def _agrees(ufunc: np.ufunc) -> bool:
    """True if a ufunc gives what the table gives, on lines of any layout."""
    try:
        fma = ctypes.CDLL("libm.so.6").fma
    except (AttributeError, OSError):
        return False
    fma.restype, fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    rng = np.random.default_rng(0)
    steps = np.arange(PARTS)[:, None] + rng.random((PARTS, _EACH))
    points = (FIRST + (steps * 2.0**SHIFT).astype(np.int64)).view(np.float64).ravel()
    points[::3] *= -1
    expected = np.array([_tangent(x, fma) for x in points.tolist()])
    twice = np.repeat(points, 2)
    found = ufunc(points), ufunc(twice[::2]), ufunc(points[::-1])[::-1]
    return all(each.tobytes() == expected.tobytes() for each in found)


def _tangent(x: float, fma: Callable[..., float]) -> float:
    """Compute one result from the table."""
    rows = table()
    assert rows is not None
    bits: int = struct.unpack("q", struct.pack("d", abs(x)))[0]
    part = min(max(bits - FIRST, 0) >> SHIFT, PARTS - 1)
    middle, *coefficients = rows[part::PARTS]
    y, result = abs(x) - middle, coefficients.pop()
    for coefficient in reversed(coefficients):
        result = fma(result, y, coefficient)
    return float(np.copysign(result, x))
