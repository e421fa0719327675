"""Memory order of results, views and what they share, read-only and broadcast arrays, identity."""

from __future__ import annotations

import pytest
from contract import NUMBA, compare, table
from tables_of_arrays import TABLES

MADE = table("""
np.concatenate([x, y])  np.concatenate([x, y], axis=1)  np.concatenate([x, n], dtype='f4')
np.concatenate([x, y], out=np.empty((6, 4)))  np.stack([x, y], axis=-1)  x.astype('f4', order='F')
x.astype(float, copy=False) is x  x.astype(float) is x  x.astype('f4', casting='no')
x.astype(int, casting='safe')  x.astype('f4', copy=False)  x.astype(float, order='F', copy=False)
x.T.astype(float, order='C')  x.T.astype('f4')  x.copy('F')  x.copy(order='K')  x.T.copy()
x.T.copy('K')  np.copy(x.T)  np.array(x)  np.array(x, copy=False) is x
np.array(x, copy=None) is x  np.array(x.T, order='C')  np.array(x, ndmin=3)
np.array(x, dtype='f4')  np.asarray(x) is x  np.asarray(x, dtype='f4')  np.ascontiguousarray(x.T)
np.asfortranarray(x)  np.require(x, requirements='F')  np.zeros_like(x.T)
np.ones_like(x, dtype=int)  np.full_like(x, 2.5, order='F')  np.empty_like(x.T).strides
np.zeros_like(x[:, ::2])  np.zeros((2, 3), order='F')  np.zeros(3, 'c8')  np.ones((2, 2), 'i1')
np.full((2,), 3)  np.full(2, 3.5, 'f4')  np.full((2, 2), x[0, :2])  np.arange(3)
np.arange(0, 1, 0.25)  np.arange(3, dtype='f4')  np.arange(5, 0, -2)  np.linspace(0, 1, 5)
np.linspace(0, 1, 5, retstep=True)  np.linspace(0, 5, 3, dtype=int)  np.eye(3)
np.identity(2, 'i4')  np.tile(x, 2)  np.repeat(x, 2, axis=0)  np.repeat(x, [1, 2, 0], axis=0)
""")
VIEWS = table("""
x  x[:]  x[...]  x.T  x.T.T  x.view()  x[1:]  x[1:][1:]  x[::-1]  x.reshape(4, 3)  x.reshape(-1)
x.reshape(12, order='F')  x.T.reshape(-1)  x.ravel()  x.T.ravel()  x.ravel('F')  x.ravel('K')
x.T.ravel('K')  x.flatten()  x.squeeze()  x[None].squeeze(0)  x.swapaxes(0, 1)
np.swapaxes(x, 0, -1)  np.moveaxis(x, 0, 1)  np.rollaxis(x, 1)  np.expand_dims(x, 1)  x[:, None]
x[..., None]  np.broadcast_to(x, (2, 3, 4))  np.atleast_1d(x) is x  np.atleast_2d(x[0])
np.atleast_3d(x)  x.real is x  x.real  x.imag  np.real(x) is x  x.diagonal()  np.diag(x[:3, :3])
np.split(x, 3)  np.array_split(x, 2, axis=1)  np.hsplit(x, 2)  np.flip(x)  np.flip(x, 0)
np.fliplr(x)  np.rot90(x)  np.transpose(x)  np.transpose(x, (1, 0))  x.transpose(1, 0)
x.transpose()  x.mT  x.view('i8')  x.view('f4')  x.view('c16')  x[0]  x[0, 1:2]  x[0].base is x
x.T.base is x  x.base is None  x.flags.writeable  x.flags.c_contiguous  x.flags.owndata
x[::2].flags.f_contiguous  x.strides  x[::2, ::-1].strides  x.shape  x.T.shape  x.ndim  x.size
x.nbytes  x.itemsize  len(x)  x.dtype  x.dtype is np.dtype(float)  np.shares_memory(x, x[1:])
np.may_share_memory(x[0], x[1])  (x, x)  [x, x[0]]  (x + 1, x)  {'a': x, 'b': x[1:]}  x[0] is x[0]
+x  +x is x  x.astype(float, copy=False)  abs(x)  x.conj() is x  x.conjugate()  np.conj(x)
np.squeeze(x) is x  x.reshape(x.shape)  np.reshape(x, (2, -1))  np.ravel(x)  x.reshape(5, 5)
x.reshape(-1, -1)  x.reshape(0, -1)  x.reshape(-1, 5)  x.transpose(0)  x.transpose(0, 0)
np.swapaxes(x, 0, 5)  np.squeeze(x, 0)  x.view('f8')[0, 0]  x[1:, 1:].reshape(-1)
x[:, 1:].ravel()  x[:, ::2].reshape(3, 2)  x[:, :1].reshape(3)  x[::2].reshape(8)
x[:, 1].reshape(3, 1)
""")
READ_ONLY = table("""
x += 1  x[0] = 1  x[1:] += 1  x[b] = 0  x[...] = 2  x.fill(1)  x.sort()  np.add(x, 1, out=x)
np.copyto(x, 1)  np.put(x, 0, 1)  x.flat[0] = 1  np.add.at(x, 0, 1)  y = x + 1; y += 1
y = x[1:]; y[0] = 0  y = x.copy(); y[0] = 7  x.T[0] = 1  x.reshape(-1)[0] = 1  x.shape = (4, 3)
x.setflags(write=True)  y[...] = x  y += x  np.add(x, 1, out=y)  x[0] = 1; y[0] = 2
y[0] = 2; x[0] = 1  y += 1; x += 1; y += 1  x[5:] = 1  x[0:0] = 1  x.partition(1)
x.byteswap(True)  x.resize(3)  x.put([0], 1)  np.putmask(x, b, 1)  np.place(x, b, 1)
np.fill_diagonal(x, 1)
""")
ORDER = table("""
x + 1  x + y  x * x.T.T  x + x[0]  x + x[:, :1]  x.T + y.T  np.where(b, x, y)  x == y  x[::2] + 1
x[:, ::-1] * 2  x[::-1] + x  np.sqrt(x.T)  x + y.T.copy().T  x.T + y.T.copy()  x[None] + y[:, None]
np.add(x, y.T.copy().T)  x.sum(axis=0, keepdims=True)  x.max(axis=1, keepdims=True)  -x.T  x.T > 2
x.swapaxes(0, 1) + 1  x[:, None].copy()  x[:, None] + 1  (x + 1).T + 1  np.exp(x)[..., None] + 1
x[:1] + 1  x[:, :1] + 1  x[0:0] + 1  x[:, 2:2].T + 1  x.astype('f4') + x
np.broadcast_to(x, (2, 3, 4)) + 1
x[:, 0] + x[:, 1]  x @ x.T  x.T @ x  x @ x[0]  np.dot(x, x.T)  np.outer(x[0], x[1])  np.cumsum(x, 1)
np.sort(x, axis=0)  np.argsort(x, axis=0)  x.cumsum(axis=0)  np.diff(x)  np.clip(x, 2, 5)
x.round(1)
""")


@pytest.mark.parametrize("name", TABLES)
def test_memory(name: str) -> None:
    """Strides, flags, bases and shared bytes are eager's in each layout."""
    compare([*ORDER, *MADE[::2]], [TABLES[name]])
    compare([*VIEWS, *MADE[1::2]], [TABLES[name]])
    compare(READ_ONLY, [TABLES[name]])


def test_in_kernels() -> None:
    """The same in kernels."""
    compare(ORDER[::3], [TABLES["reversed"], TABLES["F"]], backends=NUMBA)
    compare(VIEWS[::6], [TABLES["transposed"]], backends=NUMBA)
    compare(READ_ONLY[1::9], [TABLES["read-only"]], backends=NUMBA)
