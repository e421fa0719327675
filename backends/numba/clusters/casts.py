"""Casts from floats to ints that LLVM computes as NumPy does.

C truncates, and defines the result if the int can hold the integer part. NumPy converts to 8 or 16
bits by truncating a 32-bit int on processors without narrower instructions; this is tested. For any
other float, such as NaN, the launch bails: the result depends on the processor and on NumPy's loop,
and NumPy mostly warns. Flags raised by comparisons with NaN then do not matter.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..library.names import storage_name

DType = np.dtype[Any]
_POINTS = (
    *(0.0, 0.5, -0.5, 0.99, -0.99, 127.6, -128.9, 128.0, -129.0, 255.5, 256.0, -1.5, 300.7),
    *(-300.2, 32767.9, 32768.0, -32769.0, 65535.5, 65536.5, 2.0**30 + 7, -1e9, 2.0**31 - 128),
    *(-(2.0**31), 123456789.0, -98765432.1),
)
_LENGTHS = (1, 3, 8, 17, 64, 129)


def int_of_float(source: DType, target: DType) -> tuple[str, str]:
    """Return Numba expressions for the int, and for the test that float `{0}` can be converted."""
    made = np.dtype(np.int32) if target.itemsize < 4 and is_cut(source, target) else target
    info, kind = np.iinfo(made), storage_name(source)
    through = "int32" if np.can_cast(made, np.int32) else "int64"
    low = f"> {kind}(-1.0)" if made.kind == "u" else f">= {kind}({float(info.min)!r})"
    beyond = min(info.max + 1.0, 2.0**63)  # the bounds are exact in either float precision
    return f"{through}({{0}})", f"({{0}} {low}) & ({{0}} < {kind}({beyond!r}))"


@cache
def is_cut(source: DType, target: DType) -> bool:
    """True if NumPy truncates 32-bit ints to get this 8- or 16-bit int, for all strides."""
    points = np.resize(np.array(_POINTS), 2 * _LENGTHS[-1]).astype(source)
    expected = points.astype(np.int32).astype(target)
    parts = [
        slice(first, first + length * step, step)
        for length in _LENGTHS
        for first in (0, 1, 5)
        for step in (1, 2)
    ]
    try:
        with np.errstate(all="ignore", invalid="raise"):
            return all(np.array_equal(points[k].astype(target), expected[k]) for k in parts)
    except FloatingPointError:
        return False  # NumPy warned for a value that would be truncated
