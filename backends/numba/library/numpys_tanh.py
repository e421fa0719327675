"""NumPy's hyperbolic tangent of doubles: its coefficients, and whether its loop is the known one.

With FMA and without AVX-512 that loop spends its time on looking coefficients up. The method, that
of Intel's SVML, stands in NumPy (loops_hyperbolic.dispatch): the sizes of numbers are parted in
sixteen, by their exponent and the first bit behind it; in each part the result is a polynomial of
degree 16 in the distance from a number in its middle, by Horner's rule, each step rounded once.

The numbers in the middle and the coefficients are read from NumPy's library, where they lie beside
those of other loops: only the table that is meant will do, by its digest.
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

from ..machine_code.objects import features

PARTS, ROWS = 16, 18
"""Rows: the numbers in the middle, and the coefficients, from the constant one on."""
FIRST = 0x3FC << 52
"""The bits of the size from which on there is more than the first part: 2**-3."""
SHIFT = 51
"""Of the bits: what tells the part is left."""
_SIZE = 8 * PARTS * ROWS
_DIGEST = "1e3027e16b45d048342bcc0f456072e0627377aaabe41e57de6a5adeaa261ea7"
_EACH = 7
"""Points in each part on which the loop is asked."""


@cache
def is_known() -> bool:
    """Whether NumPy's loop over doubles is the known one, and a kernel is the faster."""
    given = features()
    if "+fma" not in given or "+avx512f" in given or table() is None:
        return False
    return _agrees(np.tanh)


@cache
def table() -> tuple[float, ...] | None:
    """The rows behind each other; None: NumPy's library has no such table, or another one."""
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
    """The first row. The first part and the last, where the result is 1, have none."""
    edges = [_number(FIRST + (part << SHIFT)) for part in range(PARTS)]
    return [0.0, *((a + b) / 2 for a, b in pairwise(edges[1:])), 0.0]


def _number(bits: int) -> float:
    number: float = struct.unpack("d", struct.pack("q", bits))[0]
    return number


def _agrees(ufunc: np.ufunc) -> bool:
    """Whether it gives what the table does, however items lie."""
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
    """By the table."""
    rows = table()
    assert rows is not None
    bits: int = struct.unpack("q", struct.pack("d", abs(x)))[0]
    part = min(max(bits - FIRST, 0) >> SHIFT, PARTS - 1)
    middle, *coefficients = rows[part::PARTS]
    y, result = abs(x) - middle, coefficients.pop()
    for coefficient in reversed(coefficients):
        result = fma(result, y, coefficient)
    return float(np.copysign(result, x))
