"""Dynamic programming."""

from __future__ import annotations

import numpy as np
from loop_programs import program


@program(lambda rng: (rng.integers(0, 4, 250), rng.integers(0, 4, 250)))
def longest_common_subsequence(a, b):
    n, m = len(a), len(b)
    table = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            elif table[i - 1, j] > table[i, j - 1]:
                table[i, j] = table[i - 1, j]
            else:
                table[i, j] = table[i, j - 1]
    return table[n, m]


@program(lambda rng: (rng.integers(0, 26, 200), rng.integers(0, 26, 200)))
def edit_distance(a, b):
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        before = row.copy()
        row[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            row[j + 1] = min(before[j + 1] + 1, row[j] + 1, before[j] + cost)
    return row[-1]


@program(lambda rng: (rng.integers(1, 50, 100), rng.integers(1, 100, 100), 1000))
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for w, v in zip(weights, values):
        for room in range(capacity, w - 1, -1):
            best[room] = max(best[room], best[room - w] + v)
    return best[capacity]


@program(lambda rng: (rng.integers(0, 4, 200), rng.integers(0, 4, 200), 2.0, -1.0, -1.5))
def smith_waterman(a, b, match, mismatch, gap):
    score = np.zeros((len(a) + 1, len(b) + 1))
    best = 0.0
    where = (0, 0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            here = max(0.0, score[i - 1, j - 1] + s, score[i - 1, j] + gap, score[i, j - 1] + gap)
            score[i, j] = here
            if here > best:
                best = here
                where = (i, j)
    return best, where, score


@program(lambda rng: (rng.random((70, 70)),))
def floyd_warshall(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d


@program(lambda rng: (rng.random((200, 200)),))
def floyd_warshall_rows(d):
    for k in range(len(d)):
        for i in range(len(d)):
            d[i] = np.minimum(d[i], d[i, k] + d[k])
    return d


@program(lambda rng: (rng.integers(5, 60, 60),))
def matrix_chain(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            best = -1
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if best < 0 or c < best:
                    best = c
            cost[i, j] = best
    return cost[0, n - 1]
