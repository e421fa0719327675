"""Floats that become ints: which of them LLVM makes as NumPy does, and how.

C truncates, and says what comes of a float whose integer part the int can hold. For ints of 8 or
16 bits NumPy makes one of 32 bits and cuts it, on processors that have no instruction for less:
It is asked whether it does. With any other float, such as NaN, the launch bails: what comes of
it depends on the processor and on the loop, and NumPy mostly warns.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .names import storage_name

DType = np.dtype[Any]
_POINTS = (
    *(0.0, 0.5, -0.5, 0.99, -0.99, 127.6, -128.9, 128.0, -129.0, 255.5, 256.0, -1.5, 300.7),
    *(-300.2, 32767.9, 32768.0, -32769.0, 65535.5, 65536.5, 2.0**30 + 7, -1e9, 2.0**31 - 128),
    *(-(2.0**31), 123456789.0, -98765432.1),
)
_LENGTHS = (1, 3, 8, 17, 64, 129)


def int_of_float(source: DType, target: DType) -> tuple[str, str]:
    """A Numba expression of the int, and one of whether the float `{0}` is such that it holds."""
    kind, through = storage_name(source), "int32" if target.itemsize < 8 else "int64"
    least, beyond = -(2.0**31), 2.0**31
    if target.itemsize == 8:
        least, beyond = -(2.0**63), 2.0**63
    elif target.itemsize < 4 and not is_cut(source, target):
        info = np.iinfo(target)
        least, beyond = float(info.min), float(info.max) + 1.0
    elif target.itemsize == 4 and target.kind == "u":
        through, beyond = "int64", 2.0**32
    above = ">="
    if target.kind == "u" and (target.itemsize >= 4 or not is_cut(source, target)):
        least, above = -1.0, ">"
    holds = f"({{0}} {above} {kind}({least!r})) & ({{0}} < {kind}({beyond!r}))"
    return f"{through}({{0}})", holds


@cache
def is_cut(source: DType, target: DType) -> bool:
    """Whether NumPy makes an int of 8 or 16 bits of one of 32 bits, however items lie."""
    points = np.resize(np.array(_POINTS), 2 * _LENGTHS[-1]).astype(source)
    expected = points.astype(np.int32).astype(target)
    return all(
        np.array_equal(points[first::step][:length].astype(target), expected[first::step][:length])
        for length in _LENGTHS
        for first in (0, 1, 5)
        for step in (1, 2)
    )
