"""Comparisons and arithmetic in one loop, and what becomes of it where "invalid" is raised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit


def chosen(x: Any, y: Any) -> Any:
    return np.where(x > y, x * 2.0, y + 1.0) - x


def told(x: Any, y: Any) -> Any:
    """Warn before, between and behind the operations that are computed together."""
    z = x - y
    w = np.clip(z, -1.0, 1.0) * np.where(z < 0.5, y, z)
    return z, w / y


def chain(x: Any, y: Any) -> Any:
    """An array that dies is overwritten."""
    z = np.exp(x)
    return np.where(z > y, z * 2.0, z + 1.0)


def ignored(x: Any, y: Any) -> Any:
    with np.errstate(invalid="ignore"):
        z = x * y
        return np.where(z > 1.0, z - x, z / y)


def iterations(x: Any, y: Any) -> Any:
    """In a loop of the kernel, which goes on from its own results."""
    for _ in range(4):
        x = np.where(x > y, x * 0.5, x - y) + 1.0
    return x


PROGRAMS = (chosen, told, chain, ignored, iterations)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("mode", ["warn", "raise", "ignore"])
def test_hostile_numbers(program: Any, mode: str) -> None:
    """NaN alone, infinities that make some, both, at the beginning, at the end and in between."""
    x, y = np.linspace(-2, 2, 41), np.linspace(3, -1, 41)
    for place in (0, 17, 40):
        for one, other in (
            (np.nan, 1.0),
            (1.0, np.nan),
            (np.inf, np.inf),
            (np.inf, 0.0),
            (0.0, 0.0),
        ):
            left, right = x.copy(), y.copy()
            left[place], right[place], left[place - 1] = one, other, np.nan
            with np.errstate(all=mode):
                check(program, left, right, calls=2)
                check(program, left[:place], right[:place], calls=1)


# Results that LLVM could compute without the arithmetic, whose flags must be reported all the same.
COMPARED = {
    "difference": lambda x, y: (x - y) > 0.0,
    "square": lambda x, y: np.square(x) < 0.0,
    "product": lambda x, y: x * x < 0,
    "root": lambda x, y: np.sqrt(x) > 0.0,
    "roots": lambda x, y: np.sqrt(x + y) >= np.sqrt(x + y),
    "truth": lambda x, y: np.sqrt(y).astype(bool),
    "narrowed": lambda x, y: x.astype(np.float32) > 1.0,
    "chosen": lambda x, y: np.where(x > y, x, y).astype(np.float32) > 1,
    "beyond": lambda x, y: (x / y) > np.inf,
    "nothing": lambda x, y: (x / y) < np.nan,
    "bound": lambda x, y: np.clip(x / y, np.nan, 1.0),
    "factor": lambda x, y: (x * y) * np.clip(x, np.nan, 1.0),
    "itself": lambda x, y: x / y > x / y,
    "mask": lambda x, y: x[(x - y) > 0],
    "all": lambda x, y: ((x - y) > 0).all(),
    "and": lambda x, y: (np.sqrt(y) > 0) & (x > 1),
    "int": lambda x, y: x.astype(np.float32).astype(np.uint8) < 0,
    "shifted": lambda x, y: (x.astype(np.float32) * 1).astype(np.uint8) >> 8,
}
FLAGGED = ((1e308, -1e308), (-1e308, 2.0), (2.0, -4e307), (4e307, 4e307), (1.0, 0.0), (1e-60, 1.0))


@pytest.mark.parametrize("name", COMPARED)
def test_flags_of_what_is_compared(name: str) -> None:
    """One item each that overflows, underflows, is divided by zero or is no root."""
    for one, other in FLAGGED:
        x, y = np.arange(1.0, 20.0), np.arange(3.0, 22.0)
        x[11], y[11] = one, other
        for mode in ("warn", "raise"):
            with np.errstate(all=mode):
                check(COMPARED[name], x, y, calls=2)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_layouts(dtype: str) -> None:
    """Gaps, orders of memory, broadcasting, no items."""
    x = np.random.default_rng(5).normal(size=(6, 40)).astype(dtype)
    x[2, 3] = np.nan
    for one in (x, x[:, ::3], x.T.copy().T, x[::-1], x[:0], x[:, :1], x[3]):
        check(chosen, one, x[:1, :1] * one)


@pytest.mark.counts("loops of kernels")
def test_one_loop() -> None:
    """There is one where no item is NaN; results that overwrite what is read have two."""
    once, twice = (framejit.jit(program, backend="numba") for program in (chosen, chain))
    for jitted in (once, twice):
        jitted(np.ones(9), np.zeros(9))

    head, _, behind = once.inspect("numba").partition("if (get_status() & 1) != 0:")
    assert head.count("range(") == 1
    assert behind.count("range(") > 1
    assert "get_status() & 1" not in twice.inspect("numba")
