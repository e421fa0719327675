"""The cost of a call: a hit of a captured function against one ufunc of the same arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from bench.call_cost import costs
from timing import in_a_process_of_its_own, ratio, until

import framejit

CALLS = 20_000
OF_AN_ADD = 0.95 if sys.version_info[:2] == (3, 15) else 0.85
"""The most that a hit of ten items may cost, in calls of np.add. On CPython 3.15 it costs 0.86 to
0.94: a hit takes 0 to 15 ns more than on 3.14, and np.add, in this loop, 20 to 40 ns less."""


@framejit.jit
def madd(x: Any, y: Any, z: Any = 1.0) -> Any:
    """One default argument, one global that is guarded, one multiplication and one addition."""
    return np.add(x * y, z)


def broken(x: Any, seen: set[int]) -> Any:
    """Two segments around a break."""
    y = x * 2.0 + 1.0
    seen.add(1)
    return y * y - x


def hit() -> float:
    """Return the cost of a hit, in calls of np.add."""
    x, y = np.arange(10.0), np.arange(10.0)
    madd(x, y)
    share = ratio(lambda: madd(x, y), lambda: np.add(x, y), calls=CALLS)
    assert madd.stats()["hits"] >= CALLS
    return share


def hit_over_nothing() -> float:
    """Return the cost of a hit with three arrays in calls of np.add, less that of an empty call."""
    found = costs()
    add = found["np.add"] - found["an empty function in C"]
    return found["that, over the empty function"] / add


def two_segments() -> float:
    """Return the cost of a call of a function in two segments, in calls of it as it is."""
    x, seen = np.arange(10.0), {0}
    jitted = framejit.jit(broken, compile="now")
    jitted(x, seen)
    share = ratio(lambda: jitted(x, seen), lambda: broken(x, seen), calls=2_000)
    assert jitted.stats()["segments"] == 2
    return share


def test_a_hit_costs_less_than_one_ufunc() -> None:
    """Binding, guards, allocation, kernel, flags and the result: less than one np.add."""
    share = until(lambda share: share <= OF_AN_ADD, lambda: in_a_process_of_its_own(hit))

    print(f"a hit of x*y+z on 10 elements: {share:.2f} np.add")
    assert share <= OF_AN_ADD


def test_three_arrays() -> None:
    """The same with three arrays, over an empty function in C: call_cost.py has the nanoseconds."""
    share = until(lambda share: share <= 0.85, lambda: in_a_process_of_its_own(hit_over_nothing))

    print(f"a hit of x*y+z on three arrays of 3: {share:.2f} np.add, over an empty function")
    assert share <= 0.85


def test_a_segment_costs_little() -> None:
    """A function in two segments around a break: the stubs and the frame hook come to it."""
    share = until(lambda share: share <= 2.0, lambda: in_a_process_of_its_own(two_segments))

    print(f"two segments on 10 elements: {share:.2f} of eager")
    assert share <= 2.0
