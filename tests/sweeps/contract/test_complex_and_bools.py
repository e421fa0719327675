"""Complex and bool arithmetic, and casts with their warnings."""

from __future__ import annotations

import pytest
from contract import NUMBA, compare, inputs, some_layouts, table

COMPLEX = table("""
x + y  x - y  x * y  x / y  x ** y  x ** 2  x ** 0.5  x ** -1  x ** 0  -x  abs(x)  x == y  x != y
x < y  x <= y  x // y  x % y  np.maximum(x, y)  np.fmin(x, y)  np.sign(x)  np.sqrt(x)  np.exp(x)
np.log(x)  np.sin(x)  np.square(x)  np.reciprocal(x)  x.real  x.imag  x.conj()  np.conj(x)
np.angle(x)  np.abs(x)  x.real + y.imag  x * 1j  1j / x  x * 2.5  x == 1j  x.sum()  x.prod()
x.mean()  x.min()  x.max()  x.argmax()  x.cumsum()  np.sort(x)  x.any()  x.all()  x.std()
np.isnan(x)  np.isfinite(x)  np.where(x == y, x, y)  x.astype('f8')  x.astype('c8')  x.astype(bool)
x.astype('i4')  np.round(x, 1)  np.unique(x)  np.vdot(x, y)  np.linalg.norm(x)  np.rint(x)
""")
COMPLEX_WRITES = table("""
x += y  x *= y  x /= y  x **= 2  x *= 2  x += 1j  x.real = 1.5  x.imag[...] = 2  x.real += x.imag
x[...] = y  np.multiply(x, y, out=x)  np.conj(x, out=x)
""")
ELEMENTS = table("""
x[0] + x[1]  x[2] * x[3]  x[4] / x[5]  x[3] ** 2  x[1] ** x[2]  abs(x[6])  -x[7]  x[0] == x[1]
x[2].real  x[2].imag  x[2].conjugate()  x[3] * 2  x[3] * 1j  1 / x[0]  complex(x[5])  x[6] + 1
""")
BOOLS = table("""
x + y  x * y  x - y  x & y  x | y  x ^ y  ~x  -x  +x  x / y  x // y  x % y  x ** y  x << y  x >> y
x == y  x != y  x < y  x <= y  np.logical_and(x, y)  np.logical_not(x)  np.maximum(x, y)  abs(x)
x + 1  x * 2.5  x + True  x & True  x.sum()  x.prod()  x.mean()  x.max()  x.min()  x.any()  x.all()
x.cumsum()  x.argmax()  np.where(x, 1, 0)  np.where(x, x, y)  x.astype('i1')  x.astype('f2')
np.add(x, y)  np.subtract(x, 1)  np.square(x)  np.sign(x)  np.invert(x)  np.count_nonzero(x)
np.add.reduce(x)  np.multiply.reduce(x)  np.logical_xor.reduce(x)  np.bitwise_or.reduce(x)
np.sin(x)
""")
BOOL_WRITES = table("x &= y  x |= y  x ^= y  x += y  x *= y  x -= y  x /= y  x += 1  x[...] = 2.5")
TARGETS = ("?", "i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")
CASTS = (
    *(f"x.astype({target!r})" for target in TARGETS),
    *("x.astype('i4', casting='safe')", "x.astype('f4', casting='same_kind')", "np.int8(300.5)"),
    *("np.asarray(x, dtype='f4')", "np.array(x, 'u1')", "np.add(x, 1, dtype='f4')"),
    *("np.float32(x[:1].sum()) if x.ndim else 0", "np.empty_like(x, 'i2').dtype"),
)
STORES = table("""
y[...] = x  np.copyto(y, x)  np.copyto(y, x, casting='unsafe')  y += x  np.add(x, 1, out=y)
np.add(x, 1, out=y, casting='unsafe')  y[y == y] = x[y == y]
""")


@pytest.mark.parametrize("k", range(3))
def test_complex(k: int) -> None:
    """In every layout with some dtypes."""
    dtypes = ("c8 c8", "c16 c16", "c8 f8")[k].split()
    compare(COMPLEX, inputs(*dtypes, layouts=some_layouts(k, 5)))
    compare(COMPLEX_WRITES, inputs(*dtypes, layouts=some_layouts(k + 1, 5)))
    compare(ELEMENTS, inputs(dtypes[0], layouts=["reversed"]))


def test_bools() -> None:
    """Sums of bools are bools, and `-` is none of theirs."""
    compare(BOOLS, inputs("?", "?", layouts=some_layouts(0, 3)))
    compare(BOOL_WRITES, inputs("?", "?", layouts=some_layouts(1, 5)))


@pytest.mark.parametrize("k", range(8))
def test_casts(k: int) -> None:
    """Values that a target cannot hold cause eager's warnings, in its own words."""
    source = ("?", "i1", "u8", "i8", "f2", "f4", "f8", "c16")[k]
    compare(CASTS, inputs(source, layouts=some_layouts(k, 8)))
    for target in ("i2", "f4", "?")[k % 3 :: 3]:
        compare(STORES, inputs(source, target, layouts=some_layouts(k + 3, 8)))


@pytest.mark.parametrize(
    ("rows", "dtype", "layout"),
    [
        (COMPLEX[:51:3], "c8", "strided reversed"),
        (ELEMENTS, "c8", "reversed"),
        (BOOLS[:36:3], "?", "transposed"),
        (CASTS[:17], "f8", "Fortran"),
    ],
)
def test_in_kernels(rows: tuple[str, ...], dtype: str, layout: str) -> None:
    """The same in kernels."""
    compare(rows, inputs(dtype, dtype, layouts=[layout]), backends=NUMBA)
