"""Loops over elements, rows and windows of arrays of every layout class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

LINES: dict[str, Callable[[], Any]] = {
    "contiguous": lambda: np.arange(1.0, 9.0),
    "backward": lambda: np.arange(1.0, 9.0)[::-1],
    "each second": lambda: np.arange(1.0, 17.0)[::2],
    "each second backward": lambda: np.arange(1.0, 17.0)[::-2],
    "offset": lambda: np.arange(12.0)[3:11],
    "offset backward": lambda: np.arange(12.0)[3:11][::-1],
    "one item": lambda: np.arange(9.0)[:1],
    "one item backward": lambda: np.arange(9.0)[:1][::-1],
    "empty backward": lambda: np.arange(9.0)[:0][::-1],
    "broadcast": lambda: np.broadcast_to(np.float64(3.0), (8,)),
}
GRIDS: dict[str, Callable[[], Any]] = {
    "contiguous": lambda: np.arange(20.0).reshape(4, 5),
    "Fortran": lambda: np.asfortranarray(np.arange(20.0).reshape(4, 5)),
    "rows backward": lambda: np.arange(20.0).reshape(4, 5)[::-1],
    "columns backward": lambda: np.arange(20.0).reshape(4, 5)[:, ::-1],
    "both backward": lambda: np.arange(20.0).reshape(4, 5)[::-1, ::-1],
    "transposed backward": lambda: np.arange(20.0).reshape(5, 4).T[:, ::-1],
    "gaps": lambda: np.arange(80.0).reshape(8, 10)[::2, 1::2],
    "gaps backward": lambda: np.arange(80.0).reshape(8, 10)[::-2, ::-2],
    "one row": lambda: np.arange(20.0).reshape(4, 5)[:1, ::-1],
    "one column": lambda: np.arange(20.0).reshape(4, 5)[::-1, 2:3],
    "rows broadcast": lambda: np.broadcast_to(np.arange(5.0)[::-1], (4, 5)),
    "columns broadcast": lambda: np.broadcast_to(np.arange(4.0)[::-1, None], (4, 5)),
}


def elements(a: Any) -> Any:
    total = 0.0
    for i in range(len(a)):
        total = total * 0.5 + a[i] - a[-i - 1]
    return total


def walked(a: Any) -> Any:
    total = 0.0
    for value in a:
        total = total * 0.5 + value
    for value in reversed(a):
        total = total * 0.5 + value
    return total


def while_and_windows(a: Any) -> Any:
    total, i = 0.0, 0
    while i < len(a):
        total = total * 0.5 + a[i : i + 2].sum() + a[i:].max()
        i += 1
    return total


def whole_arrays(a: Any) -> Any:
    total = a * 0.0
    for i in range(3):
        total = total * 0.5 + a * i + a[::-1]
    return total, (a * a).sum() + a.sum()


def cells(a: Any) -> Any:
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total = total * 0.5 + a[i, j] - a[-i - 1, -j - 1]
    return total


def rows_and_columns(a: Any) -> Any:
    total = 0.0
    for row in a:
        total = total * 0.5 + row[0] + row.sum() + row[1:].sum()
    for j in range(a.shape[1]):
        total = total * 0.5 + a[:, j].sum() + a[0, j]
    return total, a.sum(axis=0), a.max()


def written(a: Any) -> Any:
    a = a.copy() if not a.flags.writeable else a
    for i in range(len(a)):
        a[i] = a[i] * 2.0 + i
    for i in range(1, len(a)):
        a[i] += a[i - 1]
    return a


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("program", [elements, walked, while_and_windows, whole_arrays, written])
def test_lines(program: Any, kind: str) -> None:
    check(program, LINES[kind]())


@pytest.mark.parametrize("kind", GRIDS)
@pytest.mark.parametrize("program", [cells, rows_and_columns, whole_arrays, written])
def test_grids(program: Any, kind: str) -> None:
    check(program, GRIDS[kind]())


def windows_of_a_loop_that_is_written_twice(a: Any) -> Any:
    for _ in range(1, a.shape[0] - 1):
        for _ in a:
            x = a[::-1]
    return x


def test_windows_of_a_loop_that_is_written_twice() -> None:
    """With checks and without: the first time has left places that the second does not know."""
    check(windows_of_a_loop_that_is_written_twice, np.arange(4.0), calls=3)
