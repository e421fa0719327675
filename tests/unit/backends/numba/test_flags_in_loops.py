"""Flags of NumPy's loops that loops of a kernel call: none is lost, none is somebody else's."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

BIG = np.float32(1000)
ROWS = np.ones((4, 40), np.float32)


def sums_of_rows(x: Any) -> Any:
    total = np.float32(0)
    for i in range(x.shape[0]):
        total += np.exp(x[i]).sum()
    return total


def products_of_rows(x: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        total += (x[i] * x[i, ::-1]).sum()
    return total


def remainders(x: Any) -> Any:
    total = 0
    for i in range(x.shape[0]):
        total += (x[i] // x[i - 1]).sum()
    return total


@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("program", [sums_of_rows, products_of_rows])
def test_overflow_in_one_row(program: Any, row: int) -> None:
    """In the first, in the last, between: eager's warning, or its exception."""
    x = ROWS.copy()
    x[row, 7] = 3e38
    check(program, x)
    jitted = framejit.jit(program)
    with np.errstate(over="raise"):
        for function in (program, jitted, jitted):
            with pytest.raises(FloatingPointError, match="overflow"):
                function(x)


@pytest.mark.parametrize("row", range(4))
def test_division_by_zero_in_one_row(row: int) -> None:
    """Loops of ints report in the x87 unit."""
    x = np.full((4, 40), 3)
    x[row, 7] = 0
    check(remainders, x)


@pytest.mark.parametrize("program", [sums_of_rows, products_of_rows])
def test_flags_from_before(program: Any) -> None:
    """Flags that were raised before the call, and ignored there, are not the kernel's."""
    jitted = framejit.jit(program)
    jitted(ROWS)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        np.exp(np.full(64, BIG))
        np.array([1, 2, 3]) // np.array([0, 1, 0])
        np.array([1e308]) * 10
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert jitted(ROWS) == program(ROWS)


def relaxed(u: Any, f: Any) -> Any:
    change = np.float64(0)
    for k in range(1, len(u) - 1):
        new = 0.5 * (u[k - 1] + u[k + 1] + f[k])
        change = max(change, abs(new - u[k]))
        u[k] = new
    return change


def test_loops_that_store_hand_on_what_they_store() -> None:
    """Nothing is pinned in them: LLVM keeps `u[k - 1]` in a register across iterations."""
    jitted = framejit.jit(relaxed)
    jitted(np.zeros(20), np.ones(20))
    text = jitted.inspect("numba")
    assert text.count("held |=") == text.count("pinned(held)") == 2  # with and without checks
    assert text.count("pinned(") == 2
    check(relaxed, np.array([1.0, 0.0, np.inf, 3.0, 2.0, -np.inf]), np.ones(6))
