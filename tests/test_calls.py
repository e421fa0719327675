"""A few of the random calls that `tests/campaigns/calls.py` makes for as long as one likes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).with_name("campaigns")))

import calls


def test_random_calls() -> None:
    """Right and wrong ones. Each version has calls of its own."""
    assert calls.run(250, sys.version_info[:2], ("numpy",)) == []


def test_the_calls_are_many_and_some_are_right() -> None:
    """Neither do all of them raise, nor is a large part of the functions left out."""
    known = calls.callables()
    assert len(known) > 800

    right = 0
    for text, globals_ in calls.first(100, 0):
        exec(text, globals_)
        x = calls.np.linspace(0.5, 3, 4)
        try:
            globals_["program"](x, x + 1, calls.O())
        except Exception:
            continue
        right += 1
    assert right > 10
