"""Functions and methods of NumPy that write into their argument, inside of segments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.array([3.0, 1.0, -2.0, 5.0, 4.0, 0.5])
INTS = np.array([4, 1, 1, -3, 0, 9])


def sorts(x: Any) -> Any:
    y = x * 2
    y.sort()
    x.sort()
    return y + x


def sorts_rows(x: Any) -> Any:
    a = x.reshape(2, 3) * 2
    a.sort(axis=0, kind="stable")
    a[1].sort()
    return a + 1


def partitions(x: Any) -> Any:
    x.partition(2)
    return x * 2, x[2]


def puts(x: Any) -> Any:
    np.put(x, [1, 0, 1], [7, 8, 9])
    x.put(np.array([-1, 2]), x[0] * 2)
    return x + 1


def masks(x: Any) -> Any:
    np.putmask(x, x > 3, x * 2)
    np.place(x, x < 0, [1, 2])
    return x + 1


def fills(x: Any) -> Any:
    a = np.outer(x, x)
    np.fill_diagonal(a, 0)
    x.fill(a[0, 1])
    np.put_along_axis(a, np.argmax(a, axis=0)[None], 0, axis=0)
    return a * 2, x


def copies(x: Any) -> Any:
    y = np.empty_like(x)
    np.copyto(y, x)
    np.copyto(x, y[::-1], where=y > 2)
    np.copyto(y, 3)
    return x + y


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(len(x) - 1):
        x[i:].sort()
        np.put(x, [i + 1], x[i] * 2)
        total += x[i] - x[i + 1]
    return total


def through_a_window(x: Any) -> Any:
    y = x[::2]
    y.sort()
    np.fill_diagonal(x.reshape(2, 3), 9)
    return x * 2


PROGRAMS = (sorts, sorts_rows, partitions, puts, masks, fills, copies, in_a_loop, through_a_window)


@pytest.mark.parametrize("x", [X, INTS, X.astype(np.float32)], ids=lambda x: x.dtype.name)
@pytest.mark.parametrize("program", PROGRAMS)
def test_whole(program: Any, x: Any) -> None:
    """No break; what is written is seen by whoever holds the array."""
    assert_counts(check(program, x), breaks=0, bails=0)


def out_of_range(x: Any, where: Any) -> Any:
    x *= 2
    np.put(x, where, [1.0, 2.0, 3.0])
    return x + 1


def wrong_axis(x: Any, axis: Any) -> Any:
    x += 1
    x.sort(axis=axis)
    return x


def of_another_kind(x: Any, value: Any) -> Any:
    x += 1
    x.fill(value)
    np.copyto(x, value)
    return x + 1


def read_only(x: Any, way: Any) -> Any:
    y = x * 2
    if way:
        x.sort()
    else:
        np.putmask(x, x > 0, 0)
    return y


def test_errors() -> None:
    """`put` has written a part by then: eager's exception, and the array as eager leaves it."""
    for where in ([1, 99, 2], [0, 1, -50]):
        check(out_of_range, X, where)
        check(out_of_range, X, np.array(where))
    for axis in (0, 1, -2):
        check(wrong_axis, X, axis)
    for value in (2, 2.5, np.nan, 1j, "text", None, 2**70, np.float32(3), np.int8(-1)):
        check(of_another_kind, X, value)
        check(of_another_kind, INTS, value)
        check(of_another_kind, INTS.astype(np.uint8), value)
    fixed = X.copy()
    fixed.flags.writeable = False
    for way in (True, False):
        check(read_only, fixed, way)
