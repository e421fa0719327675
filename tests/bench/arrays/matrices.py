"""Products of matrices and what comes with them."""

from __future__ import annotations

import numpy as np
from bench.workloads import side, workload


def _layer(rng, n):
    k = side(n)
    return rng.standard_normal((k, k)), rng.standard_normal((k, 64)) / 8.0, rng.standard_normal(64)


@workload(_layer, blas=True)
def dense_layer(x, weights, bias):
    return np.maximum(x @ weights + bias, 0.0)


def _heads(rng, n):
    rows = max(round((n / 4) ** 0.5), 4)
    return tuple(rng.standard_normal((rows, 64)) for _ in range(3))


@workload(_heads, blas=True)
def attention(queries, keys, values):
    scores = queries @ keys.T / 8.0
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (scores / scores.sum(axis=1, keepdims=True)) @ values


def _points(rng, n):
    k = side(n)
    return rng.random((k, 3)), rng.random((k, 3))


@workload(_points)
def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


@workload(lambda rng, n: (rng.random((max(n // 8, 1), 2)), rng.random((8, 2))))
def nearest(points, centres):
    return ((points[:, None, :] - centres) ** 2).sum(axis=2).argmin(axis=1)


@workload(lambda rng, n: (rng.random((side(n), side(n))), rng.random(side(n)), 0.85), blas=True)
def page_rank_step(links, ranks, damping):
    return damping * (links @ ranks) + (1.0 - damping) / ranks.size


@workload(lambda rng, n: (rng.random((max(n // 4, 1), 4)), rng.random((4, 4))), blas=True)
def transformed(points, matrix):
    moved = points @ matrix.T
    return moved[:, :3] / moved[:, 3:]
