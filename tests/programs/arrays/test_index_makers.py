"""Slices and ranges as objects, and what NumPy makes of indices: `np.mgrid`, `np.r_`, `np.s_`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

A = np.arange(12.0).reshape(3, 4)
X = np.array([1.5, 2.5, -3.0])
Y = np.array([1, 0, 2])
REST = slice(1, None)


def read_by_a_range(a: Any, y: Any) -> Any:
    return a[range(len(y)), y] + 1


def write_by_a_range(a: Any, y: Any) -> Any:
    a[range(a.shape[0]), y] -= 1
    return a * 2


def slices_are_handed_over(a: Any, rest: Any) -> Any:
    return a[rest, rest] * 2, rest


def a_slice_of_the_module(a: Any) -> Any:
    return a[REST] + a[slice(0, a.shape[0] - 1)]


def a_range_is_handed_over(numbers: Any) -> Any:
    total = 0
    for k in numbers:
        total += k * k
    return total, numbers


def a_range_as_an_argument(n: Any) -> Any:
    return np.array(range(n)) + np.take(A, range(1, n), axis=1).sum()


def grids(n: Any) -> Any:
    y, x = np.mgrid[-1:1:5j, 0:n]
    return y**2 + x


def open_grids(n: Any) -> Any:
    y, x = np.ogrid[:n, :n]
    return y * x + 1


def joined(x: Any) -> Any:
    return np.r_[x, 1, 2] * 2, np.c_[x, x * 2] + 1


def kept_indices(x: Any) -> Any:
    return x[np.s_[1:]] + x[np.index_exp[:-1]]


WHOLE: list[tuple[Any, ...]] = [
    (read_by_a_range, A, Y),
    (write_by_a_range, A, Y),
    (slices_are_handed_over, A, REST),
    (a_slice_of_the_module, A),
    (a_range_is_handed_over, range(3)),
    (a_range_is_handed_over, range(7, 1, -2)),
    (a_range_as_an_argument, 4),
    (grids, 3),
    (open_grids, 4),
    (joined, X),
    (kept_indices, X),
]


@pytest.mark.parametrize("call", WHOLE, ids=lambda call: call[0].__name__)
def test_whole(call: Any) -> None:
    assert_counts(check(*call, calls=3), segments=1, breaks=0, bails=0)


def test_other_slices_and_ranges() -> None:
    """The bounds of a slice are data, and `None` is not a number."""

    def function(a: Any, rest: Any, rows: Any) -> Any:
        return a[rest] + 1, a[rows, 1] * 2

    for rest in (slice(1, 3), slice(2, 9), slice(None, 2), slice(None, None, -1), slice(5, 2)):
        check(function, A, rest, range(2))
    for rows in (range(3), range(2, -1, -1), range(0), range(-2, 0)):
        check(function, A, REST, rows)


def test_texts_name_variables_or_ask_for_matrices() -> None:
    def matrix(x: Any) -> Any:
        return np.r_["r", x, x]

    def directive(x: Any) -> Any:
        return np.r_["0,2", x, x + 1]

    check(matrix, X)
    check(directive, X)


def refused(a: Any) -> Any:
    return a[range(1, 4), 0] + 1


def test_out_of_range() -> None:
    check(refused, A, calls=3)


def what_is_asked_of_them(x: Any, n: Any, rest: Any) -> Any:
    numbers = range(1, 10, 3)
    up_to = range(n)
    a = x * len(numbers) + numbers[1] + len(up_to)
    return a, numbers[-1], up_to.stop, rest.start, numbers.step, x[rest.start]


def test_what_is_asked_of_slices_and_ranges() -> None:
    jitted = check(what_is_asked_of_them, X, 4, REST, calls=3)
    assert_counts(jitted, segments=1, breaks=0, bails=0)
    check(what_is_asked_of_them, X, -4, slice(2), calls=3)
