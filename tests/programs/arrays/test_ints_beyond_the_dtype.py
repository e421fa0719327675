"""Ints that a dtype does not hold, in comparisons and fills: found by the fuzzer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("number", [-1, 255, -129, 2**31, 2**63, -(2**63) - 1, 2**70])
def test_comparisons_with_ints_beyond_the_dtype(dtype: str, number: int) -> None:
    """NumPy compares the numbers; what arithmetic would refuse has an answer here."""
    names: dict[str, Any] = {"np": np}
    parts = [f"x {one} {number}, {number} {one} x" for one in ("<", "<=", ">", ">=", "==", "!=")]
    made = f"np.less(x, {number}), np.where(x < {number}, x, 0), x[x != {number}]"
    exec(f"def compared(x):\n    return {', '.join(parts)}, {made}", names)
    limits = np.iinfo(dtype)
    given = np.array([limits.min, 0, 1, limits.max], dtype)
    if -(2**63) <= number < 2**63:
        captured(names["compared"], given)
    else:  # no graph holds such an int
        check(names["compared"], given)


def filled_with_too_much(x: Any) -> Any:
    return np.full(3, 300, x.dtype)


def test_a_fill_that_the_dtype_does_not_hold() -> None:
    check(filled_with_too_much, np.ones(2, "i1"))
