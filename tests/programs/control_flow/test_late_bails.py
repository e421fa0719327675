"""A kernel that bails late in a loop keeps the iterations before: eager goes on near the error."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from halting import polled_often
from late_errors import PROGRAMS, Case, Program, differing, differing_of, late_bails
from oracle import check
from random_loops import random_loop

import framejit

pytestmark = pytest.mark.counts("launches")
MANY = 3_000_000


@pytest.mark.parametrize("name", PROGRAMS)
def test_errors_at_some_iteration(name: str) -> None:
    """Arrays, locals of the frames, exceptions and results are eager's."""
    with polled_often(8):
        assert differing(name, 12, seed=1)[0] == []


@pytest.mark.parametrize("name", [name for name, one in PROGRAMS.items() if one.kept])
def test_iterations_are_kept(name: str) -> None:
    one = PROGRAMS[name]
    with polled_often(8):
        jitted = framejit.jit(one.function)
        Case(one, iterations=400, wrong=None, seed=3).run(jitted)
        Case(one, iterations=400, wrong=399, seed=3).run(jitted)
    assert late_bails(jitted) == 1


@pytest.mark.parametrize("seed", range(8))
def test_errors_in_random_loops(seed: int) -> None:
    """Also where locals are bound in branches and in loops within that end early."""
    function, text = random_loop(seed)
    with polled_often(4):
        assert differing_of(Program(function), text, 6, seed, 120)[0] == []


def items(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        x[index[i]] += 1


def some_items(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if index[i] < 9:
            small = x[index[i]]  # noqa: F841
        x[index[i]] += 1


def sums_of_rows(x: Any, index: Any, n: int) -> None:
    begins = np.arange(0, n + 3, 3) - index[: n // 3 + 1] % 3
    for r in range(n // 3):
        s = 0.0
        for k in range(begins[r], begins[r + 1]):
            s += x[index[k]]
        x[r % 1000] = s * 1e-9


@pytest.mark.alone
@pytest.mark.parametrize("function", [items, some_items, sums_of_rows])
def test_an_index_error_in_the_last_of_many_iterations(function: Callable[..., Any]) -> None:
    """It costs two runs of the kernel and some milliseconds."""
    index = np.random.default_rng(0).integers(0, 1000, MANY)
    index[: MANY // 3 + 1][-1] = 0
    jitted = framejit.jit(function)
    jitted(np.zeros(1000), index, MANY)
    whole = min(_seconds(jitted, np.zeros(1000), index, MANY) for _ in range(5))
    index[-3:] = 1000
    x = np.zeros(1000)
    eager = _seconds(function, x, index, MANY)
    seconds = []
    for _ in range(5):
        ours = np.zeros(1000)
        seconds.append(_seconds(jitted, ours, index, MANY))
        assert (ours == x).all()
    assert min(seconds) < max(2 * whole + eager / 20, eager / 4)


def _seconds(function: Callable[..., Any], *args: Any) -> float:
    begun = time.perf_counter()
    with contextlib.suppress(IndexError):
        function(*args)
    return time.perf_counter() - begun


def sums(x: Any, y: Any, limit: float) -> float:
    s = 0.0
    for i in range(len(x)):
        s += y[i] / x[i]
        if s > limit:
            break
    return s


@pytest.mark.parametrize("mode", ["raise", "warn", "ignore"])
def test_flags_late_in_a_loop(mode: Any) -> None:
    """Errors that errstate ignores do not start it over; eager meets those that it reports."""
    x, y = np.ones(300), np.ones(300)
    y[10], x[290] = 1e-310, 0.0
    with polled_often(8), np.errstate(all=mode, under="ignore"):
        check(sums, x, y, 1e300, calls=3)


def test_a_loop_that_cannot_be_halted_learns_from_a_long_bail() -> None:
    """It was short when it was captured: the next capture has the exit at its header."""
    jitted = framejit.jit(items)
    index = np.random.default_rng(0).integers(0, 1000, 20 * MANY)
    jitted(np.zeros(1000), index[:10], 10)
    captures = jitted.stats()["captures"]
    index[-1] = 1000
    for _ in range(3):
        with pytest.raises(IndexError):
            jitted(np.zeros(1000), index, len(index))
    assert jitted.stats()["captures"] > captures
    assert late_bails(jitted) >= 1
