"""Functions that NumPy's functions call: `np.apply_along_axis`, `np.vectorize`; `x.flags`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured

X = np.array([1.5, 2.5, -3.0, 4.0])
A = np.arange(12.0).reshape(3, 4)


def along(a: Any) -> Any:
    return np.apply_along_axis(np.sum, 0, a), np.apply_along_axis(lambda row: row.max() + 1, 1, a)


def lines(a: Any) -> Any:
    less = np.apply_along_axis(lambda row: row - row.mean(), -1, a)
    return less, np.apply_along_axis(np.cumsum, 0, a)


def with_arguments(a: Any) -> Any:
    return np.apply_along_axis(lambda row, k, by=1: row[k:] * by, 1, a, 1, by=3)


def matrices(a: Any) -> Any:
    return np.apply_along_axis(lambda row: np.outer(row, row), 1, a) + 1


def of_unlike_dtypes(a: Any) -> Any:
    """The first result tells the dtype."""
    return np.apply_along_axis(lambda row: row.sum() if row[0] > 0 else int(row[0]), 1, a)


@pytest.mark.parametrize("function", [along, lines, with_arguments, matrices])
def test_along_an_axis(function: Any) -> None:
    captured(function, A)
    for a in (A.T, A[::-1, ::2], A[:0], np.ones((2, 3, 4)), X.astype("i4").reshape(2, 2)):
        check(function, a)


def test_lines_of_their_own_kind() -> None:
    check(of_unlike_dtypes, A)
    check(of_unlike_dtypes, -A)
    check(along, A[:, :0])
    check(lines, A[:, :0])
    check(lambda x: (np.apply_along_axis(np.sort, 0, x), np.apply_along_axis(max, 0, x)), X)
    check(lambda x: np.apply_along_axis(np.sort, 1, x), X)


def writes(a: Any) -> Any:
    """The function writes into its argument, which is a view."""

    def doubled(row: Any) -> Any:
        row *= 2
        return row.sum()

    return np.apply_along_axis(doubled, 1, a), a


def test_a_function_that_writes() -> None:
    check(writes, A, calls=3)


# ---- vectorize -----------------------------------------------------------------------------------


def bent(x: Any) -> Any:
    return np.vectorize(lambda t: t * 2 if t > 2 else -t)(x) + 1


def told(x: Any) -> Any:
    return np.vectorize(lambda t: np.log(t))(x), np.vectorize(lambda t: t * 1e308)(x)


def test_vectorize() -> None:
    """It is called as it is.

    NumPy reports at its end what any number of Python's has raised on the way.
    """
    for x in (X, -X, X * np.nan, A.T, X[:0]):
        check(bent, x)
        check(told, x)


def reported(a: Any) -> Any:
    """A ufunc that is called by NumPy's own Python warns at a line of that."""
    return np.apply_along_axis(np.log, 0, a), np.piecewise(a, [a > 3, a < 1], [np.log, np.sqrt])


def test_functions_that_warn() -> None:
    check(reported, A - 2)
    check(lambda a: np.apply_along_axis(lambda row: np.log(row), 0, a), A - 2)


# ---- flags ---------------------------------------------------------------------------------------


def flags(a: Any) -> Any:
    known = a.flags.c_contiguous, a.T.flags.c_contiguous, a.flags.f_contiguous, a.flags.contiguous
    return a + 1 if known[0] else a - 1, known, (a * 2).flags.forc, a[:, 1:].flags.c_contiguous


@pytest.mark.parametrize("a", [A, A.T, A[::-1], A[:, :1], A[:1], A[:0], A[1:2, 1:2]])
def test_flags(a: Any) -> None:
    check(flags, a)
    check(lambda a: a.flags.writeable, a)
