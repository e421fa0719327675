"""Eager computes both arrays of `np.where` and what a comparison leaves open, and reports both.

Instructions that nothing needs raise no flag: what is left out of a kernel, or computed for some
elements only, would be silent. One report is enough for a bail, so that each program has one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

ARRAYS: dict[str, Callable[[Any, Any], Any]] = {
    "one by one": lambda x, k: np.where(x > 0, 1 / x, 0.0),
    "never": lambda x, k: np.where(k < k, x / (k - 1), 0.0),
    "by a pure function": lambda x, k: np.where(x > 0, -abs(1 / x), x),
    "one of many": lambda x, k: np.select([x < x, x == x], [1 / x, x], 1.0),
    "narrowed": lambda x, k: np.where(x > 1, ((x + 1) * 1e300).astype(np.float32), np.float32(0)),
    "absorbed": lambda x, k: np.where(x > 0, x, np.nan * (1 / x)),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str) -> None:
    check(ARRAYS[name], np.zeros(3), np.ones(3, int), filters=("always",))


@pytest.mark.parametrize("length", [1, 37, 600])
def test_lengths(length: int) -> None:
    check(ARRAYS["one by one"], np.zeros(length), np.ones(length, int), filters=("always",))


NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "by a mask": lambda x, none: np.where(x > 0, 1 / x, 0.0),
    "compared with infinity": lambda x, none: (1 / x) > np.inf,
    "absorbed": lambda x, none: (1 / x) * np.nan,
    "squared": lambda x, none: (1 / x) ** 2 < 0,
    "compared with itself": lambda x, none: (same := 1 / x) < same,
    "for no element": lambda x, none: (none * (1 / x)).sum(),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_a_loop(name: str) -> None:
    compute = NUMBERS[name]

    def all_of_them(x: Any, out: Any) -> Any:
        none = x[:0]
        for i in range(len(x)):
            out[i] = compute(x[i], none)
        return out

    check(all_of_them, np.zeros(3), np.zeros(3), filters=("always",))


def compared_for_nothing(a: Any, t: Any) -> Any:
    if a[0] < t:
        pass
    a[1] == t  # noqa: B015
    return a + a + a


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1"])
def test_comparisons_that_nobody_reads(dtype: str) -> None:
    """A number of Python's may be too big for the float that it is compared with."""
    for t in (1.7e308, 1.0, 70000, 2**60):
        check(compared_for_nothing, np.ones(3, dtype), t)
