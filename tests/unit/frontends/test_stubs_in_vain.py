"""Stubs that come to nothing call after call: the code goes on without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit


def broken(x: Any, seen: set[int]) -> Any:
    """Between the attribute and its call nothing can be captured."""
    y = x * 2.0 + 1.0
    seen.add(1)
    return y * y - x


@pytest.mark.counts("the stubs of the code")
def test_they_go() -> None:
    """With the same results before and after; what may be captured stays."""
    x, seen = np.arange(5.0), {1}
    jitted = jit(broken)

    jitted(x, seen)
    assert jitted.inspect("bytecode").count("not compiled") > 0
    results = [jitted(x, seen) for _ in range(600)]

    code = jitted.inspect("bytecode")
    assert "not compiled" not in code
    assert code.count("+---- segment") == 2
    assert all(np.array_equal(each, broken(x, seen)) for each in results)
    assert jitted.stats()["launches"] == 2 * 601
    assert np.array_equal(jitted(np.arange(7), seen), broken(np.arange(7), seen))  # captured anew


def of_a_row(rows: Any, x: Any, order: Any, seen: set[int]) -> Any:
    """Each turn takes another list, which may hold anything."""
    total = x * 0
    for k in order:
        seen.add(k)
        scale, shift = rows[k]
        total = total + np.sqrt(x * scale + shift)
    return total


@pytest.mark.counts("segments")
def test_ints_that_are_others_each_time() -> None:
    """A few kernels are made for values of an int, then some that do without."""
    rows = [[1.0 + k, k] for k in range(60)]
    x, order = np.arange(5.0), [k * 7 % 60 for k in range(200)]
    jitted = jit(of_a_row)
    for _ in range(4):
        assert np.array_equal(jitted(rows, x, order, set()), of_a_row(rows, x, order, set()))
    assert jitted.stats()["captures"] <= 12
    assert jitted.stats()["recompiles"] <= 8
    # One of them goes on behind each item, which plain Python takes from its list.
    launches = jitted.stats()["launches"]
    jitted(rows, x, order, set())
    assert jitted.stats()["launches"] - launches == len(order) + 1
