"""NEP 50: Python's numbers are weak, NumPy's scalars and 0-d arrays are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from contract import BOTH, Input, compare, given, table, values_of

INTS = (0, 1, -1, 127, 128, 255, 256, 300, -128, 2**31, 2**63 - 1, 2**63, 2**64, 2**70, -(2**63))
FLOATS = (0.0, -0.0, 0.5, 2.0, 1e300, 1e-320, float("nan"), float("inf"))
COMPLEX = (1j, complex(1e300, 1), complex(float("nan"), 1))
PYTHON: tuple[Any, ...] = (True, *INTS, *FLOATS, *COMPLEX)
SCALARS = tuple(np.dtype(char).type(3) for char in "?bBhHiIlLefdFD")
ZERO_D = tuple(np.array(3, char) for char in "?bBlLefdFD")
LARGE = (np.float64(1e300), np.float64("nan"), np.int64(-1), np.array(-1), np.array(1e300))
NUMBERS = (*PYTHON, *SCALARS, *ZERO_D, *LARGE)
IN_KERNELS = (True, 300, -1, 2**63, 0.5, float("nan"), 1j, np.int8(3), np.uint64(3), np.array(3.5))

ROWS = table("""
x + s  s + x  x * s  x - s  x / s  x // s  x % s  s ** x  x ** s  divmod(x, s)  x & s  x << s
x == s  x < s  s >= x  np.maximum(x, s)  np.add(x, s)  np.arctan2(x, s)  np.power(x, s)
np.where(x > 0, x, s)  np.where(x > 0, s, s)  np.copysign(x, s)  np.clip(x, s, s)
x[0:1] + s  x[0] + s  s + x[1]  x.max() + s  np.add.reduce(x) + s  x.astype('f2') + s
""")
WRITES = table("""
x += s  x *= s  x /= s  x //= s  x **= s  x[...] = s  x[0] = s  x[1:] -= s  x[x > 0] = s
x.fill(s)  np.add(x, s, out=x)
""")
LITERALS = table("""
x + 1  x + 1.5  x + 1j  x + True  x * 300  x - (-1)  x == 300  x < -1  x == 2 ** 70  x + 2 ** 62
x + np.int8(1)  x + np.float32(1)  x + np.float64(1)  x + np.array(1)  x + np.array(1.5)
np.float32(3) + x  1 + x  2 ** x  True + x  x ** 2  x ** 2.0  x ** np.int64(2)  x ** -1  x ** 0.5
np.where(x, 1, 2.5)  np.where(x, np.float32(1), 2)  np.maximum(x, 2.5)  np.minimum(7, x)
np.float32(3) + 3  np.float32(3) + np.float64(3)  np.uint8(200) + 100  np.int8(1) + 1.0
np.int64(3) / np.int32(2)  np.uint64(3) + np.int64(1)  np.bool_(True) + 1  np.float16(1) + 1e-9
x[0] + 1  x[0] * 1.5  x[0] + x[1]  x[:1] + x[0]  x.sum() + 1  x.mean() * 2
""")


def cases(dtype: str, numbers: tuple[Any, ...]) -> list[Input]:
    """An array of a dtype beside each number."""
    x = np.resize(values_of(dtype)[:7], 6)
    return [given(f"{dtype} and {number!r}", x=x, s=number) for number in numbers]


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "u8", "f2", "f4", "f8", "c8"])
def test_numbers(dtype: str) -> None:
    """A number that the function is called with, of every kind in turn."""
    every = ["?", "u1", "i4", "u8", "f2", "f4", "f8", "c8"].index(dtype)
    compare(ROWS[every % 2 :: 2], cases(dtype, NUMBERS[every::8]))
    compare(WRITES[every % 2 :: 2], cases(dtype, NUMBERS[(every + 3) % 8 :: 8]))


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "c16"])
def test_literals(dtype: str) -> None:
    """Numbers that stand in the program."""
    compare(LITERALS, cases(dtype, (0,)))


@pytest.mark.parametrize("dtype", ["u1", "f4"])
def test_in_kernels(dtype: str) -> None:
    """The same in kernels."""
    which = IN_KERNELS[::3] if dtype == "u1" else IN_KERNELS[1::3]
    compare(ROWS[::6], cases(dtype, which), backends=BOTH)
    compare(LITERALS[::3], cases(dtype, (0,)), backends=BOTH)
