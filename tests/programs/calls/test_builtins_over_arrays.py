"""Python's builtins over arrays: `sum(x)` adds NumPy's numbers up one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.array([1.5, 2.5, -3.0])
N = np.array([2, 1, 0, 2])
A = np.arange(6.0).reshape(2, 3)


def sums(x: Any, n: Any) -> Any:
    return sum(x) + 1, sum(n), sum(x, 2.5), sum(x > 1)


def sums_of_rows(a: Any) -> Any:
    return sum(a), sum(a)[0] + 1, sum(a, a[1])


def extremes(x: Any, n: Any) -> Any:
    return max(x) + min(n), max(x), min(x)


def truths(x: Any, n: Any) -> Any:
    return any(x > 2), all(x > 2), any(n), all(n)


def lists(x: Any, n: Any) -> Any:
    return list(x * 2), list(n * 2), (x + 1).tolist()


def divided(x: Any, n: Any) -> Any:
    quotient, rest = divmod(x, 2)
    return quotient + rest, divmod(7, n + 1)


WHOLE: list[tuple[Any, ...]] = [
    (sums, X, N),
    (sums_of_rows, A),
    (extremes, X, N),
    (truths, X, N),
    (lists, X, N),
    (divided, X, N),
]


@pytest.mark.parametrize("call", WHOLE, ids=lambda call: call[0].__name__)
def test_whole(call: Any) -> None:
    assert_counts(check(*call, calls=3), segments=1, breaks=0, bails=0)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "D"])
def test_dtypes(dtype: str) -> None:
    check(sums, X.astype(dtype), N.astype(dtype))
    check(truths, X.astype(dtype), N.astype(dtype))


def test_numbers_that_are_none() -> None:
    """A NaN is returned only if it comes first, as every comparison with it is false."""
    for values in ([np.nan, 1, 2], [1, np.nan, 2], [2, np.nan, 1], [-0.0, 0.0], [0.0, -0.0]):
        check(extremes, np.array(values), N)


def test_nothing_in_it() -> None:
    check(sums, X[:0], N[:0])
    check(sums_of_rows, A[:0])
    check(extremes, X[:0], N)
    check(truths, X[:0], N[:0])


def test_warnings_come_from_the_line_of_the_call() -> None:
    """There is no other line: the builtin is one of C."""

    def function(x: Any) -> Any:
        much = x * 1e308
        return sum(much)

    check(function, np.array([1.0, 1.0, 1.0]), calls=3)


def test_rows_have_no_order() -> None:
    check(extremes, A, N, calls=3)
    check(truths, A, N, calls=3)
