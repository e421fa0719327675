"""Floating point: signs of zero, NaN, single and half precision, rounding, reductions."""

from __future__ import annotations

import numpy as np
import pytest
from contract import BOTH, NUMBA, NUMPY, compare, given, inputs, some_layouts, table

ROWS = table("""
x + y  x - y  x * y  x / y  x // y  x % y  divmod(x, y)  x ** y  -x  +x  abs(x)  x ** 2  x ** 0.5
x ** -1  x ** 0  x ** 3  x == y  x != y  x < y  x <= y  np.maximum(x, y)  np.minimum(x, y)
np.fmax(x, y)  np.fmin(x, y)  np.sign(x)  np.copysign(x, y)  np.signbit(x)  np.nextafter(x, y)
np.sqrt(x)  np.square(x)  np.reciprocal(x)  np.fabs(x)  np.positive(x)  np.isnan(x)  np.isfinite(x)
np.floor(x)  np.rint(x)  np.trunc(x)  np.round(x, 1)  x.round()  np.exp(x)  np.log(x)  np.sin(x)
np.tanh(x)  np.cbrt(x)  np.exp2(x)  np.degrees(x)  np.hypot(x, y)  np.arctan2(x, y)  np.spacing(x)
np.logaddexp(x, y)  np.heaviside(x, y)  np.fmod(x, y)  np.ldexp(x, 3)  np.frexp(x)  np.modf(x)
np.float_power(x, y)  np.clip(x, -1, 1)  np.clip(x, y, 2)  np.nan_to_num(x)  np.isclose(x, y)
np.where(x > y, x, y)  np.where(x, y, -y)  x.sum()  x.prod()  x.mean()  x.std()  x.min()  x.max()
x.argmax()  x.argmin()  x.cumsum()  x.cumprod()  np.nanmax(x)  np.median(x)  np.ptp(x)  np.var(x)
np.linalg.norm(x)  x.any()  x.all()  np.count_nonzero(x)  np.unique(x)  np.argsort(x, kind='stable')
x.astype('f2')  x.astype('f4')  x.astype('f8')  x.astype('i4')  x.astype('u1')  x.astype('c8')
""")
ELEMENTS = table("""
x[0] + x[1]  x[2] / x[0]  x[3] // x[4]  x[3] % x[1]  divmod(x[5], x[3])  x[4] ** x[5]  -x[0]
abs(x[-1])  x[0] == x[-1]  x[11] * 2  x[11] * x[11]  x[14] < 1  float(x[14])  bool(x[0])
round(x[6], 1)  x[0] / 0  1 / x[0]  0 * x[13]  x[12] ** 2  x[3] + 1  x[3] * True  int(x[6])
np.sqrt(x[-4])  np.maximum(x[0], x[15])  np.sign(x[15])  x[14] != x[14]  x[14] is x[14]
""")
MOVED = table("""
x  x[::2]  x[...].copy()  x.copy()  -x  abs(x)  x[[2, 0, 1]]  x[n < 4]  np.where(n % 2, x, x[::-1])
np.sort(x)  np.take(x, [1, 2])  np.concatenate([x, x])  np.roll(x, 1)  np.flip(x)  x.reshape(2, -1)
np.copysign(x, -1)  x.astype(x.dtype)  x.max()  x[3]  x[1:2].copy()  np.repeat(x, 2)  np.tile(x, 2)
np.stack([x, x])  x.real  +x  np.positive(x)  x.T.copy()  np.array(x)  np.choose(n % 2, [x, -x])
""")
STORED = table("""
x[1:] = x[:-1]  x[...] = x[::-1]  x[0] = x[2]  x[n > 3] = x[0]  x[[0, 1]] = x[[1, 0]]
np.copyto(x, x[::-1])  x.sort()  x[2:4] = x[2]  np.negative(x, out=x)  x[n < 2] = x[n > 5]
""")


@pytest.mark.parametrize("k", range(5))
def test_arrays(k: int) -> None:
    """In every layout with some dtypes."""
    dtypes = ("f8 f8", "f4 f4", "f2 f2", "f4 f8", "f4 i4")[k].split()
    compare(ROWS, inputs(*dtypes, layouts=some_layouts(k, 5)))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_elements(dtype: str) -> None:
    """NumPy's scalars, whose arithmetic is not that of arrays."""
    compare(ELEMENTS, inputs(dtype, layouts=("contiguous", "reversed")))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_moved_values_keep_their_bits(dtype: str) -> None:
    """A NaN that is only moved keeps its sign and its payload."""
    x = np.arange(8, dtype=dtype)
    bits = x.view(f"u{x.itemsize}")
    bits[2:6] = np.array([0x7FC00001, 0xFFC00000, 0x7F800000, 0xFFC12345]) << (8 * x.itemsize - 32)
    case = [given(dtype, x=x, n=np.arange(8)), given(f"{dtype} back", x=x[::-1], n=np.arange(8))]
    backends = BOTH if dtype == "f4" else NUMPY
    compare(MOVED, case, nan="bits", backends=backends)
    compare(STORED, case, nan="bits", backends=backends)


@pytest.mark.parametrize(("dtype", "layout"), [("f2", "strided reversed"), ("f4", "Fortran")])
def test_in_kernels(dtype: str, layout: str) -> None:
    """The same in kernels."""
    compare(ROWS[:80:4], inputs(dtype, dtype, layouts=[layout]), backends=NUMBA)


def test_elements_in_kernels() -> None:
    """Single elements have eager's bits in kernels, too."""
    compare(ELEMENTS, inputs("f4", layouts=["reversed"]), backends=NUMBA)
