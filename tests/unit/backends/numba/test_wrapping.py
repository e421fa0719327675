"""Ints of 64 bits that wrap, and are then asked: LLVM must not take it that they never do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

EDGES = np.array(
    [0, 1, -1, 2, 2**62, 2**62 + 1, -(2**62), 2**63 - 1, 2**63 - 2, -(2**63), 1 - 2**63, 3037000500]
)
LEFT, RIGHT = (grid.ravel() for grid in np.meshgrid(EDGES, EDGES))


def sums(a: Any, b: Any) -> Any:
    return (a + b) < a, (a + 1) > a, (a + b) - b == a, np.where(a + b < a, 1, 0)


def differences(a: Any, b: Any) -> Any:
    return (a - b) > a, (a - 1) < a, -a > 0, (a + b < b) * 1 + (a - b < 0)


def products(a: Any, b: Any) -> Any:
    return a * 2 < a, (a * b) < 0, a * 3 - a * 2 == a, np.maximum(a * 2, a)


def squares(a: Any, b: Any) -> Any:
    return np.square(a) < 0, (a * a) < 0, b**2 < 0


def totals(a: Any, b: Any) -> Any:
    rows = np.abs(a.reshape(12, 12) // 2)
    return rows.sum() < 0, rows.sum(0) < rows[0], (rows + 1).sum(1) < rows[:, 0]


def marked(a: Any, b: Any) -> Any:
    x = a * 2
    x[x < 2] = 1
    return x


@pytest.mark.parametrize("program", [sums, differences, products, squares, totals, marked])
def test_comparisons_of_what_wrapped(program: Any) -> None:
    """NumPy wraps in silence, and compares the results."""
    check(program, LEFT, RIGHT)
