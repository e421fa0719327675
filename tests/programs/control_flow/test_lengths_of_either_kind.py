"""Arrays that one branch makes short: what is computed with them relies on their length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def shorter_in_one_branch(c: Any, b: Any) -> Any:
    """`y` is an array of another dtype and length after the first branch."""
    p = c * b
    y = c + 1
    for _ in range(c.shape[0]):
        x = np.maximum(np.where(y >= 2, p[p == 2], y.reshape(-1)), 2)
        if x.sum() > 5:
            x = b * x
            y = p[:0]
        else:
            x = y - c
    return x


def stored_from_either(c: Any, b: Any) -> Any:
    """A row of one item takes what one branch gives, and not what the other one gives."""
    y = c + 1
    row = np.zeros(1)
    for i in range(3):
        z = y * 2
        row[:] = z[: len(z) - i]
        y = b[:1] if row[0] > 3 else y * 1.5
    return row


@pytest.mark.parametrize("program", [shorter_in_one_branch, stored_from_either])
@pytest.mark.parametrize("b", [0.1 + 2.0j, 2.0, 5.0])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_lengths_are_checked_where_branches_meet(program: Any, b: Any, n: int) -> None:
    """Where they do not broadcast eager raises; a kernel took the length for granted."""
    c = np.linspace(0.0, -1.5, n, dtype=np.float32)
    check(program, c, np.full(n, b), calls=3)
    check(program, c, np.full(1, b), calls=3)
