"""Ways to eager that lengths decide come before the arrays, and part no clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([[1.0, -2.0, np.nan], [2.0, np.inf, -0.0]])


def mean_square(x: Any) -> Any:
    return np.sqrt(np.mean(x * x))


def scores(x: Any) -> Any:
    return (x - x.mean()) / x.std(ddof=1)


def behind_a_write(x: Any) -> Any:
    x += 1.0
    y = x * x
    if len(x) > 7:
        raise ValueError("too long")
    return y.sum()


def of_what_is_computed(x: Any) -> Any:
    y = x * x
    if y.sum() > 1e6:
        raise ValueError("too big")
    return y + 1.0


PROGRAMS = [mean_square, scores, behind_a_write, of_what_is_computed]


@pytest.mark.counts("which arrays kernels allocate")
def test_one_loop() -> None:
    """The squares are in no memory."""
    jitted = framejit.jit(mean_square, backend="numba")
    jitted(X)
    assert "alloc(" not in jitted.inspect("numba")


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers(program: Any) -> None:
    """For few items and none, where there is a warning or an error."""
    for x in (X, np.ones((9, 2)) * 1e3, X[:1, :1], X[:0], X[:, ::-1].T):
        check(program, x, calls=6)
