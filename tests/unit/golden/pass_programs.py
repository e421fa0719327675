"""A program for each pass over graphs, and the arguments that it is captured for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def folded(x):
    scale = 2 * np.pi / 360
    return x * scale**2


def functionalized(x):
    h = x >> 3
    h ^= x
    h *= 5
    return h


def dead_numbers(x):
    total = 0.0
    for i in range(len(x)):
        twice = i * 2
        total += x[i]
    return total


def hoisted(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1] - 1):
            total += x[i, j]
    return total


def sunk(x, k):
    best = 0.0
    for i in range(len(x)):
        place = i * k
        if x[i] > best:
            best = x[i] * place
        best -= 0.5
    return best


def simplified(x, n):
    return np.negative(-x) * 1.0 - 0.0, (n << 0 | 0) + 1, np.where(x > 0, x, x) + 0.0


def common(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def kept_axes(x):
    return (x - x.mean()) / x.std()


def overwritten(a, b):
    a += b
    a *= 0.5
    return a


def dead_arrays(x, y):
    mask = x > 0
    bad = ~mask
    square = x * x
    return x + y


PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {
    folded: (np.ones(5),),
    functionalized: (np.ones(5, np.int64),),
    dead_numbers: (np.ones(5),),
    hoisted: (np.ones((3, 4)),),
    sunk: (np.ones(5), 3),
    simplified: (np.ones(5), np.ones(5, np.int64)),
    common: (np.arange(12.0).reshape(3, 4),),
    kept_axes: (np.arange(12.0),),
    overwritten: (np.ones(5), np.ones(5)),
    dead_arrays: (np.ones(5), np.ones(5)),
}
