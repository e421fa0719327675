"""Lists of lists that loops change: what is captured whole, and who else has the inner lists."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured

X = np.linspace(0.5, 3, 12)


Y = np.linspace(2, 1, 12)


A = np.arange(12.0).reshape(3, 4) + 1


def tables(x: Any, y: Any, a: Any, n: int) -> Any:
    return np.array([[p * q for p in x] for q in y]), [[k * 2 for k in range(j)] for j in range(n)]


def rows_of_displays(x: Any, y: Any, a: Any, n: int) -> Any:
    out = []
    for row in a:
        out.append([row * 2, row + 1])
    pairs = []
    for i in range(len(x)):
        pairs.append([x[i], y[i]])
    return np.array(out).sum(axis=1), out, np.array(pairs), pairs


def read_again(x: Any, y: Any, a: Any, n: int) -> Any:
    out = [[v * c for c in row] for row in a for v in row[:2]]
    total = 0.0
    for row in out:
        for v in row:
            total = total * 0.5 + v
    return total, out[1][2], [len(one) for one in out], len(out)


def changed_in_place(x: Any, y: Any, a: Any, n: int) -> Any:
    out = [[x[0] * 0 for _ in row] for row in a]
    for i in range(len(a)):
        for j in range(a.shape[1]):
            out[i][j] += a[i, j] * 2
        out[i].append(x[i])
    return out


def of_lists_of_arrays(x: Any, y: Any, a: Any, n: int) -> Any:
    return np.array([[x[:3] * k + v for v in y] for k in range(n)]).sum(axis=(0, 1))


@pytest.mark.parametrize(
    "function", [tables, rows_of_displays, read_again, changed_in_place, of_lists_of_arrays]
)
def test_lists_in_lists(function: Any) -> None:
    # On 3.11 a comprehension in another one is a function, which shares a variable of the loop.
    shares = sys.version_info < (3, 12) and function in (tables, read_again, of_lists_of_arrays)
    (check if shares else captured)(function, X, Y, A, 4)
    check(function, X[::2], X[1::2], A[:, ::-1], 2, calls=3)
    check(function, X, Y, A[:0], 0, calls=3)


def held_twice(x: Any, n: int) -> Any:
    out, others = [], []
    for k in range(n):
        row = [x[k], x[k + 1]]
        out.append(row)
        out.append(row)
        others.append(row)
        out[-1].append(x[0])
    return out, len(others), others[0] is out[0] if n else None


def behind_a_checkpoint(x: Any, n: int) -> Any:
    out = [[v * k for v in x[:3]] for k in range(n)]
    x[0] = 5
    t = 1 / (x[1] - x[1])
    for k in range(n):
        out[k][1] = x[k]
        out[-1].append(x[0])
    x[2] = t
    return out, 1 / (x[3] - x[3])


def handed_over_alone(x: Any, n: int) -> Any:
    out = []
    row = [x[0]]
    for k in range(n):
        row = [x[k], x[0]]
        out.append(row)
    print(len(out))
    row.append(x[2])
    return out, row


def with_itself(x: Any, n: int) -> Any:
    out: list[Any] = []
    for _ in range(n):
        out.append(out)
    return len(out)


def of_other_lengths(x: Any, n: int) -> Any:
    return np.array([[v for v in x[:k]] for k in range(n)])  # noqa: C416


def of_other_kinds(x: Any, n: int) -> Any:
    out = [[0.0] * 2 for _ in range(n)]
    for k in range(n):
        out[k][1] += x[k]
    return out


def in_an_exception(x: Any, n: int) -> Any:
    out = []
    try:
        for k in range(n):
            out.append([x[k] * 2, x[k + 10]])
    except IndexError:
        out[-1].append(x[0])
    return out


@pytest.mark.parametrize(
    "function",
    [
        *(held_twice, behind_a_checkpoint, handed_over_alone, with_itself),
        *(of_other_lengths, of_other_kinds, in_an_exception),
    ],
)
def test_who_has_the_lists(function: Any) -> None:
    check(function, X, 3, calls=3)
    check(function, X.copy(), 1, calls=2)
    check(function, X.copy(), 0, calls=2)
