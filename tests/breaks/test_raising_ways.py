"""What raises ends the function: it is no break of the graph."""

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
