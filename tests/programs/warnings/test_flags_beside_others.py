"""Numbers that report a flag, beside what clears flags or puts them back.

LLVM knows no order between a division and the status of the processor: a number was computed in a
block of `np.errstate` that stands before or behind it, or where a search keeps its flags to itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

F = np.float64
ONE = F(1)


def _before_a_block(x: Any, k: int) -> Any:
    v = ONE / x[k]
    with np.errstate(over="raise", divide="ignore"):
        root = np.sqrt(x[k])
    return root + v


def _before_a_block_that_is_tried(x: Any, k: int) -> Any:
    v, total = ONE / x[k], F(0)
    try:
        with np.errstate(all="raise"):
            total += ONE / (x[k] + 5)
    except FloatingPointError:
        total -= 1
    return total + v


def _behind_a_block(x: Any, k: int) -> Any:
    with np.errstate(all="raise"):
        v = F(1e200) * (x[k] + 1)
    return v * v


def _before_a_search(x: Any, k: int) -> Any:
    v = ONE / x[k]
    return v * np.searchsorted(x, 2.5)


def _sought(x: Any, k: int) -> Any:
    return np.searchsorted(x, np.sqrt(-x[k]))


def _before_the_place_of_the_greatest(x: Any, k: int) -> Any:
    v = F(1e308) * (x[k] + 9)
    place = np.argmax(x)
    return v + place


def _before_a_loop_of_numpys(x: Any, k: int) -> Any:
    v = F(1e308) * (x[k] + 9)
    least = np.minimum(x[-1], F(2))
    return v - least


def _before_a_narrow_store(x: Any, k: int) -> Any:
    v = ONE / x[k]
    single = np.zeros(3, np.float32)
    single[k] = x[k]
    return v + single[k]


BODIES: list[Callable[[Any, int], Any]] = [
    _before_a_block,
    _before_a_block_that_is_tried,
    _behind_a_block,
    _before_a_search,
    _sought,
    _before_the_place_of_the_greatest,
    _before_a_loop_of_numpys,
    _before_a_narrow_store,
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__.strip("_"))
def test_bodies_of_loops(body: Callable[[Any, int], Any]) -> None:
    def all_of_them(x: Any, n: int) -> Any:
        total = F(0)
        for k in range(n):
            total += body(x, k)
        return total

    check(all_of_them, np.array([1.0, 0.0, 2.0, 3.0]), 3, filters=("always",))


def overflow_is_carried(x: Any) -> Any:
    total = F(0)
    for _ in range(3):
        total += F(1e308)
        place = np.argmax(x)
    return total + place


def test_what_a_loop_carries() -> None:
    check(overflow_is_carried, np.array([1.0, 0.0, 2.0]), filters=("always",))


def compared_for_a_branch(x: Any, a: Any) -> Any:
    number = 0.0
    for k in range(1, 5):
        x[k] += (x[k] > 0) / (number if a - x[k] >= k + x[k] else a)
    return x


def greatest_of_either_kind(x: Any, a: Any) -> Any:
    single, last, q = np.zeros(6, np.float32), 0, 1.0
    for k in range(1, 5):
        last = max(q, single[k])
        q = 1e308 if x[k] == x[k] else a
    return last


def test_comparisons_keep_to_their_place() -> None:
    """With NaN it raises a flag; LLVM compares once more where the branch needs it."""
    check(compared_for_a_branch, np.array([1.5, 0.1, 2.5, np.nan, np.nan, 1.5]), F(0.1))


def test_a_float_is_compared_as_what_it_is() -> None:
    """Python's as a `np.float32`, which may overflow; NumPy's as a `np.float64`."""
    x = np.array([1.5, 0.1, 2.5, np.nan, 2.0, 1.5])
    check(greatest_of_either_kind, x, F(0.1), filters=("always",))
    check(greatest_of_either_kind, x, 0.1, filters=("always",))
