"""Reductions to one number, or to one for each row or column."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
from bench.workloads import loop_of, rows, vectors, workload
from numba import prange


@workload(vectors(1, -1.0, 1.0))
def l2_norm(x):
    return np.sqrt(np.sum(x * x))


@loop_of(l2_norm)
def _(x):
    total = 0.0
    for i in prange(x.size):
        total += x[i] * x[i]
    return sqrt(total)


@workload(vectors(1, 0.1, 5.0))
def geometric_mean(x):
    return np.exp(np.mean(np.log(x)))


@loop_of(geometric_mean)
def _(x):
    total = 0.0
    for i in prange(x.size):
        total += log(x[i])
    return exp(total / x.size)


@workload(vectors(1, -5.0, 5.0))
def log_sum_exp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@loop_of(log_sum_exp)
def _(x):
    top = x[0]
    for i in prange(x.size):
        top = max(top, x[i])
    total = 0.0
    for i in prange(x.size):
        total += exp(x[i] - top)
    return top + log(total)


@workload(vectors(2, -1.0, 1.0))
def mean_squared_error(x, y):
    return np.mean((x - y) ** 2)


@loop_of(mean_squared_error)
def _(x, y):
    total = 0.0
    for i in prange(x.size):
        total += (x[i] - y[i]) ** 2
    return total / x.size


@workload(vectors(2, -1.0, 1.0))
def cosine_similarity(x, y):
    return np.sum(x * y) / (np.sqrt(np.sum(x * x)) * np.sqrt(np.sum(y * y)))


@loop_of(cosine_similarity)
def _(x, y):
    xy = xx = yy = 0.0
    for i in prange(x.size):
        xy += x[i] * y[i]
        xx += x[i] * x[i]
        yy += y[i] * y[i]
    return xy / (sqrt(xx) * sqrt(yy))


@workload(vectors(1, -1.0, 1.0))
def standardize(x):
    return (x - x.mean()) / x.std()


@workload(vectors(2, -1.0, 1.0))
def correlation(x, y):
    x = x - x.mean()
    y = y - y.mean()
    return (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())


@workload(vectors(2, 0.0, 1.0))
def trapezoid(y, dx):
    return np.sum(0.5 * (y[1:] + y[:-1]) * dx[1:])


@loop_of(trapezoid)
def _(y, dx):
    total = 0.0
    for i in prange(1, y.size):
        total += 0.5 * (y[i] + y[i - 1]) * dx[i]
    return total


@workload(rows())
def softmax_of_rows(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@loop_of(softmax_of_rows)
def _(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        top = x[i, 0]
        for j in range(x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            out[i, j] = exp(x[i, j] - top)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


@workload(rows())
def layer_norm_of_rows(x):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5)


@loop_of(layer_norm_of_rows)
def _(x):
    out = np.empty_like(x)
    n = x.shape[1]
    for i in prange(x.shape[0]):
        mean = 0.0
        for j in range(n):
            mean += x[i, j]
        mean /= n
        square = 0.0
        for j in range(n):
            square += (x[i, j] - mean) ** 2
        root = sqrt(square / n + 1e-5)
        for j in range(n):
            out[i, j] = (x[i, j] - mean) / root
    return out


@workload(rows())
def row_sums(x):
    return (x * x).sum(axis=1)


@workload(rows(10))
def short_row_sums(x):
    return (x * 2.0 + 1.0).sum(axis=1)


@workload(rows())
def column_variances(x):
    centred = x - x.mean(axis=0)
    return (centred * centred).mean(axis=0)


@workload(rows())
def normalized_columns(x):
    low = x.min(axis=0)
    return (x - low) / (x.max(axis=0) - low)
