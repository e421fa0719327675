"""Sparse loops: rows of a matrix in compressed form, graphs."""

from __future__ import annotations

import numpy as np
from loop_programs import program


def rows_of(rng, n, per_row):
    """The three arrays of a matrix with so many entries a row."""
    counts = rng.integers(1, 2 * per_row, n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns = rng.integers(0, n, starts[-1])
    return starts, columns, rng.random(starts[-1])


@program(lambda rng: (*rows_of(rng, 3000, 8), rng.random(3000)))
def sparse_matvec(starts, columns, values, x):
    y = np.zeros(len(starts) - 1)
    for row in range(len(y)):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total
    return y


@program(lambda rng: (*rows_of(rng, 800, 6)[:2], 0.85, 12))
def pagerank(starts, columns, damping, rounds):
    n = len(starts) - 1
    rank = np.full(n, 1.0 / n)
    for _ in range(rounds):
        after = np.full(n, (1.0 - damping) / n)
        for node in range(n):
            links = starts[node + 1] - starts[node]
            share = damping * rank[node] / links
            for k in range(starts[node], starts[node + 1]):
                after[columns[k]] += share
        rank = after
    return rank


@program(lambda rng: (*rows_of(rng, 5000, 5)[:2], 0))
def breadth_first(starts, columns, root):
    n = len(starts) - 1
    distance = np.full(n, -1)
    queue = np.zeros(n, dtype=np.int64)
    head, tail = 0, 1
    queue[0] = root
    distance[root] = 0
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(starts[node], starts[node + 1]):
            other = columns[k]
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue[tail] = other
                tail += 1
    return distance, tail


@program(lambda rng: (rng.random(20000), rng.random(20000), 16))
def histogram_2d(x, y, bins):
    counts = np.zeros((bins, bins), dtype=np.int64)
    for a, b in zip(x, y):
        counts[int(a * bins), int(b * bins)] += 1
    return counts


@program(lambda rng: (rng.integers(0, 2000, 4000), rng.integers(0, 2000, 4000), 2000))
def union_find(left, right, n):
    parent = np.arange(n)
    parts = n
    for k in range(len(left)):
        a, b = left[k], right[k]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b:
            parent[a] = b
            parts -= 1
    return parts
