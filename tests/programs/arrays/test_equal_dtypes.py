"""int64 and longlong: NumPy calls the two dtypes equal, and a program can tell them apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

LONGLONG = np.array([1, 2, 3], np.longlong)
INT64 = np.array([4, 5, 6], np.int64)


def last(x: Any, y: Any, n: int) -> Any:
    z = 0
    for i in range(n):
        z = x[i % 3]
    return z + 1


def branch_on_data(x: Any, y: Any, n: int) -> Any:
    if x.sum() > n:
        z = x * 2
        k = x[0]
    else:
        z = y * 2
        k = y[0]
    return z + 1, k


def in_turns(x: Any, y: Any, n: int) -> Any:
    z = y.copy()
    for i in range(n):
        z = z + x if i % 2 else y * i
    return z


def made(x: Any, y: Any, n: int) -> Any:
    arrays = np.asarray(x, dtype=np.int64), np.asarray(y, dtype=np.int64), np.array([x[0], x[1]])
    return *arrays, np.array([1, n], np.longlong), np.full(2, x[0]), x.astype(np.int64)


def mixed(x: Any, y: Any, n: int) -> Any:
    z = np.zeros(n, np.longlong)
    for i in range(n):
        z[i] = y[i % 3] + i
    z[1:] = y[1:2]
    y += x
    numbers = max(x[0], y[0]), min(x[0], 3), x.sum(), x[0] // 2
    return z, y, x + y, y + x, np.where(x > 1, x, y), numbers


@pytest.mark.parametrize("program", [last, branch_on_data, in_turns, made, mixed])
def test_each_is_what_it_is(program: Any) -> None:
    """Equal dtypes keep their identity where paths meet, in lists, in fresh arrays and in views."""
    for arguments in ((LONGLONG, INT64), (INT64, LONGLONG)):
        check(program, *arguments, 4, backends=["numpy"])


def test_in_kernels() -> None:
    """Memory that is used again belongs to an array of one of the two."""
    check(in_turns, LONGLONG, INT64, 4)
    check(mixed, LONGLONG, INT64, 4)


def test_arrays_of_two_dtypes_in_a_loop() -> None:
    """The first iteration meets one of the kinds that later ones meet."""
    floats = np.array([1.5, 2.5, 3.5])
    check(in_turns, floats, floats.astype(np.float32), 3)


def spelled(x: Any, kind: str) -> Any:
    y = x + 1
    return y.astype(kind), np.zeros(2, dtype=kind)


@pytest.mark.parametrize("kind", ["a", "f4", "S"])
def test_spellings_that_warn(kind: str) -> None:
    """Those that NumPy deprecates warn at the user's line, once for each use."""
    check(spelled, np.arange(3.0), kind, calls=3)
