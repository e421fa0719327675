"""Rows that write by indices, `=` and `+=`, `put` and its kin, and those that eager refuses."""

from contract import table

LINE = table("""
x[k] = 9  x[i] = 9.5  x[w] += 1  x[z] = 3  x[n] = 7  x[n] = n  x[n] += 1  x[m] += 1  x[m] -= x[m]
x[u] = [1, 2]  x[b] = -1  x[b] = [1, 2, 3]  x[b] += 10  x[~b] *= 2  x[e] = 5  x[e] = x[e]
x[l] = 4  x[s] = 2  x[s] += x[s]  x[...] = 3  x[...] += 1  x[None] = 1  x[()] = 4  x[::-1] = x
x[1:] = x[:-1]  x[:-1] += x[1:]  x[1:] *= x[:-1]  x[::2] = x[:3]  x[nn] = 1
x[nn] += [[1, 2], [3, 4]]  x[True] = 2  x[False] = 2  x[k:k] = 1  x[x > 1] = 0  x[x > 1] *= -1
x[b] = x[b][::-1]  x[n] = x[n[::-1]]  x[:] = x[::-1]  x[np.array([0, 0])] = [1, 2]
np.put(x, n, 9)  np.put(x, [0, 1], [5])  np.put(x, [7], 1, mode='clip')
np.put(x, [7, -9], [1, 2], mode='wrap')  x.put(n, n)  np.put_along_axis(x, n, 5, 0)
np.place(x, b, [1, 2])  np.putmask(x, b, x * 2)  np.add.at(x, m, 1)  np.add.at(x, n, x[n])
np.subtract.at(x, [0, 0], 1)  np.negative.at(x, [0, 1])  np.copyto(x, 3, where=b)
x[np.ix_(n)] = 8  x[0] = x[1] = 5  x[k], x[i] = x[i], x[k]  x[0] = n[0]  x[1] = np.float32(1.1)
x[1] = True  x[n] = True  x[1:3] = 1, 2  x[1:3] = [x[0], 2]  x.flat[2] = 5  x[5] = 1  x[-6] = 1
x[n + 5] = 1  x[n + 5] += 1  x[[0, 5]] = [1, 2]  x[1:3] = [1, 2, 3]  x[n] = [1, 2]  x[b] = [1, 2]
x[b[:3]] = 1  x[1.0] = 1  x['a'] = 1  x[0, 0] = 1  x[0] = 'abc'  x[0] = [1, 2]  x[0] = 1j
x[n] = 1j  x[...] = 1j  x[1:] += [1, 2]  x[m] += [1, 2, 3]  np.put(x, 9, 1)  np.put(x, [0, 9], 1)
np.put_along_axis(x, n + 5, 1, 0)  np.add.at(x, [0, 9], 1)  x[0] = None  x[0] = object()
x[0] += 1; x[9] = 1  x[:2] = 7; x[n] = 8; x[5] = 1  x[0] = 1; x[1:] += x[2:]
y = x[1:]; y[0] = 3; y += 1  y = x[n]; y += 1  y = x[::2]; x += 1; y *= 2; x[0] = y.sum()
x[0] = x.sum(); x[1] = x.sum()  x[n] = 1; x[n] += x[n]  x[:] = 1; x[x > 0] = 2; x[b] -= 1
del x[0]
""")
"""Writes to arrays of one axis."""
TABLE = table("""
x[k] = 1  x[k, i] = 5  x[k, i] += 5  x[:, k] = 7  x[:, k] += x[:, 0]  x[n] = 4  x[n] += 1
x[n, n] = 2  x[n, n] += n  x[:, n] *= 2  x[:, n] = n  x[n, s] = 3  x[n[:, None], m] = 1
x[np.ix_(n, m)] += 1  x[np.ix_(r, c)] = [[1, 2, 3], [4, 5, 6]]  x[mask] = 0  x[mask] += 1
x[mask] = np.arange(4)  x[~mask] = x[~mask] * 2  x[r] = -1  x[r] = [1, 2, 3, 4]  x[r] += x[0]
x[:, c] = 0  x[r, 1:] = 0  x[r, 0] = [1, 2]  x[0, c] -= 1  x[None, n] = 1  x[nn] = 0
x[nn, nn] += nn  x[True] = 1  x[..., n] = 1  x[e] = 9  x[1:] = x[:-1]  x[:, 1:] += x[:, :-1]
x[::-1] = x  x[:, ::-1] += x  x[:] = x.T[:3, :1]  x.T[...] = [1, 2, 3]  x.T[0] += 1
x[:3, :3] = x[:3, :3].T  x[:3, :3] += x[:3, :3].T  x[0] = x[1]  x[0], x[1] = x[1], x[0]
x[[0, 1]] = x[[1, 0]]  x[:, [0, 1]] = x[:, [1, 0]]  x[x > 5] = 5  x[x > 5] = x[x < 6]
x[x[:, 0] > 0] = 0  x[:, x[0] > 1] = x[:, :2]  np.put(x, n, n)
np.put_along_axis(x, n[:, None], -1, 1)  np.fill_diagonal(x, 9)  np.add.at(x, (n, n), 1)
np.add.at(x, n, 1)  np.add.at(x, (slice(None), m), 2)  np.place(x, mask, [1, 2, 3])
np.copyto(x, x[0], where=mask)  x.flat[n] = 7  x.flat = [1, 2]  x[0][1] = 5  x[0:2][1, 1] = 6
x[n][0] = 5  x[3] = 1  x[0, 4] += 1  x[n, m] = 1  x[c] = 1  x[mask.T] = 1  x[mask] = [1, 2, 3]
x[n] = [1, 2, 3]  x[:, n] = np.ones((2, 2))  x[0] = 1; x[[0, 3]] = 2  x[0] += 1; x[n, 4] = 2
x[:, 0] = 1; x[9, 9] = 2  x[0, 0, 0] = 1  x[1:] = np.ones((3, 4))  x += np.ones(3)
x[n, n] += [1, 2]  x[r] += np.ones((3, 4))
""")
"""Writes to arrays of two axes."""
