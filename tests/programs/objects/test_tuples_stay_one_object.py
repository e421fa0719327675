"""Objects that two variables hold are one object behind loops and branches."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check

SIGNS = (np.arange(1.0, 7.0), -np.arange(1.0, 7.0))


def pair(x: Any, k: Any) -> Any:
    """The helper decides which tuple there is."""
    both = (x, k)
    if x[0] > 0:
        return both
    return (x, k + 1)


def test_tuple_of_a_helper_in_a_list() -> None:
    """`r[0] is r[1]`, whichever way the helper and the caller went."""

    def f(x: Any) -> Any:
        p = pair(x, 1)
        r = [p, p]
        s = 1 if x[1] > 0 else 2
        return r[0] is r[1], r, s

    for x in SIGNS:
        check(f, x, calls=3)


def test_tuples_made_on_both_sides() -> None:
    def f(x: Any) -> Any:
        if x[0] > 0:
            p = (x * 2, 1)
            q = p
        else:
            p = (x + 1, 3)
            q = p
        return p is q, p, q

    for x in SIGNS:
        check(f, x, calls=3)


def test_tuples_of_a_loop() -> None:
    """The two variables hold one tuple after each iteration, after some, or after none."""

    def always(x: Any, n: Any) -> Any:
        p = q = None
        for i in range(n):
            p = (x, i)
            q = p
        return p is q, p, q

    def sometimes(x: Any, n: Any) -> Any:
        p = q = None
        for i in range(n):
            if x[i] > 2:
                p = (x, i)
                q = p
        return p is q, p, q

    def until_then(x: Any, n: Any) -> Any:
        p = q = None
        for i in range(n):
            p = (x, i)
            if x[i] < 3:
                q = p
        return p, q

    for n in (0, 1, 5):
        check(always, SIGNS[0], n, calls=3)
        check(sometimes, SIGNS[0], n, calls=3)
    check(until_then, SIGNS[0], 4, calls=3)


def test_tuple_from_before_a_loop() -> None:
    def f(x: Any, n: Any) -> Any:
        p = pair(x, 1)
        q = None
        for _ in range(n):
            q = p
        return p is q, p, q

    for x in SIGNS:
        for n in (0, 2):
            check(f, x, n, calls=3)
