"""`a[mask] = value` where these have memory in common: NumPy reads what it has written by then.

By indices it copies before; by a mask it goes from one run of True to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script

M = np.array([False, False, True, True, True])
ODD = np.array([True, False, True, False, True])


def every_other(a: Any, m: Any) -> None:
    a[m] = a[::2]


def by_a_comparison(a: Any, m: Any) -> None:
    a[a > 1] = a[::2]


def first(a: Any, m: Any) -> None:
    a[m] = a[:3]


def last(a: Any, m: Any) -> None:
    a[m] = a[2:]


def backward(a: Any, m: Any) -> None:
    a[m] = a[::-1][:3]


def through_a_window(a: Any, m: Any) -> None:
    b = a[1:4]
    c = a[:3]
    c[b > 1] = b[b > 1]
    b[c > 0] = 7


def by_indices(a: Any, m: Any) -> None:
    a[np.nonzero(m)[0]] = a[::2]
    a[[4, 3, 2]] = a[:3]


def of_the_mask(a: Any, m: Any) -> None:
    b = a > 1
    b[1:][b[:-1]] = a[0] > 0
    b[b] = b[::-1][: b.sum()]
    a[b] = 9


def what_it_picks(a: Any, m: Any) -> None:
    a[m] = a[m][::-1] * 2


PROGRAMS = [
    *(every_other, by_a_comparison, first, last, backward, through_a_window, by_indices),
    *(of_the_mask, what_it_picks),
]


@pytest.mark.parametrize("mask", [M, ODD], ids=["run", "odd"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_windows_of_one_array(program: Callable[..., Any], mask: Any, dtype: str) -> None:
    check(program, np.arange(5).astype(dtype), mask)


def test_what_was_picked_before_is_another_array() -> None:
    (jitted, *_) = check(what_it_picks, np.arange(5.0), M)
    assert_counts([jitted], bails=0, breaks=0)


def of_two_arrays(a: Any, m: Any, b: Any) -> None:
    a[m] = b


@pytest.mark.parametrize("window", [slice(0, 3), slice(1, 4), slice(0, 6, 2)])
def test_arrays_that_share_memory_at_times(window: slice) -> None:
    """Only arrays of later calls share memory, so the kernel has to check for it."""

    def script(jit: Any) -> Any:
        f = jit(of_two_arrays)
        memory = np.arange(8.0)
        f(np.arange(5.0), M, np.ones(3))
        f(memory[:5], M, memory[window])
        f(memory[:5], ODD, memory[window])
        return memory

    check_script(script)
