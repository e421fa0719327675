"""Which operations on ints a kernel looks at: those that may leave 64 bits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import framejit

pytestmark = [pytest.mark.counts("what a kernel is made of")]


def looks(program: Callable[..., Any], *args: Any) -> int:
    """How often the text of its kernel looks."""
    jitted = framejit.jit(program, backend="numba")
    assert repr(jitted(*args)) == repr(program(*args))
    return len(re.findall(r"if (add|sub|mul)_overflows|wrong \|=", jitted.inspect("numba")))


def test_counters() -> None:
    """However they go on, from a small number, by small steps, in branches and in inner loops."""

    def counts(n: Any, x: Any) -> Any:
        up, down, both = 0, 100, 7
        for i in range(n):
            up += 1
            if i % 3:
                down -= 2
            else:
                both = up + 5
            k = i
            while k > 0:
                k -= 1
                both += 3
        return up, down, both, 2 * up - down

    assert looks(counts, 5, 0) == 0


@pytest.mark.parametrize("start", [1, 2**41])
def test_what_is_no_counter(start: int) -> None:
    """Numbers from outside, sums that are fed back, products."""

    def from_outside(n: Any, k: Any) -> Any:
        for _ in range(n):
            k += 1
        return k

    def doubles(n: Any, k: Any) -> Any:
        a = 1
        for _ in range(n):
            a = a + a
        return a, k

    def steps_of_unknown_size(n: Any, k: Any) -> Any:
        a = 0
        for _ in range(n):
            a += k
        return a

    assert (looks(from_outside, 5, start) > 0) == (start > 2**40)
    for program in (doubles, steps_of_unknown_size):
        assert looks(program, 5, start) > 0


def test_numbers_from_outside() -> None:
    """What was small at capture may be big later: eager answers, and then another kernel."""

    def counts(n: Any, k: Any) -> Any:
        for _ in range(n):
            k += 1
        return k

    jitted = framejit.jit(counts, backend="numba")
    for start in (5, 2**35, *[2**45] * 20, 2**63 - 3, -(2**63), 7):
        assert jitted(9, start) == counts(9, start)
    before = jitted.stats()
    for start in (2**45, 2**50, -(2**44)):
        assert jitted(9, start) == counts(9, start)
    after = jitted.stats()
    assert after["hits"] - before["hits"] == 3
    assert after["bails"] == before["bails"]


def test_arrays_of_counters() -> None:
    """What is counted in an array that the kernel has made, through windows on it too."""

    def histogram(x: Any) -> Any:
        counts = np.zeros((2, 4), dtype=np.int64)
        row = counts[1]
        for k in range(len(x)):
            row[x[k]] += 1
            counts[0, x[k]] = row[x[k]] + 2
        return counts

    def doubled(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        for k in range(len(x)):
            counts[x[k]] += counts[0]
        return counts

    def filled_from_outside(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        counts[:] = x
        for k in range(4):
            counts[k] += 1
        return counts

    def written_by_a_call(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        counts[x > 2] = 9
        for k in range(4):
            counts[k] += 1
        return counts

    x = np.array([0, 1, 3, 3])
    assert looks(histogram, x) == 0
    for program in (doubled, filled_from_outside, written_by_a_call):
        assert looks(program, x) > 0


def test_types_of_less_than_64_bits() -> None:
    """They have limits of their own, but are small numbers to count on from."""

    def small(x: Any) -> Any:
        total = 0
        for k in range(len(x)):
            total = int(x[k]) + 1
        return total

    assert looks(small, np.array([3, 4], dtype=np.int8)) == 0
