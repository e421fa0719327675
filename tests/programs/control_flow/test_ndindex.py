"""Loops over `np.ndindex` and `np.ndenumerate`."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check
from samples import captured

X = np.array([1.5, 2.5, -3.0, 4.0])


A = np.arange(12.0).reshape(3, 4)


def every_index(a: Any) -> Any:
    made = np.zeros_like(a)
    for i, j in np.ndindex(a.shape):
        made[i, j] = a[i, j] * i + j
    for place in np.ndindex(*a.shape):
        made[place] += 1
    return made


def every_item(a: Any) -> Any:
    total = 0.0
    for (i, j), v in np.ndenumerate(a):
        total += v * i - j
    return total, sum(v for _, v in np.ndenumerate(a) if v > 2)


def of_lines(x: Any) -> Any:
    return [k[0] for k in np.ndindex(len(x))], [v for _, v in np.ndenumerate(x)]


def test_indices() -> None:
    captured(every_index, A)
    captured(every_item, A)
    check(every_index, A.T[::-1])
    check(every_item, A.T[::-1])
    check(every_index, A[:0])
    check(every_item, A[:, :0])
    captured(of_lines, X)


def kept_indices(a: Any) -> Any:
    places = np.ndindex(a.shape)
    return next(places), a + 1, list(places)


def broken_off(a: Any) -> Any:
    for place in np.ndindex(a.shape):
        if a[place] > 4:
            return place, a[place]
    return None


def all_zeros(a: Any) -> Any:
    for place, v in np.ndenumerate(a):
        print(end="")
        if v > 3:
            return place, v * 2
    return a


def test_other_uses_of_indices() -> None:
    for function in (kept_indices, broken_off, all_zeros):
        check(function, A, calls=3)


def of_numbers(x: Any, n: Any) -> Any:
    return sum(x[k] * x[j] for k, j in np.ndindex(n, n)), x + 1


def of_a_difference(x: Any, n: Any) -> Any:
    return sum(x[k[0]] for k in np.ndindex(n - 2)), x + 1


def test_lengths_that_are_negative() -> None:
    """Eager raises, also where two of them make a product that is not."""
    for n in (3, 2, 0, -1, -3):
        check(of_numbers, X, n)
        check(of_a_difference, X, n)


def test_no_axes() -> None:
    def walked(a: Any) -> Any:
        return [(*place, 1) for place in np.ndindex(())], [v for _, v in np.ndenumerate(a)], a + 1

    check(walked, np.array(3.0))
