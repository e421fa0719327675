"""Integers wrap, divide and shift as NumPy's do, whatever the values are."""

from __future__ import annotations

import re

import pytest
from contract import KERNELS, NUMBA, compare, inputs, some_layouts, table

ROWS = table("""
x + y  x - y  x * y  x / y  x // y  x % y  divmod(x, y)  x ** y  x << y  x >> y  x & y  x | y
x ^ y  x < y  x <= y  x == y  x != y  -x  ~x  +x  abs(x)  x ** 2  x ** 0  x ** 3  x ** -1  x ** 0.5
np.power(x, y)  np.gcd(x, y)  np.lcm(x, y)  np.sign(x)  np.square(x)  np.fmod(x, y)
np.floor_divide(x, y)  np.remainder(x, y)  np.bitwise_count(x)  np.maximum(x, y)  np.clip(x, 3, 1)
x << 70  x >> 70  x << -1  np.left_shift(x, 63)  1 << x  2 ** x  x // 0  x % 0  x // -1  x % -1
divmod(x, 0)  divmod(x, -1)  1 // x  1 % x  x.sum()  x.prod()  x.cumsum()  x.min()  x.mean()
np.add.reduce(x, dtype=x.dtype)  x.astype('f4')  x.astype('i1')  x.astype('u2')  x.astype(bool)
""")
WRITES = table("""
x += y  x -= y  x *= y  x //= y  x %= y  x **= 2  x <<= y  x >>= y  x &= y  x |= y  x ^= y
x /= y  x += 1.5  x += 300  x -= 1  x *= -1  x //= 0  x %= 0  np.negative(x, out=x)
""")
ELEMENTS = table("""
a + b  a - b  a * b  a // b  a % b  a / b  divmod(a, b)  a << b  a >> b  a ** 2  -a  ~a  abs(a)
a + 1  a * 300  a // -1  a % -1  a == b  a < -1  a // 0  a % 0  int(a) + int(b)  float(a)  bool(a)
""")
PLACES = {"a": "x[0]", "b": "x[-2]"}


@pytest.mark.parametrize("k", range(7))
def test_arrays(k: int) -> None:
    """In every layout with some dtypes; divisions by zero, negative exponents among them."""
    dtypes = ("i1 i1", "u1 u1", "i2 u2", "i8 i8", "u8 u8", "u8 i8", "i8 i4")[k].split()
    compare(ROWS, inputs(*dtypes, layouts=some_layouts(k, 7)))
    compare(WRITES, inputs(*dtypes, layouts=some_layouts(k + 2, 7)))


@pytest.mark.parametrize("dtype", ["i1", "u4", "i8", "u8"])
def test_elements(dtype: str) -> None:
    """NumPy's scalars warn where its arrays wrap without a word."""
    layouts = ("contiguous", "strided reversed")
    rows = [re.sub(r"\b[ab]\b", lambda name: PLACES[name[0]], row) for row in ELEMENTS]
    compare(rows, inputs(dtype, layouts=layouts, size=14))


@pytest.mark.parametrize(("dtypes", "layout"), [("i1 i1", 0), ("u8 i8", 1)])
def test_in_kernels(dtypes: str, layout: int) -> None:
    """The same in kernels."""
    compare(ROWS[:40:2], inputs(*dtypes.split(), layouts=[KERNELS[layout]]), backends=NUMBA)
