"""Many values each of which may be of several kinds: the ways to tell them apart are limited."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import assert_normally, check

X = np.arange(10.0)
KINDS = 10
"""Twice as many ways with each."""


def listed(x: Any, n: float) -> Any:
    y = x * 2
    return [
        *(x if y[0] > n else 0, x if y[1] > n else 1, x if y[2] > n else 2, x if y[3] > n else 3),
        *(x if y[4] > n else 4, x if y[5] > n else 5, x if y[6] > n else 6, x if y[7] > n else 7),
        *(x if y[8] > n else 8, x if y[9] > n else 9),
    ]


def handed_over(x: Any, n: float) -> Any:
    y = x * 2
    a = x if y[0] > n else 0
    b = x if y[1] > n else 1
    c = x if y[2] > n else 2
    d = x if y[3] > n else 3
    e = x if y[4] > n else 4
    f = x if y[5] > n else 5
    g = x if y[6] > n else 6
    h = x if y[7] > n else 7
    i = x if y[8] > n else 8
    j = x if y[9] > n else 9
    print(n)
    return a, b, c, d, e, f, g, h, i, j


def few(x: Any, n: float) -> Any:
    y = x * 2
    a = x if y[0] > n else 0
    b = x if y[1] > n else 1
    print(n)
    return a, b, y + 1


def test_many_are_not_told_apart() -> None:
    """A capture of 2**10 ways would take seconds, and one of 2**20 would not end."""
    for program in (listed, handed_over):
        (jitted,) = check(program, X, 5.0, backends=["numpy"])
        assert_normally(jitted.stats()["eager_operations"] < 2**KINDS)


def test_few_are() -> None:
    """Each way has an exit of its own."""
    check(few, X, 5.0, backends=["numpy"])
    check(few, X, -1.0, backends=["numpy"])
