"""Calls in which the truth of something that they make themselves decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

X = np.linspace(0.5, 3, 12)
Y = np.linspace(2, 1, 12)


def any_of_a_tuple(x: Any, y: Any) -> Any:
    return any(r[0] > 2 for r in (x, x + 1))


def in_a_loop(x: Any, y: Any) -> Any:
    count = 0
    for k in range(10):
        if any(r[0] > 2 for r in (x, x + k)):
            count += 1
    return count


def over_lists(x: Any, y: Any) -> Any:
    rows = [x * k for k in range(3)]
    return any(np.any(r) for r in rows), all((r > 2).all() for r in rows)


def filtered(x: Any, y: Any) -> Any:
    return list(filter(lambda r: r[0] > 1, (x, x + 1))), x + y


def mapped(x: Any, y: Any) -> Any:
    return any(map(np.any, (x > 5, x > 1))), all(map(np.all, (x > 5, x > 1)))


def ready(x: Any, y: Any) -> Any:
    return any([]), all(()), any((x[0] > 1, 0, y[0])), all([x[0], 3]), x * y


@pytest.mark.parametrize(
    "function", [any_of_a_tuple, in_a_loop, over_lists, filtered, mapped, ready]
)
def test_as_eager(function: Any) -> None:
    check(function, X, Y, calls=3)
    check(function, -X, Y * 0, calls=2)
