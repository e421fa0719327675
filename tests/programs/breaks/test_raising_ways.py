"""A branch that raises ends the function: it is no break of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally, check

from framejit import explain


def checked(x: Any, n: int) -> Any:
    if n < 0:
        raise ValueError(f"n must be positive, got {n}")
    if np.any(x > 100):
        raise ValueError("too large")
    for _ in range(n):
        if not np.isfinite(x).all():
            raise FloatingPointError("diverged")
        x = x * 0.5 + 1
    return x


def caught(x: Any) -> Any:
    try:
        if x.sum() < 0:
            raise ValueError("negative")
        y = np.sqrt(x)
    except ValueError:
        y = x * 2
    return y + 1


def test_the_ways_that_do_not_raise() -> None:
    """One kernel answers the call, and the report says so."""
    assert_counts(check(checked, np.ones(3), 4), segments=1, breaks=0, hits=2)
    text = str(explain(checked)(np.ones(3), 4))

    assert_normally("0 graph breaks" in text)
    assert_normally("every call answered by one kernel" in text)


@pytest.mark.parametrize(
    ("x", "n"), [(np.ones(3), -1), (np.full(3, 200.0), 3), (np.full(3, np.nan), 3)]
)
def test_the_ways_that_raise(x: Any, n: int) -> None:
    check(checked, x, n)


def test_handlers_in_the_function() -> None:
    check(caught, np.ones(3))
    check(caught, -np.ones(3))


def with_an_inner_function(x: Any, g: Any) -> Any:
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError("complex")
    kind = float
    x = x.astype(kind, copy=False)
    if x.ndim != 1:
        raise ValueError("one axis, please")
    if not np.isfinite(x).all():
        raise ValueError("not finite")

    def wrapped(t: Any) -> Any:
        return np.asarray(g(t), dtype=kind)

    return wrapped(x * 2) + x


def test_an_inner_function_behind_them() -> None:
    """Its variables are in cells, which no exit can hand over before they are made."""
    for x in (np.ones(3), np.array([np.nan, 1.0]), np.ones((2, 2)), np.ones(2) * 1j):
        check(with_an_inner_function, x, np.sqrt)
