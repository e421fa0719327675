"""Lists of arrays that loops change: what is captured whole, and who else has the arrays."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured

X = np.linspace(0.5, 3, 12)


Y = np.linspace(2, 1, 12)


A = np.arange(12.0).reshape(3, 4) + 1


def appended(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x * k)
    return rows, np.array(rows)


def comprehensions(x: Any, y: Any, a: Any, n: int) -> Any:
    doubled = [row * 2 for row in a]
    some = [row * c for row in a if row[0] > 2 for c in row]
    pairs = [p + q for p, q in zip(a, a[::-1], strict=True)]
    return doubled, np.stack(some), np.vstack(pairs), sum(doubled)


def of_the_last_one(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = [x]
    for k in range(n):
        rows.append(rows[-1] * 2 + k)
    return np.stack(rows), np.mean(rows, axis=0), np.concatenate(rows)


def of_many_lengths(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x[: k + 1])
    return np.concatenate(rows), np.hstack([y[k:] for k in range(n)])


def lists_in_loops(x: Any, y: Any, a: Any, n: int) -> Any:
    out = []
    for k in range(n):
        inner = []
        for row in a:
            inner.append(row * k)
        out.append(np.array(inner).sum(axis=0))
    return np.array(out)


def replaced(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = [x * 1, x * 2, x * 3]
    total = 0.0
    for k in range(n):
        before = rows[k % 3]
        rows[k % 3] = y * k
        after = rows[k % 3]
        total += before.sum() - after.sum() * 2
    return total, rows


def lengths(x: Any, y: Any, a: Any, n: int) -> Any:
    rows: list[Any] = []
    seen = 0
    for k in range(n):
        seen = seen * 10 + len(rows)
        rows.append(x + k)
        seen = seen * 10 + len(rows)
        if seen % 3 == 0:
            rows.append(y)
    return seen, len(rows), rows


def taken_out(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = [row * 2 for row in a]
    total = 0.0
    while rows:
        total = total * 2 + rows.pop().sum()
    return total, rows


def gone_through(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = [row * 2 for row in a]
    total = np.zeros(4)
    for k, row in enumerate(rows):
        total += row * k
    for row, other in zip(rows, a, strict=False):
        total -= row / other
    return total


def on_some_ways(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = []
    for row in a:
        if row[1] > 5:
            rows.append(row * 2)
        else:
            rows.append(row)
            rows.append(row - 1)
    return np.array(rows), len(rows)


def first_of_them(x: Any, y: Any, a: Any, n: int) -> Any:
    rows = [x]
    found = np.zeros_like(x)
    for k in range(n):
        found = found + rows[0]
        rows[0] = found * k
        found = found - rows[0]
    return found, rows


PROGRAMS = [appended, comprehensions, of_the_last_one, of_many_lengths, lists_in_loops, replaced]


PROGRAMS += [lengths, taken_out, gone_through, on_some_ways, first_of_them]


@pytest.mark.parametrize("function", PROGRAMS)
def test_captured_whole(function: Any) -> None:
    captured(function, X, Y, A, 4)
    check(function, X[::2], X[1::2], A[:, ::-1], 2, calls=3)
    check(function, X.astype("f4"), Y, A.astype("i4"), 3)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("count", [0, 1])
def test_few_iterations(function: Any, count: int) -> None:
    check(function, X, Y, A[:count], count, calls=3)


# ---- who else has the arrays ---------------------------------------------------------------------


def changed_afterwards(x: Any, n: int) -> Any:
    a = x * 2
    rows = []
    for k in range(n):
        rows.append(a)
        a[k] = k
    a += 1
    return rows, a


def made_anew(x: Any, n: int) -> Any:
    a = x * 2
    rows = []
    for k in range(n):
        rows.append(a)
        a = a + k
    return rows, a


def windows(x: Any, n: int) -> Any:
    a = x.reshape(3, 4) * 1
    rows = []
    for row in a:
        rows.append(row)
    a[0, 0] = -1
    return rows, a, x


def of_the_caller(x: Any, n: int) -> Any:
    rows = []
    for _ in range(n):
        rows.append(x)
    x += 1
    return rows, x


def written_through_the_list(x: Any, n: int) -> Any:
    rows = [x * 1]
    for k in range(n):
        rows.append(rows[-1] + k)
        rows[-1][0] = k
    rows[0] += 5
    rows[1][2:] = x[2:]
    return rows, x


def two_lists(x: Any, n: int) -> Any:
    one, other = [], []
    for k in range(n):
        made = x * k
        one.append(made)
        other.append(made)
        other.append(one[-1])
    return one, other


def the_same_list_twice(x: Any, n: int) -> Any:
    rows: list[Any] = []
    for k in range(n):
        rows.append(x * k)
    return rows, {"rows": rows}, (rows, rows[0] if rows else None)


@pytest.mark.parametrize(
    "function",
    [
        *(changed_afterwards, made_anew, windows, of_the_caller),
        *(written_through_the_list, two_lists, the_same_list_twice),
    ],
)
def test_who_has_what(function: Any) -> None:
    check(function, X, 3, calls=3)
    check(function, X.copy(), 0, calls=2)


def only_read_through_the_list(x: Any, n: int) -> Any:
    rows = []
    for _ in range(n):
        rows.append(np.diagonal(x.reshape(3, 4) * 2))
        rows[-1][0] = 5
    return rows


def test_an_array_that_is_read_only() -> None:
    check(only_read_through_the_list, X, 3, calls=3)


# ---- where eager goes on -------------------------------------------------------------------------


def with_other_things(x: Any, n: int) -> Any:
    rows: list[Any] = []
    for k in range(n):
        rows.append(x * k)
        rows.append(k)
    return rows


def of_many_kinds(x: Any, n: int) -> Any:
    rows = [x, x.astype(int)]
    for k in range(n):
        rows.append(x.reshape(3, 4) * k)
    return rows


def seen_by_others(x: Any, n: int) -> Any:
    rows: list[Any] = []
    for k in range(n):
        rows.append(x * k)
        if k == 2:
            print(len(rows), rows[-1].sum())
        rows.append(x + k)
    rows.reverse()
    return rows[1:], rows + rows, [*rows]


def divides(x: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x / k)
        rows.append(x + k)
    return rows


def divides_then_writes(x: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x + k)
    x[0] = 3
    rows.append(1 / (x - x[1]))
    x[1] = 4
    rows.append(1 / (x - x[0]))
    return rows, x


def beyond_its_end(x: Any, n: int) -> Any:
    rows = [x * 2]
    for k in range(n):
        rows.append(rows[k + 1] + 1)
    return rows


def from_an_empty_one(x: Any, n: int) -> Any:
    rows = [x * 2, x * 3]
    for _ in range(n):
        x = x + rows.pop()
    return rows, x


def unlike_lengths(x: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x[k:])
    return np.array(rows)


def warned(x: Any, n: int) -> Any:
    rows = []
    for k in range(n):
        rows.append(x * k)
        if k == 1:
            warnings.warn("in the middle", stacklevel=1)
    return np.mean([row[:0] for row in rows], axis=1), rows


@pytest.mark.parametrize(
    "function",
    [
        *(with_other_things, of_many_kinds, seen_by_others, divides, divides_then_writes),
        *(beyond_its_end, from_an_empty_one, unlike_lengths, warned),
    ],
)
def test_eager_goes_on(function: Any) -> None:
    check(function, X, 4, calls=3)
    check(function, X.copy(), 1, calls=2)
    check(function, X.copy(), 0, calls=2)
