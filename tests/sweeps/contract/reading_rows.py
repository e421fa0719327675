"""Rows that read by indices: basic, of ints and bools, mixed, `take` and its kin, out of range."""

from contract import table

LINE = table("""
x[k]  x[i]  x[w]  x[z]  x[n]  x[u]  x[b]  x[e]  x[l]  x[s]  x[...]  x[None]  x[()]  x[::-1]
x[-2:]  x[10:]  x[3:1]  x[-100:100:2]  x[4:0:-2]  x[nn]  x[n, None]  x[None, n]  x[..., n]
x[b, None]  x[True]  x[False]  x[np.True_]  x[k, ...]  x[..., k]
x[[True, False, True, True, False]]  x[[]]  x[k:k]  x[:k][n]  x[n][::-1]  x[x > 1]  x[~b]
x[np.nonzero(b)]  x[np.where(x > 2)]  x[list(n)]  x[range(3)]  x[(0,)]  x[n.tolist()]
np.take(x, n)  np.take(x, nn)  np.take(x, 7, mode='clip')  np.take(x, [7, -8], mode='wrap')
x.take(n)  np.take(x, n, axis=0)  x[np.ix_(n)]  np.take_along_axis(x, n, 0)
np.take_along_axis(x, np.argsort(-x), axis=0)  x.item(2)  x.item(-1)  np.compress(b, x)
np.extract(b, x)  np.choose(u, [x[:2], x[2:4]])  x[0:5:2] + x[n]  x[x.argmax()]  x[int(w)]
x[n[0]]  x[n[-1]]  float(x[2])  x[bool(1)]  x[5]  x[-6]  x[n + 5]  x[[5]]  x[[-6]]  x[1.0]
x[np.array([1.])]  x['a']  x[None, 7]  x[0, 0]  x[n, n]  x[b[:3]]  x[np.ones(6, bool)]
np.take(x, 5)  np.take(x, [5])  x.take([-6])  x[::0]  x[2**70]  x[-2**70]  x[np.uint64(2**63)]
x[k + 5]  x[1j]  x[n[:2], :]  x[[[0, 1], [1]]]  np.take_along_axis(x, nn, 0)
np.take_along_axis(x, n + 5, 0)  x.item(9)  x[..., ...]  x[slice(1.5)]  x[[1.5]]  x[[0, 'a']]
x[(n, )]  x[((0,1),)]
""")
"""Reads from arrays of one axis."""
TABLE = table("""
x[k]  x[i]  x[k, i]  x[w]  x[:, k]  x[..., i]  x[n]  x[n, n]  x[:, n]  x[n, :]  x[n, 0]  x[0, n]
x[n, s]  x[s, n]  x[n, None]  x[None, n]  x[:, None, n]  x[n, None, n]  x[None, n, n]
x[n, ..., n]  x[..., n]  x[r]  x[:, c]  x[r, 1:]  x[r, :][:, c]  x[r][:, c]  x[mask]  x[~mask]
x[mask] + 1  x[r, 0]  x[0, c]  x[r, n[:2]]  x[np.ix_(r, c)]  x[np.ix_(n, n)]
x[np.ix_([0, 2], [1, 3])]  x[nn]  x[nn, nn]  x[:, nn]  x[nn, n[:2]]  x[n[:, None], m]  x[z]
x[z, z]  x[z, :]  x[:, z]  x[z, n]  x[e]  x[e, e]  x[:, e]  x[o, o]  x[s, s]  x[::-1, ::-2]
x[1:2, 1:2]  x[5:]  x[:, 5:]  x[True]  x[True, n]  x[None, True]  x[..., None]
x[None, :, None, :]  x[()]  x[...]  x[0][1]  x[0:1][0]  x[[0, 1], [1, 2]]  x[[0, 1]]  x[[[0, 1]]]
x[([0, 1], [1, 2])]  x[(0, 1)]  x.T[n]  x.T[n, 0]  x.T[:, n]  x[n].T  x.T[c]
np.take(x, n, axis=1)  np.take(x, n, axis=0)  np.take(x, n)  np.take(x, nn, axis=-1)
np.take_along_axis(x, np.argsort(x, 1), 1)  np.take_along_axis(x, n[:, None], 1)
np.take_along_axis(x, x.argmax(axis=1)[:, None], axis=1)  np.compress(c, x, axis=1)
np.compress(r, x, 0)  np.diagonal(x)  x.diagonal(1)  x[np.arange(3), np.arange(3)]
x[np.arange(3), x.argmin(axis=1)]  x[np.tril_indices(3)]  np.nonzero(x > 3)  x[np.nonzero(x > 3)]
np.argwhere(mask)  x[tuple(np.argwhere(mask)[1])]  x.flat[5]  x.flat[n]
np.unravel_index(5, x.shape)  x[np.unravel_index(n % 12, x.shape)]  x[x[:, 0] > 2]
x[x.sum(axis=1) > 10, 1]  x[:, x[0] > 1]  x[mask].sum()  x[mask][::-1]  x[3]  x[0, 4]  x[-4]
x[:, 4]  x[n, 4]  x[[0, 3]]  x[:, [4]]  x[n, m]  x[c]  x[r, c]  x[:, r]  x[mask.T]  x[0, 0, 0]
x[n, n, n]  x[mask, 0]  x[1.5, 0]  np.take(x, 4, axis=1)  np.take(x, n, axis=2)
np.take_along_axis(x, n, 1)  x[..., ..., 0]  x[None, 3]  x[0, 'a']  x[n, c[:2]]
x[np.ix_(n, n, n)]  x[np.ix_(mask)]
""")
"""Reads from arrays of two axes."""
