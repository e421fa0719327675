"""Results of trials, as told to the report and the next process."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import pytest

from framejit.frontends.kept import reading
from framejit.frontends.tiers.savings import has_lost, saved_by

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


@pytest.mark.parametrize(
    ("trial", "saved"),
    [
        ((2, 0, 1_000, 3_000), (0.2, 0.0)),
        ((1, 0, 1_000, UNTRIED), (0.0, 0.7)),
        ((0, 0, UNTRIED, UNTRIED), (0.0, 0.7)),
    ],
)
def test_a_trial_that_has_not_ended_measures_nothing(
    trial: tuple[int, ...], saved: tuple[float, float]
) -> None:
    """The time of the launches counts instead.

    Of a loop that is met a thousand times no trial may end, and its kernels seemed to save nothing.
    """
    segment: Any = Made(trial=lambda: trial, early=700_000_000)
    entry = Made(native=Made(hits=100_000))
    point = Made(segments=[segment], entries=[entry])
    manager: Any = Made(whole=[], segmented=Made(points={0: point}))

    assert saved_by(manager) == pytest.approx(saved)


def test_what_replaced_kernels_saved_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that ends while its program runs replaces the entries that served until then."""
    site: Any = Made(replaced_gain=(0.0, 0.0))
    manager: Any = Made(site=site, segmented=None, entries=[], whole=[], dispatcher=None)
    monkeypatch.setattr(reading, "contents_for", lambda _: iter([b""]))
    monkeypatch.setattr(reading, "bring_back", lambda *_: True)
    monkeypatch.setattr(reading, "saved_by", lambda _: (0.2, 0.1))
    assert reading.restore_again(manager)
    assert reading.restore_again(manager)

    assert site.replaced_gain == (0.4, 0.2)
