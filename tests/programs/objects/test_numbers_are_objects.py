"""Numbers stay the objects that they are, whatever ways and iterations hand them over.

A float that a function returns as it was given is the caller's: `f(x, s)[1] is s`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def in_place_of_a_sum(a: Any, s: Any, n: int) -> Any:
    x = a.sum()
    y = x
    if a[0] > n:
        y = s
    return x, y, s


def carried_by_iterations(a: Any, s: Any, n: int) -> Any:
    x = a.sum()
    y = z = s
    for i in range(n):
        if a[0] > i:
            y = x
        z = y
    return x, y, z, s


def chosen_before(a: Any, s: Any, n: int) -> Any:
    x = a.sum()
    if n > 2:
        x = a.mean()
    y = x
    if a[0] > n:
        y = s
    return x, y


def changing_places(a: Any, s: Any, n: int) -> Any:
    u, v = s, a.sum()
    for _ in range(n):
        u, v = v, u
    return u, v, s


def changing_places_for_a_while(a: Any, s: Any, n: int) -> Any:
    u, v = s, a.sum()
    while n > 0:
        u, v = v, u
        n = n - 1
        if a[0] > 100:
            u = u + 1
    return u, v, s


def in_no_iteration(a: Any, s: Any, n: int) -> Any:
    for i in range(n):
        s = a[i]
    return s


def added_up(a: Any, s: Any, n: int) -> Any:
    t = s
    for i in range(n):
        t = t + a[i]
    return t


def the_least(a: Any, s: Any, n: int) -> Any:
    return min(s, a[0]), max(s, 2.0), s if n > 1 else a[0]


def the_least_of_two_kinds(a: Any, s: Any, n: int) -> Any:
    first, t = a[0], s if n > 1 else a[1]
    least = min(a[2], s)
    for i in range(n):
        t = max(t, a[i] - 3)
    return first, s, least, min(t, s), a * 2


def the_same_again(a: Any, s: Any, n: int) -> Any:
    x = a.sum()
    return x, max(x, x), np.float64(x), +x, s, +s, max(s, n), np.int64(n), min(x, a[0]), a * 2


def added_on_one_way(a: Any, s: Any, n: int) -> Any:
    t = s if n > 1 else a.sum()
    x = a + 1
    if len(a) > 2:
        t = t + s
    return x, s, t


PROGRAMS = [
    in_place_of_a_sum,
    carried_by_iterations,
    chosen_before,
    changing_places,
    changing_places_for_a_while,
    in_no_iteration,
    added_up,
    the_least,
    the_least_of_two_kinds,
    the_same_again,
    added_on_one_way,
]


@pytest.mark.parametrize("number", [1.5, np.float64(1.5), 7, np.int64(7), np.float32(2)])
@pytest.mark.parametrize("function", PROGRAMS)
def test_numbers_stay_objects(function: Any, number: Any) -> None:
    a = np.full(3, 5.0)
    for n in (0, 1, 2, 3):
        check(function, a, number, n)
