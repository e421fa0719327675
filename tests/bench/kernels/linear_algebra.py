"""Products, factorisations and solvers, over rows or item by item."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


def _square(rng, n, count=1):
    return tuple(rng.random((n, n)) for _ in range(count))


def _positive(rng, n):
    a = rng.random((n, n))
    return (a @ a.T + n * np.eye(n),)


@kernel(lambda rng, n: (*_square(rng, n, 3), 1.5, 1.2), s=100, m=700)
def gemm(a, b, c, alpha, beta):
    c[:] = alpha * a @ b + beta * c
    return c


@kernel(lambda rng, n: (*_square(rng, n, 3), 1.5, 1.2), s=12, m=40)
def gemm_by_loops(a, b, c, alpha, beta):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] *= beta
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += alpha * a[i, k] * b[k, j]
    return c


@kernel(lambda rng, n: (*_square(rng, n, 4), 1.5, 1.2), s=100, m=500)
def two_products(a, b, c, d, alpha, beta):
    return alpha * a @ b @ c + beta * d


@kernel(lambda rng, n: _square(rng, n, 4), s=100, m=500)
def three_products(a, b, c, d):
    return (a @ b) @ (c @ d)


@kernel(lambda rng, n: (*_square(rng, n, 2), 1.5, 1.2), s=100, m=300)
def symmetric_update(a, c, alpha, beta):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1] // 10):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]
    return c


@kernel(lambda rng, n: (*_square(rng, n, 2), 1.5), s=60, m=250)
def triangular_product(a, b, alpha):
    for i in range(b.shape[0]):
        for j in range(0, b.shape[1], 4):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha
    return b


@kernel(lambda rng, n: (*_square(rng, n, 2), rng.random(n), 1.5, 1.2), s=300, m=2500)
def gesummv(a, b, x, alpha, beta):
    return alpha * a @ x + beta * b @ x


@kernel(lambda rng, n: (*_square(rng, n), rng.random(n)), s=600, m=3000)
def atax(a, x):
    return (a @ x) @ a


@kernel(lambda rng, n: (*_square(rng, n), rng.random(n), rng.random(n)), s=600, m=3000)
def bicg(a, p, r):
    return r @ a, a @ p


@kernel(lambda rng, n: (*_square(rng, n), *(rng.random(n) for _ in range(4))), s=600, m=3000)
def mvt(a, x1, x2, y1, y2):
    x1 += a @ y1
    x2 += y2 @ a
    return x1, x2


@kernel(
    lambda rng, n: (*_square(rng, n), *(rng.random(n) for _ in range(8)), 1.5, 1.2), s=400, m=2000
)
def gemver(a, u1, v1, u2, v2, w, x, y, z, alpha, beta):
    a += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ a + z
    w += alpha * a @ x
    return w


@kernel(lambda rng, n: (rng.random((n, n, n)), rng.random((n, n))), s=30, m=120)
def doitgen(a, c4):
    for r in range(a.shape[0]):
        for q in range(a.shape[1]):
            a[r, q, :] = a[r, q, :] @ c4
    return a


@kernel(_positive, s=40, m=200)
def cholesky(a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return a


@kernel(_positive, s=40, m=200)
def lu(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


@kernel(lambda rng, n: (*_positive(rng, n), rng.random(n)), s=40, m=160)
def lu_and_solve(a, b):
    n = a.shape[0]
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[:j, j]) / a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]
    for i in range(n):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


@kernel(lambda rng, n: (*_positive(rng, n), rng.random(n)), s=400, m=3000)
def forward_substitution(l, b):
    x = np.zeros_like(b)
    for i in range(l.shape[0]):
        x[i] = (b[i] - l[i, :i] @ x[:i]) / l[i, i]
    return x


@kernel(lambda rng, n: (rng.random(n) / n,), s=200, m=3000)
def durbin(r):
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@kernel(lambda rng, n: (rng.random((n + 20, n)),), s=30, m=150)
def gramschmidt(a):
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]), dtype=a.dtype)
    for k in range(a.shape[1]):
        norm = np.dot(a[:, k], a[:, k])
        r[k, k] = np.sqrt(norm)
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def _sparse(rng, n):
    counts = rng.integers(1, 20, n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns = rng.integers(0, n, starts[-1])
    return rng.random(starts[-1]), columns, starts, rng.random(n)


@kernel(_sparse, s=400, m=20000)
def spmv(values, columns, starts, x):
    y = np.empty(starts.size - 1, values.dtype)
    for i in range(starts.size - 1):
        inside = columns[starts[i] : starts[i + 1]]
        y[i] = values[starts[i] : starts[i + 1]] @ x[inside]
    return y
