"""Operators on large arrays compute into a temporary operand: its order in memory, its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

from framejit.frontends.capture.arrays.elision import elides

RANDOM = np.random.default_rng(1)
EDGE = 1 << 18
"""Bytes of the operands of which NumPy makes the results."""


def numbers(count: int, dtype: str = "D") -> Any:
    return (RANDOM.random(count) + 1j * RANDOM.random(count)).astype(dtype)


def products(a: Any, b: Any) -> Any:
    t = a + b
    (other,) = [a - b]
    first = a * (b * 1j), 2.5j * (a + b), (a + b) * (a - b), a * t, t * a, a * [a + b][0]
    return *first, a * other, np.multiply(a, b + 1), a * np.exp(b), same(a) * same(b + a)


def same(x: Any) -> Any:
    return x


@pytest.mark.parametrize("count", [EDGE // 16 - 1, EDGE // 16, 20_000, EDGE // 8])
def test_products(count: int) -> None:
    """The right operand comes first where it is a temporary and the left one is none."""
    pairs = [(numbers(count), numbers(count))]
    if count == EDGE // 8:
        pairs = [(numbers(count, "F"), numbers(count, "F")), (pairs[0][0], numbers(count, "F"))]
    for pair in pairs:
        assert_counts(check(products, *pair), captures=1, hits=2, breaks=0)


def product_in_a_loop(a: Any, b: Any) -> Any:
    for _ in range(3):
        a = b * (a * b) - a
    return a


def test_a_loop() -> None:
    """NumPy does not overwrite what one iteration hands to the next: it is no temporary."""
    assert_counts(check(product_in_a_loop, numbers(20_000), numbers(20_000)), breaks=0)


def behind_breaks(a: Any, b: Any) -> Any:
    first = a * eval("a + b")
    print(end="")
    return first, a * b, a * (b if print(end="") else a + b)


def test_what_comes_from_outside() -> None:
    """A value on the stack may have other owners, so eager goes on."""
    check(behind_breaks, numbers(20_000), numbers(20_000), calls=3)


def other_orders(a: Any, b: Any) -> Any:
    turned = a + (b.T * 2), (b.T * 2) - a, (b.T + 1) / a, a * (b.T * 2)
    return *turned, a - (b.T * 2), (b * 2) + a.T, np.add(a, b.T * 2)


@pytest.mark.parametrize("length", [100, 200])
def test_other_orders(length: int) -> None:
    """The result has the order of the temporary operand in memory."""
    jitted = check(other_orders, np.ones((length, length)), np.ones((length, length)))
    assert_counts(jitted, breaks=4 if length >= 181 and elides() else 0)


def of_any_size(a: Any, b: Any) -> Any:
    return a + (b.T * 2), (b.T * 2) - a


def test_a_capture_of_small_arrays_is_not_for_large_ones() -> None:
    def all_sizes(*pairs: Any) -> Any:
        return [of_any_size(*pair) for pair in pairs]

    pairs = [(np.ones((n, n)), np.arange(n * n * 1.0).reshape(n, n)) for n in (3, 200, 4, 182)]
    check(all_sizes, *pairs)
