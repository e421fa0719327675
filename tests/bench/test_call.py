"""What a call costs: a hit of a captured function against one ufunc of the same arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from timing import ratio

import framejit

CALLS = 20_000


@framejit.jit
def madd(x: Any, y: Any, z: Any = 1.0) -> Any:
    """One default argument, one global that is guarded, one multiplication and one addition."""
    return np.add(x * y, z)


def test_a_hit_costs_less_than_one_ufunc() -> None:
    """Binding, guards, allocation, kernel, floating point flags and the result: 0.7 np.add."""
    x, y = np.arange(10.0), np.arange(10.0)
    madd(x, y)

    share = ratio(lambda: madd(x, y), lambda: np.add(x, y), calls=CALLS)

    print(f"a hit of x*y+z on 10 elements: {share:.2f} np.add")
    assert madd.stats()["hits"] >= CALLS
    assert share <= 0.7


def test_a_segment_costs_little() -> None:
    """A function in two segments around a break: the stubs and the frame hook come to it."""

    def broken(x: Any, seen: list[int]) -> Any:
        y = x * 2.0 + 1.0
        seen.append(1)
        return y * y - x

    x, seen = np.arange(10.0), [0]
    jitted = framejit.jit(broken)
    jitted(x, seen)

    share = ratio(lambda: jitted(x, seen), lambda: broken(x, seen), calls=2_000)

    print(f"two segments on 10 elements: {share:.2f} of eager")
    assert share <= 2.0
