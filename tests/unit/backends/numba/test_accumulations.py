"""Running results: the bits of NumPy's, for lines of all lengths, layouts and hostile numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.backends.numba.nodes.accumulations import is_running

HOSTILE = np.array([0.0, -0.0, 1.0, np.nan, -np.nan, np.inf, -np.inf, 1e308, -2.5, 5e-324])
PAYLOAD = np.array([0x7FF8000000000123, 0xFFF8000000000456], np.uint64).view(np.float64)


def running(x: Any, axis: Any) -> Any:
    return (
        np.maximum.accumulate(x, axis) + 0,
        np.minimum.accumulate(x, axis),
        np.signbit(np.maximum.accumulate(x, axis)),
        np.cumsum(x, axis),
        x.cumprod(axis),
    )


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u8", "i4", "u1", "?", "c16"])
def test_lines(dtype: str) -> None:
    """Those around the blocks that are compared at once, and none."""
    rng = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        for length in (0, 1, 2, 7, 8, 9, 10, 16, 17, 18, 100):
            line = rng.choice(HOSTILE, length).astype(dtype)
            check(running, line, 0)
            check(running, line[::-2], 0)


def test_tables() -> None:
    """Along either axis, in either order of memory."""
    rng = np.random.default_rng(6)
    table = rng.choice(HOSTILE[:6], (11, 19))
    with np.errstate(all="ignore"):
        for x in (table, np.asfortranarray(table), table[:, ::-1], table[1:1], table[:1]):
            check(running, x, 0)
            check(running, x, 1)


def moved(x: Any) -> Any:
    return np.maximum.accumulate(x), np.minimum.accumulate(x[::-1])


def test_bits_of_nan() -> None:
    """The first one stays, as it is."""
    for k in range(1, 12):
        x = np.arange(12.0)
        x[k], x[k // 2] = PAYLOAD
        check(moved, x)


def reported(x: Any) -> Any:
    return np.cumsum(x) * 0.5, np.cumprod(x) * 0.5


def test_warnings() -> None:
    """Overflow, and infinities of both signs."""
    for x in ([1e308, 1e308, 1.0], [np.inf, -np.inf, 1.0], [1e-308, 1e-308], [np.nan, 1.0]):
        for mode in ("warn", "raise", "ignore"):
            with np.errstate(all=mode):
                check(reported, np.array(x), calls=4)


def within(x: Any) -> Any:
    with np.errstate(over="ignore", invalid="raise"):
        return np.cumsum(x) * 0.5


def test_modes() -> None:
    """Blocks of the program's own decide."""
    check(within, np.array([1e308, 1e308]))
    check(within, np.array([np.inf, -np.inf]))


@pytest.mark.counts("what kernels compute themselves")
def test_registers() -> None:
    """None of NumPy's loops is left for float64."""
    jitted = framejit.jit(moved, backend="numba")
    jitted(np.ones(5))
    assert "inner_loop(" not in jitted.inspect("numba")
    running = (np.add, np.multiply, np.maximum, np.minimum)
    assert all(is_running(one, np.dtype("f8")) for one in running)
