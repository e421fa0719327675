"""Dense linear algebra by loops."""

from __future__ import annotations

import math

import numpy as np
from loop_programs import dominant, program


@program(lambda rng: (rng.random((60, 50)), rng.random((50, 70))))
def matmul(a, b):
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            s = 0.0
            for k in range(m):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c


@program(lambda rng: (dominant(rng, 70),))
def lu_by_elements(a):
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


@program(lambda rng: (rng.random((150, 150)),))
def lu_with_pivots(a):
    n = a.shape[0]
    order = np.arange(n)
    for k in range(n - 1):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
            order[k], order[best] = order[best], order[k]
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a, order


@program(lambda rng: (dominant(rng, 80),))
def cholesky(a):
    n = a.shape[0]
    c = np.zeros_like(a)
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= c[j, k] * c[j, k]
        c[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s -= c[i, k] * c[j, k]
            c[i, j] = s / c[j, j]
    return c


@program(lambda rng: (np.tril(dominant(rng, 400)), rng.random(400)))
def forward_substitution(lower, b):
    x = np.empty_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - (lower[i, :i] * x[:i]).sum()) / lower[i, i]
    return x


@program(lambda rng: (rng.random((60, 200)),))
def gram_schmidt(vectors):
    basis = vectors.copy()
    for i in range(basis.shape[0]):
        for j in range(i):
            basis[i] -= (basis[j] * basis[i]).sum() * basis[j]
        basis[i] /= np.sqrt((basis[i] * basis[i]).sum())
    return basis


@program(lambda rng: (rng.random(2000) + 2.0, rng.random(2000), rng.random(2000)))
def tridiagonal(diagonal, upper, b):
    n = len(b)
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    d[0] = b[0] / diagonal[0]
    for i in range(1, n):
        w = diagonal[i] - upper[i - 1] * c[i - 1]
        c[i] = upper[i] / w
        d[i] = (b[i] - upper[i - 1] * d[i - 1]) / w
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x
