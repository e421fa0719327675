"""Indices that are arrays: compressions, gathers, writes by a mask; in loops and outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

X = np.linspace(-1.0, 2.0, 12)
A = np.arange(12.0).reshape(3, 4)
I = np.array([2, 0, -1])  # noqa: E741 (the name of an index)

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X,), (X - 1.95,), (X - 5,), (X.astype(np.float32),), (np.arange(-3, 3),))
def compressed(x: Any) -> Any:
    y = x[x > 0] * 2
    return y, y.sum(), len(y)


@runs((A, A > 3), (A, A[:, 0] > 3), (A.T, A.T < 2), (A, A > 50))
def compressed_by_a_mask(a: Any, mask: Any) -> Any:
    return a[mask] + 1, a * 2


@runs((X, I), (X, I.astype(np.int8)), (X, np.array([[0, 1], [3, 3]])), (A, I))
def gathered(x: Any, index: Any) -> Any:
    return x[index] * 2, x[index].sum()


TABLES = (A, A.T, A[::2, ::-1], A[1:, 1:].astype("f4"))


@runs(*((a, least) for a in TABLES for least in (a.max() - 1, 1, -1)))
def places_in_a_table(a: Any, least: Any) -> Any:
    """One, or more: they are columns of one array, and stay so."""
    rows, columns = np.nonzero(a > least)
    ys, xs = np.where(a == a.max())
    return rows, columns, ys[:1] + 1, xs, a[rows, columns] * 2, (a > 1).nonzero(), np.nonzero(a)


@runs(*((a, a[:, 0] > least) for a in (A, A.T, A[::2, ::-1], A[:, :2]) for least in (99, 7, -1)))
def few_rows(a: Any, mask: Any) -> Any:
    """None, one, or more: where the axes are in memory is the same for all of them."""
    rows = a[mask]
    b = a.copy()
    b[mask] *= rows[:, :1]
    return rows, rows * 2, b


T = np.arange(60.0).reshape(3, 4, 5)


@runs(
    *(
        (t, np.arange(n), 1)
        for t in (T, T.T, T.transpose(1, 0, 2), T[:, ::2, ::-1])
        for n in range(3)
    )
)
def few_of_three_axes(t: Any, index: Any, k: Any) -> Any:
    return t[index], t[:, index] + 1, t[k, index], t[index, index] * 2, t[:, :, index]


@runs((A, I, 1), (A, I[:2], 0))
def mixed(a: Any, index: Any, k: Any) -> Any:
    return a[:, index] * 2, a[index, index] + a[k, index], a[index, 1:]


@runs((X,))
def by_a_list(x: Any) -> Any:
    return x[[0, 2, -1]] * 2 + x[[1, 1, 1]]


@runs((X.copy(),), (X.copy() - 9,), (X.astype(np.float32),))
def clipped(x: Any) -> Any:
    x[x < 0] = 0.0
    x[x > 1.5] = 1.5
    return x


@runs((A.copy(), 2.5), (A.T.copy(), 1), (A.copy()[:, ::2], 0.0))
def written_by_a_mask(a: Any, value: Any) -> Any:
    window = a[1:]
    window[window > 5] = value
    return a


@runs(*((a, I, np.arange(12).reshape(3, 4) * 99) for a in (A.astype(t) for t in "bHifd")))
def written_by_other_ints(a: Any, index: Any, value: Any) -> Any:
    """Ints wrap in silence, and floats have room for them."""
    a = a.copy()
    a[index] = value
    a[a > 90] = value[0, :1]
    a[index, index] = value[:, 1] > 100
    return a


@runs((X,), (X - 1.9,))
def compressions_in_a_loop(x: Any) -> Any:
    total = 0.0
    for k in range(6):
        rest = x[x > k * 0.3]
        total += rest.sum() * len(rest)
    return total


@runs((X.copy(), 5), (X.copy(), 0))
def masks_in_a_loop(x: Any, n: Any) -> Any:
    for k in range(n):
        x[x > 1.0] = x[k] * 0.5
        x += 0.1
    return x


@runs((X.copy(), I), (X.astype(np.float32), I), (np.arange(9), np.array([[1, 2], [2, 3]])))
def written_by_an_index(x: Any, index: Any) -> Any:
    x[index] = x[index] * 2
    x[index] += 1
    x[index[::-1]] = x[: len(index)].sum()
    return x


@runs((A.copy(), A[:, 0] > 3, I), (A.T.copy(), A.T[:, 0] < 2, I))
def rows_written(a: Any, mask: Any, index: Any) -> Any:
    a[mask] += a[mask] * 0.5
    a[index] = a[index[::-1]]
    a[:, index[:2]] -= 1.0
    a[mask, 0] = 7.0
    a[[0, 1]] = a[[1, 0]]
    return a


@runs((X.copy(), I, 4), (X.copy(), I, 0), (X.copy(), I[:0], 2))
def written_in_a_loop(x: Any, index: Any, n: Any) -> Any:
    moving = x > 0.5
    for k in range(n):
        x[index] += 0.1 * x[k]
        x[moving] *= 0.5
        moving = x > 0.2
        if k == 2:
            x[index + k] = x[index]
    return x, moving


@runs((X,), (X - 5,))
def until_nothing_is_left(x: Any) -> Any:
    rounds = 0
    while len(x) > 0:
        x = x[x > rounds * 0.5] - 0.1
        rounds += 1
    return rounds, x


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


# ---- what only eager can do ----------------------------------------------------------------------


def written_by_numbers(x: Any, index: Any) -> Any:
    x[index] = 3.0
    return x * 2


def added_by_a_mask(x: Any) -> Any:
    x[x > 0] += 1
    return x * 2


def rows_by_a_mask(a: Any) -> Any:
    a[a[:, 0] > 3] = 7.0
    return a * 2


def other_numbers(x: Any) -> Any:
    y = (x * 10).astype(np.int64)
    y[y > 3] = 2.7
    return y * 2


def lines_written(x: Any, index: Any) -> Any:
    done = 0
    for k in range(3):
        x[index + k] = x[index] + 1.0
        done += k
    return x, done


def too_many(x: Any, index: Any) -> Any:
    for k in range(3):
        x[index] = x[:2] * k
    return x


def taken(x: Any, index: Any) -> Any:
    return x[index] * 2 + 1


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (written_by_numbers, [(X, I)]),
        (added_by_a_mask, [(X,)]),
        (rows_by_a_mask, [(A,)]),
        (other_numbers, [(X,)]),
        (written_by_numbers, [(X, I), (X, I + 50), (X, I * 1.0), (X, X > 0), (X, X[1:] > 0)]),
        (lines_written, [(X, I), (X, I + 50), (X[:2], I), (np.arange(12), I)]),
        (lines_written, [(np.broadcast_to(1.5, 12), I), (X[::-1], I), (X[::2], I)]),
        (too_many, [(X, I), (X, I[:2])]),
        (taken, [(X, I), (X, I + 50), (X, I * 1.0), (X, X > 0), (X, X[1:] > 0), (X, [50])]),
        (taken, [(X, np.array(2)), (X, np.array([], int)), (X, np.array(["a"]))]),
    ],
)
def test_eager_goes_on(program: Program, calls: list[tuple[Any, ...]]) -> None:
    """With its exceptions, and with what is written where an array says."""
    for args in calls:
        check(program, *args, calls=2)


def places(a: Any) -> Any:
    return np.nonzero(a), np.where(a), a.nonzero()


@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "c8"])
def test_places_of_few(dtype: str) -> None:
    """None, or one; in tables with an axis of one item, or of none."""
    for where in ((0, 0), (2, 3)):
        a = np.zeros((3, 4), dtype)
        a[where] = 1
        for table in (a, a.T, a[:1], a[2:, 3:], a[:0], a[:, :0], a[:, ::-2]):
            check(places, table, calls=2, backends=["numpy"])
    check(places, a)
    check(places, a * 0)


def of_few(x: Any, mask: Any) -> Any:
    return x[mask], np.nonzero(mask)[0], x[mask].sum()


@pytest.mark.parametrize("begin", [0, 1, 5])
@pytest.mark.parametrize("n", [31, 32, 33, 64, 71, 500])
def test_few_items_of_many(n: int, begin: int) -> None:
    """Eight that are false go by at once, wherever the memory begins and ends."""
    rng = np.random.default_rng(n)
    x = rng.random(n)
    masks = [np.zeros(n + begin, bool) for _ in range(6)]
    masks[1][[begin, -1]] = True
    masks[2][-1] = True
    masks[3][rng.integers(begin, n, 3)] = True
    masks[4][begin + n // 2 :][:8] = True
    masks[5].view("u1")[begin + 9 :: 40] = 128  # true all the same
    for mask in masks:
        check(of_few, x, mask[begin:], backends=("numba",))
        check(of_few, np.repeat(x, 2)[::2], np.repeat(mask[begin:], 3)[::3], backends=("numba",))
