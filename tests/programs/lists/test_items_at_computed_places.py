"""Items of lists and tuples of numbers at places that only running the program tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from whole import check_whole

from framejit.frontends.capture.objects import copies
from framejit.frontends.capture.values.symbolic import Known


def common(a: Any, b: Any) -> Any:
    """The longest common subsequence, as it stands in textbooks."""
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table, table[len(a), len(b)]


def horner(x: Any, coefficients: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(len(coefficients)):
        y = y * x + coefficients[i]
    return y


def backward(x: Any, weights: Any) -> Any:
    total = 0.0
    for i in range(x.size):
        total += x[i] * weights[-1 - i]
    return total


def table_of_constants(x: Any) -> Any:
    weights = (0.25, 0.5, 0.25)
    for i in range(x.size):
        x[i] = x[i] * weights[i % 3]
    return x


def own_tuple(x: Any, low: Any, high: Any) -> Any:
    bounds = (low, high)
    for i in range(x.size):
        x[i] = x[i] + bounds[i % 2]
    return x


def made_in_each_iteration(x: Any) -> Any:
    for i in range(x.size):
        pair = (x[i] * 2, x[i] + 1)
        x[i] = pair[int(x[i]) % 2]
    return x


def two_tuples(x: Any) -> Any:
    place = int(x[0]) % 2
    one, other = (x[1] * 2, x[2] + 1), (x[3] - 5, x[4] / 2)
    return one[place] + 1, other[place] * 2, (0.0, -0.0)[place] * x[1], (0, 0.5)[place] * 2


def on_one_side(x: Any, weights: Any) -> Any:
    total = 0.0
    for i in range(x.size):
        if x[i] > 0:
            total += weights[int(x[i]) % 40]
        else:
            total -= weights[i % 40] * 2
    return total, weights[3]


def until(x: Any, weights: Any) -> Any:
    i = 0
    while x.sum() < 50 and i < 35:
        x = x + weights[i]
        i += 1
    return x, i


def of_lists(x: Any, rows: Any) -> Any:
    total = 0.0
    for i in range(x.size):
        total += rows[i % 2][i % 3] * x[i]
    return total


MANY = [0.5, -1.0, 2.0, 0.125] * 10
X = np.linspace(-3.0, 20.0, 38)


@pytest.mark.parametrize("kind", [list, tuple])
def test_numbers(kind: Any) -> None:
    ints = ([1, 2, 3, 1, 2] * 5, [3, 1, 2] * 6)
    check_whole(common, tuple(map(kind, ints)))
    for numbers in (MANY, list(map(np.float32, MANY)), [*map(int, MANY)], [1j * x for x in MANY]):
        check_whole(horner, (X, kind(numbers)))
        check_whole(backward, (X, kind(numbers)))


def test_constants_and_what_is_made_here() -> None:
    check_whole(table_of_constants, (X,))
    check_whole(own_tuple, (X, 0.5, -0.5))
    check_whole(made_in_each_iteration, (X,))
    check(two_tuples, X)
    check(two_tuples, X + 1)


def test_on_some_ways_only() -> None:
    check_whole(on_one_side, (X, MANY))
    check_whole(until, (X * 0, [abs(one) for one in MANY]))


def test_other_items() -> None:
    """Items of several types, lists, texts and too many items: eager's results, with a break."""
    check(backward, X, [*MANY[:20], 1, *MANY[:20]])
    check(backward, X, [*MANY, None])
    check(of_lists, X, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    check(common, "GATTACA", "TACGAT")
    check(backward, X, list(np.arange(400.0)))


class Told(type):
    """A metaclass that counts calls of `repr` on its classes."""

    shown = 0

    def __repr__(cls) -> str:
        Told.shown += 1
        return "told"


class Shown(metaclass=Told):
    """One of them."""


def test_nobody_is_asked_what_it_looks_like() -> None:
    """Copies of lists are found by their numbers; `repr` of other items is not called."""
    assert copies._known_as(Known(Shown)) is None
    assert copies._known_as(Known(-0.0)) != copies._known_as(Known(0.0))
    assert Told.shown == 0


def test_beyond_the_end() -> None:
    """IndexError, and what was written before it stays."""

    def scale(x: Any, weights: Any) -> Any:
        for i in range(x.size):
            x[i] *= weights[i]
        return x

    check(scale, X.copy(), MANY[:36])
    check(scale, X.copy(), MANY[:37] + MANY[:1])
    check(scale, X.copy(), [])


def test_the_list_changes() -> None:
    """An item is replaced between two loops, and between two calls."""

    def twice(x: Any, weights: Any) -> Any:
        one = other = 0.0
        for i in range(x.size):
            one += weights[i] * x[i]
        weights[3] = 7.5
        for i in range(x.size):
            other += weights[i] * x[i]
        return one, other, weights

    check(twice, X, MANY.copy())
    for f in check(backward, X, MANY):
        for numbers in (MANY[::-1], MANY[:39], MANY):
            assert f(X, numbers) == backward(X, numbers)


def test_the_objects_are_those_of_the_list() -> None:
    """A number that is handed over as it is, and one in a list that grows."""

    def largest(x: Any, weights: Any) -> Any:
        found = weights[0]
        for i in range(x.size):
            if weights[i] > found:
                found = weights[i]
        return found

    def kept(x: Any, weights: Any) -> Any:
        found = []
        for i in range(x.size):
            found.append(weights[i])
        return found

    for numbers in (MANY, [one + 1e300 for one in MANY], [*range(1000, 1040)]):
        jitted = check(largest, X, numbers)
        assert largest(X, numbers) is largest(X, numbers)
        for f in jitted:
            assert f(X, numbers) is largest(X, numbers) or type(numbers[0]) is int
        for f in check(kept, X, numbers):
            assert all(map(lambda a, b: a is b or type(a) is int, f(X, numbers), numbers))
    assert_counts(check(backward, X, MANY), segments=1)


MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
ROWS = [(1, 2.5, 0.5), (0, 1.5, 2.5), (2, 0.25, 1.0)]


def _a_walk(x: Any, n: Any, rows: Any) -> Any:
    r = c = 0
    total = 0.0
    for i in range(n):
        down, right = MOVES[(i * 7) % 4]
        r, c = min(max(r + down, 0), 5), min(max(c + right, 0), 5)
        total += x[r] * x[c]
    return total, r, c


def _rows_of_an_argument(x: Any, n: Any, rows: Any) -> Any:
    total = 0.0
    for i in range(n):
        k, scale, shift = rows[i % 3]
        total += x[k] * scale - shift
        total += rows[(i + 1) % 3][1]
    return total


def _a_row_is_given_back(x: Any, n: Any, rows: Any) -> Any:
    y = x * 0
    for i in range(n):
        y = y + rows[int(x[i % 6]) % 3][2]
    return y, rows[int(x[2]) % 3]


def _rows_of_other_lengths(x: Any, n: Any, rows: Any) -> Any:
    total, table = x * 0, ((1,), (2, 3), (4,))
    for i in range(n):
        total = total + table[i % 3][0]
    return total


def _no_such_row(x: Any, n: Any, rows: Any) -> Any:
    total = 0.0
    for i in range(n):
        total += rows[i][1] * x[0]
    return total


def _rows_in_rows(x: Any, n: Any, rows: Any) -> Any:
    total, table = 0.0, (((1, 2), 0.5), ((3, 4), 1.5))
    for i in range(n):
        (a, b), c = table[-(i % 2)]
        total += x[a] * b + c
    return total


@pytest.mark.parametrize("n", [0, 2, 50])
@pytest.mark.parametrize("rows", [ROWS, tuple(ROWS)])
@pytest.mark.parametrize(
    "program",
    [
        _a_walk,
        _rows_of_an_argument,
        _a_row_is_given_back,
        _rows_of_other_lengths,
        _no_such_row,
        _rows_in_rows,
    ],
)
def test_rows_of_tables(program: Any, n: int, rows: Any) -> None:
    """Tuples of numbers, each with its own types; the very tuple where it is handed on."""
    jitted = check(program, np.arange(6.0), n, rows)
    if program in (_a_walk, _rows_of_an_argument, _rows_in_rows) and n == 50:
        assert_counts(jitted, breaks=0, bails=0, segments=1)
