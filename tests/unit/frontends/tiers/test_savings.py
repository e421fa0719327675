"""Results of trials, as told to the report and the next process."""

from __future__ import annotations

import pytest

from framejit.frontends.tiers.savings import has_lost

UNTRIED = 2**63 - 1
"""Nanoseconds of a side that was not tried yet."""


@pytest.mark.parametrize(
    ("trial", "lost"),
    [
        ((1, 1, 200, 100), True),
        ((1, 0, 100, 200), False),
        ((0, 1, 100, UNTRIED), False),  # plain Python is about to be tried
        ((0, 0, UNTRIED, UNTRIED), False),
        ((2, 1, 200, 100, 30), True),
    ],
)
def test_nobody_has_lost_before_both_were_tried(trial: tuple[int, ...], lost: bool) -> None:
    assert has_lost(trial) is lost
