"""Lists that generator expressions have filled, and operands that a loop changes meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured

X = np.array([1.5, 2.5, -3.0, 4.0])


N = np.array([3, 1, 0, 2])


def of_a_list(x: Any) -> Any:
    squares = [v * v for v in x]
    return sum(squares), np.mean(squares), np.array(squares) + 1, max(squares), np.sqrt(squares)


def walked_again(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    total = 0.0
    for k, v in enumerate(found):
        total += k * v
    return total, len(found), [v + 1 for v in found]


def changed_meanwhile(x: Any) -> Any:
    found = [v + 1 for v in x]
    for v in found:
        if v > 2 and len(found) < 9:
            found.append(v)
    return found


def assigned_meanwhile(x: Any) -> Any:
    found = [v + 1 for v in x]
    for k, v in enumerate(found):
        found[len(found) - 1 - k] = v * 2
    return found


def listed(x: Any) -> Any:
    return sum(v * 2 for v in x.tolist()), [v for v in (x + 1).tolist() if v > 0]


@pytest.mark.parametrize("function", [of_a_list, walked_again, assigned_meanwhile, listed])
def test_grown_lists(function: Any) -> None:
    captured(function, X)


def test_lists_that_change() -> None:
    check(changed_meanwhile, X, calls=3)
    check(of_a_list, N, calls=3)
    check(walked_again, N, calls=3)


def as_operands(x: Any) -> Any:
    chosen = [k for k, v in enumerate(x) if v > 2]
    doubled = [v * 2 for v in x]
    return x + doubled, doubled * x, x[chosen], np.hypot(doubled, 1)


def as_other_operands(x: Any) -> Any:
    kept = np.where([v > 0 for v in x], x, [1, 2, 3, 4])
    return kept, x * (1, 2, 3, 4), [[1], [2]] - x, np.maximum([x[0], 1, 0, 2], x)


def test_lists_as_operands() -> None:
    for function in (as_operands, as_other_operands):
        captured(function, X)
        check(function, -abs(X))
