"""Windows that one call or iteration leaves one item wide: their axes have no order any more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

from framejit import jit


def copied(a: Any, k: int) -> Any:
    rows = a[k:]
    return rows.T.copy(order="K"), rows.T.astype("f"), np.array(rows.T), rows.T.cumsum(0)


def computed(a: Any, k: int) -> Any:
    return a[None, k:].swapaxes(0, 2) + 1, a[k:].T * 2, np.sqrt(np.abs(a[k:]).T)


def beside_axes_of_one(a: Any, k: int) -> Any:
    column = a[k:, 0, None]
    row = a[None, k:, 0]
    return column * 2, row + 1, column.copy(order="K"), row.copy(order="K"), column * row


def eliminated(a: Any) -> Any:
    for k in range(len(a) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    return a


LAYOUTS = [
    lambda: np.arange(25.0).reshape(5, 5) + 1,
    lambda: np.asfortranarray(np.arange(25.0).reshape(5, 5)),
    lambda: np.arange(81.0).reshape(9, 9)[::2, 1:6],
    lambda: np.arange(25, dtype="f").reshape(5, 5)[::-1],
]


@pytest.mark.parametrize("make", LAYOUTS)
@pytest.mark.parametrize("program", [copied, computed, beside_axes_of_one])
def test_one_kernel_for_windows_of_all_lengths(program: Any, make: Any) -> None:
    """A copy of a transposed window of one row is in C order, one of two rows is not."""
    kept: dict[str, Any] = {}
    for k in (2, 4, 3, 5, 1):

        def again(function: Any, backend: str) -> Any:
            return kept.setdefault(backend, jit(program, backend=backend))

        check(program, make(), k, jit=again)


def test_the_last_iteration_of_an_elimination() -> None:
    """Its windows have one item: `a[k:, k, None]` has an order all the same."""
    assert_counts(check(eliminated, np.arange(16.0).reshape(4, 4) ** 1.5 + 1), bails=0, breaks=0)
