"""The programs whose graphs are kept as text, and the arguments that they are captured for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def readme(x, y):
    residual = x - y
    error = np.sqrt(np.mean(residual**2))
    print("error:", error)
    return np.exp(-0.5 * (residual / error) ** 2)


def chain(x, y):
    r = np.sqrt(x * x + y * y)
    return r - x / 2, r > 1


def dims(table, row, column):
    return table + row, table * column, column * row


def views(a):
    inner = a[1:-1, ::2]
    inner[:, 0] = 0.0
    a[0] += a[1]
    return inner.T, a[::-1], a[:, None, 1]


def loop(x, n):
    total = np.zeros_like(x)
    for i in range(n):
        total = total * 0.5 + x[i]
    return total


def reduction(x):
    top = x.max(axis=1, keepdims=True)
    shifted = x - top
    return shifted.sum(), shifted.min(axis=0)


def select(x, limit):
    kept = np.where(x > limit, x, 0)
    return kept.astype(np.float32), kept.astype(int).copy()


def opaque(x, y):
    order = np.argpartition(x, 2)
    return np.convolve(y, x) + 1, order


def gathers(x, y):
    order = np.argsort(x)
    x[order[1:]] = 0.5
    return x[y > 1], x[order] * 2, np.argmax(y)


def branch(x, limit):
    y = x * 2
    high = y.sum() > limit
    if high:
        return y - limit
    return y + x.shape[0]


def scalars(x, n, a):
    k = n * 2 - 1
    b = a / 3 + k
    return x * k + b, k, -b, np.float32(a) * n


def create(x):
    y = np.empty((x.shape[0], 3))
    y[:, 0] = x
    y[:, 1:] = 1
    return y.reshape(3, -1), np.full(4, 7), x.reshape(-1, 2).T


def _norm(v):
    return np.sqrt((v * v).sum())


def inlined(x, y):
    return x / _norm(x), (y / _norm(y), y)


PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {
    readme: (np.ones(5), np.zeros(5)),
    chain: (np.ones(5), np.ones(5, np.float32)),
    dims: (np.ones((3, 4)), np.ones(4), np.ones((3, 1))),
    views: (np.ones((4, 6)),),
    loop: (np.ones((4, 3)), 4),
    reduction: (np.ones((3, 4)),),
    select: (np.ones(5), 0.5),
    opaque: (np.ones(5), np.ones(3)),
    gathers: (np.ones(5), np.ones(5)),
    branch: (np.ones(4), 3.0),
    scalars: (np.ones(5, np.int16), 3, 2.5),
    create: (np.ones(6),),
    inlined: (np.ones(5), np.ones(3)),
}
