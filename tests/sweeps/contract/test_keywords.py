"""`out=`, `where=`, `dtype=`, `casting=`, `order=`, and the methods of ufuncs."""

from __future__ import annotations

import pytest
from contract import NUMBA, Input, compare, table
from tables_of_arrays import TABLES

KEYWORDS = table("""
np.add(x, y, out=o)  np.add(x, y, o)  np.add(x, y, out=(o,))  np.add(x, y, out=None)
np.add(x, 1, out=x)  np.multiply(x, y, out=y)  np.add(x, y, out=o) is o  np.add(x, y, where=b)[b]
np.add(x, y, out=o, where=b)  np.add(x, y, out=o, where=b[0])  np.add(x, y, out=o, where=False)
np.add(x, y, dtype='f4')  np.add(x, y, dtype=np.float32)  np.add(x, y, dtype=complex)
np.add(x, y, dtype=int)  np.add(x, y, dtype=int, casting='unsafe')  np.add(x, y, out=n)
np.add(x, y, out=n, casting='unsafe')  np.add(x, y, casting='no')  np.add(x, n, casting='no')
np.add(x, n, casting='equiv')  np.add(x, n, casting='safe')  np.add(x, y, order='F')
np.add(x, y, order='C')  np.add(x, y, order='K')  np.add(x, y, order='A')
np.add(x.T, y.T, order='C')  np.add(x.T, y.T)  np.add(x, y, subok=False)
np.add(x, y, signature='dd->d')  np.add(n, n, signature='dd->d')  np.add(x, y, sig='ff->f')
np.sqrt(x, out=o)  np.sqrt(x, o, where=b)  np.sqrt(n, out=o)  np.sqrt(n, out=n)
np.divmod(x, y, out=(o, x))  np.divmod(x, y, out=(o, None))  np.divmod(x, y, o, x)
np.modf(x, out=(o, y))  np.frexp(x)  np.sum(x, out=o[0, 0:1].reshape(()))  x.sum(axis=0, out=o[0])
x.sum(axis=0, out=o)  x.sum(axis=0, dtype='f4')  x.sum(dtype=int)  n.sum(dtype='i1')
n.sum(dtype=float)  n.mean(dtype='f4')  x.sum(axis=(0, 1))  x.sum(axis=())
x.sum(axis=1, keepdims=True)  x.sum(keepdims=True)  x.sum(initial=10)  x.sum(where=b)
x.max(where=b, initial=-1)  x.max(where=b)  x.max(initial=100)  x.mean(where=b)
x.min(axis=1, out=o[:, 0])  x.max(axis=0, out=o[0]) is o[0]  np.add(x)  np.add(x, y, o, o)
np.add(x, y, foo=1)  np.add(x, y, out=1)  np.add(x, y, out=o[0])  np.add(x, y, where=1.5)
np.sqrt(x, dtype=int)  np.add(x, y, casting='bad')  np.add(x, y, order='Z')  x.sum(axis=5)
x.sum(axis=1.5)  np.where(b, x, n)  np.clip(x, 2, 5, out=o)  x.clip(2, 5, out=x)  x.clip(None, 5)
x.clip(2)  np.clip(x, y, None)  x.clip(5, 2)  x.round(1, out=o)
x.cumsum(axis=1, dtype='f4', out=None)  x.cumsum(out=o.reshape(-1))
x.dot(y.T, out=np.empty((3, 3)))  np.matmul(x, y.T, out=np.empty((3, 3)))
""")
METHODS = table("""
np.add.reduce(x)  np.add.reduce(x, axis=None)  np.add.reduce(x, axis=(0, 1))
np.add.reduce(x, axis=1, keepdims=True)  np.add.reduce(x, axis=1, out=o[:, 0])
np.add.reduce(x, dtype='f4')  np.add.reduce(x, initial=5)  np.add.reduce(x, where=b)
np.maximum.reduce(x, axis=1)  np.maximum.reduce(x, axis=None)  np.multiply.reduce(n, axis=0)
np.logical_and.reduce(x, axis=1)  np.logical_or.reduce(b)  np.bitwise_xor.reduce(n, axis=1)
np.hypot.reduce(x[0])  np.subtract.reduce(x)  np.subtract.reduce(x, axis=(0, 1))
np.add.accumulate(x)  np.add.accumulate(x, axis=1)  np.add.accumulate(x, 1, out=o)
np.add.accumulate(x, dtype='f4')  np.multiply.accumulate(n)  np.maximum.accumulate(x, axis=-1)
np.subtract.accumulate(x[0])  np.add.outer(x[0], y[0])  np.multiply.outer(n, n[0])
np.subtract.outer(x, 2)  np.add.outer(x[0], y[:, 0], out=o.T)  np.add.reduceat(x[0], [0, 2])
np.add.reduceat(x, [0, 2, 1], axis=1)  np.add.reduceat(x, [0, 4], axis=1)
np.add.reduceat(x[0], n[0] % 4)  np.maximum.reduceat(x, [1], axis=0)  np.add.at(x, [0, 0], 1)
np.multiply.at(x, ([0, 1], [1, 1]), 3)  np.sqrt.at(x, 0)  np.add.at(n, [0], 1.5)  np.sin.reduce(x)
np.divmod.reduce(x)  np.add.reduce(x, axis=2)  np.add.reduce(x, axis=(0, 0))
np.add.accumulate(x, axis=2)
""")
NAMES = tuple(TABLES)


def cases(*names: str) -> list[Input]:
    """Tables in these layouts, with operands for them."""
    return [TABLES[name] for name in names]


@pytest.mark.parametrize("k", range(4))
def test_keywords(k: int) -> None:
    """Keywords of functions have eager's results in every layout."""
    compare(KEYWORDS[k::4], cases(*NAMES))


@pytest.mark.parametrize("k", range(2))
def test_methods(k: int) -> None:
    """Methods have eager's results in every layout."""
    compare(METHODS, cases(*NAMES[k::2]))


def test_in_kernels() -> None:
    """The same in kernels, and a share of the rows that eager refuses."""
    compare(KEYWORDS[::5], cases("gaps"), backends=NUMBA)
    compare(METHODS[::5], cases("F"), backends=NUMBA)
