"""Loops over the rows and elements of arrays, `enumerate`, `zip`, `reversed`: one region each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

X = np.arange(6.0) * 1.5
N = np.array([3, 1, 4, 1, 5])
A = np.arange(12.0).reshape(3, 4)

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X,), (X[::-2],), (X[:1],), (X[:0],), (N,))
def elements(x: Any) -> Any:
    total = 0.0
    for value in x:
        total += value
    return total


@runs((A,), (A.T,), (A[:, :0],))
def rows_and_their_elements(a: Any) -> Any:
    total = 0.0
    for row in a:
        for value in row:
            total = total * 0.5 + value
    return total


@runs((A.copy(),), (A[:, ::2],))
def rows_are_windows(a: Any) -> Any:
    for row in a:
        row[0] = row.sum()
        row[1:] *= 2
    return a


@runs((X,), (X[:0],))
def positions_and_elements(x: Any) -> Any:
    out = np.zeros_like(x)
    for k, value in enumerate(x, 3):
        out[k - 3] = value * k
    return out


@runs((X, X + 1), (X, X[:3]), (X[:2], X), (X, N))
def two_at_once(x: Any, y: Any) -> Any:
    total = 0.0
    for a, b in zip(x, y, strict=False):
        total += a * b
    return total


@runs((X,), (X[:2],), (X[:1],))
def nested_in_each_other(x: Any) -> Any:
    total = 0.0
    last = -1
    for k, (a, b) in enumerate(zip(x[1:], x, strict=False)):
        total += (a - b) * k
        last = k * 2
    return total, last


@runs((X, 4), (X, 40), (X, 0))
def beside_a_range(x: Any, n: Any) -> Any:
    total = 0.0
    for value, k in zip(x, range(n), strict=False):
        total += value * k
    return total


@runs((X, 4, 3), (X, 40, 2), (X, -9, -2), (X, 0, -1))
def beside_a_range_of_steps(x: Any, n: Any, step: Any) -> Any:
    total = 0.0
    for value, k, last in zip(x, range(1, n, 3), range(n, -30, -4), strict=False):
        total += value * k + last
    return total, step


@runs((X,), (X[:0],))
def backward(x: Any) -> Any:
    total = 0.0
    for value in reversed(x):
        total = total * 0.5 + value
    return total


@runs((7,), (1,), (0,))
def a_range_backward(n: Any) -> Any:
    total = 0
    for k in reversed(range(n)):
        total = total * 2 + k
    return total


@runs((X, 3.0), (X, 100.0), (X[:0], 1.0))
def left_early(x: Any, limit: Any) -> Any:
    count = 0
    for k, value in enumerate(x):
        count += k
        if value > limit:
            break
    else:
        return -1
    return count, k, value


@runs((A, 5.0), (A, -1.0), (A, 50.0))
def returns_out_of_two(a: Any, limit: Any) -> Any:
    for row in a:
        for value in row:
            if value > limit:
                return value
    return None


@runs((X.copy(),))
def elements_change_on_the_way(x: Any) -> Any:
    for k, value in enumerate(x):
        if k + 1 < len(x):
            x[k + 1] += value
    return x


@runs((N, X), (N[:2], X))
def integers_of_an_array_as_bounds(n: Any, x: Any) -> Any:
    total = 0.0
    for count in n:
        for k in range(count):
            total += x[k]
    return total


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


# ---- what only eager can do ----------------------------------------------------------------------


def prints_on_the_way(x: Any) -> Any:
    for k, value in enumerate(x):
        print(k, value)
    return k


def prints_once(x: Any, y: Any) -> Any:
    total = 0.0
    for k, (a, b) in enumerate(zip(x, y, strict=False), 5):
        total += a * b
        if k == 7:
            print(total)
    return total


def prints_once_backward(x: Any) -> Any:
    total = 0.0
    for value in reversed(x):
        total += value
        if value == 3.0:
            print(total)
    return total


def prints_at_a_row(a: Any) -> Any:
    for k, row in zip(range(10, 20), a, strict=False):
        row += k
        if k == 11:
            print(row)
    return a


def goes_on_with_the_iterator(x: Any) -> Any:
    pairs = enumerate(x)
    total = 0.0
    for k, value in pairs:
        total += value
        if k == 2:
            break
    return total, list(pairs)


def of_unequal_lengths(x: Any, y: Any) -> Any:
    return [a + b for a, b in zip(x, y, strict=True)]


def no_axis(x: Any) -> Any:
    total = 0.0
    for value in x:
        total += value
    return total


def beside_a_list(x: Any, weights: Any) -> Any:
    total = 0.0
    for value, weight in zip(x, weights, strict=False):
        total += value * weight
    return total


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (prints_on_the_way, (X,)),
        (prints_once, (X, X + 1)),
        (prints_once_backward, (X,)),
        (prints_at_a_row, (A.copy(),)),
        (goes_on_with_the_iterator, (X,)),
        (of_unequal_lengths, (X, X[:2])),
        (of_unequal_lengths, (X, X)),
        (no_axis, (np.array(3.0),)),
        (beside_a_list, (X, [1.0, 2.0])),
    ],
)
def test_eager_goes_on(program: Program, args: tuple[Any, ...]) -> None:
    """The iterator stands where it would stand."""
    check(program, *args, calls=2)
