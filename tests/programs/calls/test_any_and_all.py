"""`any` and `all` of arrays of every kind are reductions in the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.array([[0.0, 1.5, -0.0, np.nan], [0.0, 0.0, 3.0, np.inf], [0.0, 1.0, 2.0, 3.0]])


def of_all(x: Any) -> Any:
    return (x > 1).any(), (x == x).all(), np.any(x), np.all(x), x.any() | x.all()


def by_axis(x: Any) -> Any:
    y = x * 2
    return y.any(axis=0), np.all(y, axis=-1), (y > 1).all(axis=0, keepdims=True) | (y > 1)


def decides(x: Any) -> Any:
    if (x > 2).any():
        return x * 2
    return x + 1 if np.all(x < 9) else x


def in_a_loop(x: Any) -> Any:
    n = 0
    while (x < 5).any() and n < 50:
        x = x + 1
        n += 1
    return x, n


@pytest.mark.parametrize("dtype", ["d", "f", "l", "B", "?", "D", "e"])
@pytest.mark.parametrize("program", [of_all, by_axis])
def test_dtypes(program: Any, dtype: str) -> None:
    """NaN is true, zeros of both signs are not."""
    x = np.nan_to_num(X, posinf=7) if dtype in "lBD" else X
    check(program, x.astype(dtype))


@pytest.mark.parametrize("x", [X, X.T, X[:, ::2], X[::-1], X[:0], X[:, :1]])
def test_layouts(x: Any) -> None:
    """`all` of no items is true and `any` of none is false."""
    check(of_all, x)
    check(by_axis, x)


def test_decisions() -> None:
    """As a condition, of branches and loops."""
    x = np.arange(6.0)
    for program in (decides, in_a_loop):
        assert_counts(check(program, x), breaks=0, bails=0)
        check(program, -x)
        check(program, x[:0])
