"""`x[k].item()` and `x.tolist()` are conversions in the kernel, not calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check

DTYPES = "?bhilqBHILQefdg"


def items(x: Any, n: int) -> Any:
    found = [x[k].item() for k in range(n)]
    first = x[0].item()
    return found, first, type(first).__name__, x * 2, (x + x).tolist()


def summed(x: Any) -> Any:
    total = x[0].item()
    for value in x:
        total = total + value.item()
    return total


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_of_all_dtypes(dtype: str) -> None:
    """An int of Python's, a float, a bool; a long double stays what it is."""
    x = np.array([1, 0, 5]).astype(dtype)
    check(items, x, 3)
    check(items, x, 2)
    check(summed, x)


def test_ints_beyond_64_bits() -> None:
    """An item of an array of unsigned ints may be one."""
    x = np.array([2**64 - 1, 1, 2**63], dtype="u8")
    check(items, x, 3)
    check(summed, x)


def test_nothing_is_called() -> None:
    """A call for each item would take many times as long as NumPy's own `tolist`."""

    def doubled(x: Any) -> Any:
        return (x + x).tolist()

    for each in check(doubled, np.arange(5)) + check(summed, np.arange(5.0)):
        assert_normally("opaque" in each.inspect("graph"), False)
