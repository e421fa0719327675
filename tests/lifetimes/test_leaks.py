"""Calls and captures leave nothing behind; `tests/campaigns/leaks.py` does it a million times."""

from __future__ import annotations

import pytest
from leaking import CALLS, CAPTURES, slope

SLOW = ("caught lambdas", "opaque calls", "recursion", "warnings of flags")
"""Fewer steps of these."""

pytestmark = pytest.mark.counts("a hostile mode has a state of its own, and is slow")


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_nothing(name: str) -> None:
    """Less than a block in a hundred calls, in the best of some windows."""
    number = 1000 if name in SLOW else 5000
    found = slope(CALLS[name]("numba"), number, warm=5000)

    assert min(found.blocks) < 0.01 + 30 / number, found


@pytest.fixture(scope="module")
def _warm() -> None:
    """What Python and the engine keep once for all is there."""
    slope(CAPTURES["new functions with breaks"]("numpy"), 100, windows=2)


@pytest.mark.usefixtures("_warm")
@pytest.mark.parametrize("name", CAPTURES)
def test_captures_leave_nothing(name: str) -> None:
    """A few blocks at most, and no object of framejit's.

    Caches of Python's own still grow at first; what a capture makes is hundreds of blocks.
    """
    found = slope(CAPTURES[name]("numpy"), 56, warm=28)

    assert min(found.blocks) < 3, found
    assert not {"Entry", "Dispatcher", "Segment", "Manager", "CacheEntry"} & {*found.kinds}, found
