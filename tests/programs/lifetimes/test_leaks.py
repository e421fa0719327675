"""Calls and captures leave nothing behind; `tests/campaigns/leaks.py` does it a million times.

A process of its own does it: what other tests have left is much to walk through.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

import pytest
from leaking import CALLS, CAPTURES, Slope, slope

SLOW = ("opaque calls", "recursion", "warnings of flags")
"""Fewer steps of these."""

pytestmark = pytest.mark.counts("a hostile mode has a state of its own, and is slow")


def calls(name: str, number: int) -> Slope:
    """Measure the memory that each call leaves; runs in the other process."""
    return slope(CALLS[name]("numba"), number, warm=5000)


def captures(name: str) -> Slope:
    """Measure the memory that each capture leaves; runs in the other process."""
    return slope(CAPTURES[name]("numpy"), 56, windows=5, warm=28)


def warm() -> None:
    """Let Python and the engine allocate what they keep once for all; runs in the other process."""
    slope(CAPTURES["new functions with breaks"]("numpy"), 100, windows=2)


@pytest.fixture(scope="module")
def process() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        executor.submit(warm).result()
        yield executor


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_nothing(name: str, process: Executor) -> None:
    """Less than a block in a hundred calls, in the best of some windows.

    Tables of Python's own come and go: hundreds of blocks, however many the calls.
    """
    number = 1000 if name in SLOW else 5000
    found = process.submit(calls, name, number).result()

    assert min(found.blocks) < 0.01 + 150 / number, found


@pytest.mark.parametrize("name", CAPTURES)
def test_captures_leave_nothing(name: str, process: Executor) -> None:
    """A few blocks at most, and no object of framejit's.

    Caches of Python's own still grow at first; what a capture makes is hundreds of blocks.
    """
    found = process.submit(captures, name).result()

    assert min(found.blocks) < 3, found
    assert not {"Entry", "Dispatcher", "Segment", "Manager", "CacheEntry"} & {*found.kinds}, found
