"""Arrays without items, reductions of them, and numbers that come out of arrays."""

from __future__ import annotations

import numpy as np
import pytest
from contract import BOTH, compare, given, table

EMPTY = table("""
x + 1  x * x  x == x  x.sum()  x.prod()  x.mean()  x.max()  x.min()  x.argmax()  x.any()  x.all()
x.std()  x.cumsum()  np.sort(x)  x[:0]  x[0]  x[-1]  x[[]]  x[x > 0]  x.reshape(-1)  x.T  x.copy()
np.where(x > 0, x, 1)  np.median(x)  np.nanmax(x)  np.maximum.reduce(x)  np.add.reduce(x)
np.multiply.reduce(x, axis=None)  np.max(x, initial=3)  np.concatenate([x, x])  np.unique(x)
x.sum(axis=0)  x.max(axis=0)  x.sum(axis=-1)  x.max(axis=-1)  x.mean(axis=-1)  x.argmin(axis=-1)
np.ptp(x)  np.dot(x, x)  x @ x  np.linalg.norm(x)  np.diff(x)  len(x)  bool(x)  float(x)  x.tolist()
np.mean(x, axis=0, keepdims=True)  np.take(x, [])  np.take(x, [0])  np.zeros_like(x)  np.sin(x)
""")
WRITES = table(
    "x += 1  x[...] = 2  x[:] = x  x[x > 0] = 1  x[0] = 1  x.sort()  x[[]] = 3  x.fill(1)"
)
SHAPES = ((0,), (0, 3), (3, 0), (0, 0), (2, 0, 3))
NUMBERS = table("""
x.sum()  x.max()  x.mean()  x.prod()  x.argmax()  x.any()  x.std()  x[0]  x[-1]  x[0, ...]  x[1:2]
np.sum(x)  np.max(x)  np.add.reduce(x)  np.dot(x, x)  x @ x  np.vdot(x, x)  np.median(x)
np.count_nonzero(x)  np.linalg.norm(x)  x.item()  x.item(0)  x.sum() + 1  x.sum() * x  x.max() is x
x.sum(keepdims=True)  x.sum(axis=0)  x.sum(axis=())  np.where(x[0] > 0, 1, 2)
np.where(True, x[0], 0)
np.sqrt(x[0])  np.add(x[0], 1)  np.add(x[0], x[:1])  np.maximum(x[0], 2)  abs(x[0])  -x[0]  x[0] > 1
np.asarray(x[0])  np.asarray(x[0]) + 1  np.array(x[0]) * x  x[0].astype('f4')  x[0].dtype
x[0].sum()
x[...]  x[0].item()  float(x[0])  int(x.max())  bool(x[0])  x[0].real  x[0].T  x[0].shape  x[0].ndim
np.squeeze(x[:1])  np.squeeze(x[:1]) + 1  np.isnan(x[0])  np.clip(x[0], 0, 1)  round(float(x[0]), 2)
np.array(2.5) + 1  np.array([1.5]).sum()  np.float64(1) + np.array(2)  x.min() == x[0]
x.size + x.sum()
""")
ZERO_D = table("""
x + 1  x * x  -x  x == x  x[()]  x[...]  x[None]  x.sum()  x.max()  x.mean()  x.item()  float(x)
bool(x)  int(x)  len(x)  x[0]  x + np.array(1)  x + np.ones(2)  np.sqrt(x)  np.add(x, 1)  x.copy()
np.add(x, 1, out=np.array(0.0))  np.where(x > 0, x, 0)  x.reshape(1)  x.reshape(())  x.ravel()
x.astype('f4')  x.T  x.shape  x.ndim  np.maximum(x, 2)  np.sin(x) + 1  abs(x)  x ** 2  divmod(x, 2)
np.add.reduce(x)  np.add.reduce(x, axis=None)  np.maximum.reduce(x)  np.add.accumulate(x)
x.cumsum()
np.add.reduce(x, axis=-1)  np.add.reduce(x, axis=1)  np.add.reduce(x, keepdims=True)
np.sum(x, axis=())
""")
ZERO_D_WRITES = table(
    "x += 1  x[...] = 3  x[()] = 4  x *= x  x[0] = 1  x.fill(2)  np.negative(x, out=x)"
)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_empty(shape: tuple[int, ...]) -> None:
    """Arrays without items give eager's results and exceptions."""
    dtypes = ("f8", "i4") if len(shape) < 3 else ("f8", "?", "c8")
    cases = [given(f"{dtype} {shape}", x=np.ones(shape, dtype)) for dtype in dtypes]
    compare(EMPTY, cases)
    compare(WRITES, cases)


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f2", "f4", "f8", "c16"])
def test_numbers_of_arrays(dtype: str) -> None:
    """NumPy's scalars, not arrays and not Python's numbers."""
    x = (np.arange(6) % 4).astype(dtype)
    backends = BOTH if dtype == "f8" else ("numpy",)
    compare(
        NUMBERS,
        [given(dtype, x=x), given(f"{dtype} one", x=x[1:2])][: len(backends) % 2 + 1],
        backends=backends,
    )


@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "f8", "c8"])
def test_arrays_of_no_axis(dtype: str) -> None:
    """They go in as arrays, and come out of ufuncs as scalars."""
    backends = BOTH if dtype == "f4" else ("numpy",)
    compare(ZERO_D, [given(dtype, x=np.array(3, dtype))], backends=backends)
    compare(ZERO_D_WRITES, [given(dtype, x=np.array(3, dtype))], backends=backends)
