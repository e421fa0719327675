"""Arrays of bools whose bytes are not 0 and 1, as `image.view(bool)` of a mask of 0 and 255 is.

NumPy computes with their truth, and moves them as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def counted(mask: Any, weights: Any) -> Any:
    """The mask selects, is counted and is computed with."""
    return mask.sum(), weights[mask].sum(), (weights * mask).sum(), (~mask).sum()


def compared(mask: Any, other: Any) -> Any:
    """Truths that come of different bytes are equal."""
    return mask == other, mask & other, mask ^ other, mask < other, np.maximum(mask, other)


def one_by_one(mask: Any, other: Any) -> Any:
    """Items are NumPy's bools."""
    both = 0
    for one, two in zip(mask, other, strict=True):
        if one == two:
            both += int(one) + 1
    return both, mask[1] + 1, [int(one) for one in mask[:5]]


def moved(mask: Any, other: Any) -> Any:
    """Bytes stay what they are where nothing is computed."""
    chosen = np.where(other, mask, other)
    return mask[::2].copy(), chosen, np.concatenate([mask, other]), chosen.view(np.uint8)


def undone(mask: Any, other: Any) -> Any:
    """Operations whose results equal their operand, except for the bytes of its bools."""
    return (~~mask).view(np.uint8), (mask | mask).view(np.uint8), np.logical_not(~other)


def written(mask: Any, other: Any) -> Any:
    """In place, into arrays of another dtype, and item by item."""
    mask = mask.copy()
    mask |= other
    counts = np.zeros(len(other), np.int64)
    counts[:] = other
    again = np.zeros(len(other), bool)
    for k in range(len(other)):
        again[k] = other[k]
    return mask.view(np.uint8), counts, again.view(np.uint8)


@pytest.mark.parametrize("program", [compared, one_by_one, moved, undone, written])
@pytest.mark.parametrize("n", [7, 1300])
def test_truth_of_bytes(program: Any, n: int) -> None:
    """Each byte but 0 is true."""
    rng = np.random.default_rng(0)
    mask, other = (rng.choice([0, 1, 2, 128, 255], n).astype(np.uint8).view(bool) for _ in "ab")
    check(program, mask, other)


@pytest.mark.parametrize("n", [7, 1300])
def test_counts_of_bytes(n: int) -> None:
    """A mask that an image library has made selects and counts."""
    rng = np.random.default_rng(0)
    check(counted, rng.choice([0, 255], n).astype(np.uint8).view(bool), rng.random(n))
