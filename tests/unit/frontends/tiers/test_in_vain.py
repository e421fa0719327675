"""Processes that capture a site, or have copies capture it, and save nothing: they are counted."""

from __future__ import annotations

import pytest

from framejit.frontends.tiers import decisions
from framejit.frontends.tiers.ledger import Entry
from framejit.frontends.tiers.prices import TAKING_FIRST
from framejit.frontends.tiers.sites import Site


@pytest.fixture(autouse=True)
def _each_process_spends_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "spent", property(lambda site: site.before.spent + 1.0))


def row_after(before: Entry, *, saved: float, copies: int, serves: bool = True) -> Entry:
    """Return the row of a function that a process has run with this row from before."""

    def step(x: float) -> float:
        return x

    site = Site(step.__code__)
    site.before, site.captured, site.taken, site.copies = before, 0.02, 0.02, copies
    site.has_kept_entries = serves
    site.is_kept = bool(before.kept or copies)
    return decisions._closed(site, saved, copies > 0)


def test_what_copies_are_about_to_store_may_serve_later() -> None:
    """On a machine whose cores are busy several processes may end before the first copy does."""
    row = Entry(spent=1.0)
    for _ in range(5):
        row = row_after(row, saved=0.0, copies=1, serves=False)
        assert (row.runs, row.kept) == (0.0, 1.0)
        assert row.gain > 0.0


def test_copies_in_each_process_that_gain_nothing_come_to_an_end() -> None:
    """Each copy adds something to what is on disk, and none of it is faster than plain Python."""
    row, gains = Entry(spent=1.0, gain=0.1, kept=1.0), []
    for _ in range(decisions.PATIENT_RUNS + 1):
        row = row_after(row, saved=0.0, copies=1)
        gains.append(row.gain)
    assert row.runs == decisions.PATIENT_RUNS + 1
    assert [gain > 0.0 for gain in gains] == [True] * decisions.PATIENT_RUNS + [False]


@pytest.mark.parametrize("copies", [0, 1])
def test_what_gains_is_no_more_in_vain(copies: int) -> None:
    before = Entry(spent=1.0, cost=1.0, gain=0.1, kept=1.0, runs=2.0)
    after = row_after(before, saved=0.5, copies=copies)
    assert after.runs == (0.0 if copies else 2.0)  # small captures say nothing either way
    assert after.gain == 0.5


def test_one_trial_that_went_wrong_does_not_lose_a_large_gain() -> None:
    """The next process takes the entries once more, the one after that only if they gain."""
    row = row_after(Entry(spent=1.0, gain=0.4, kept=1.0), saved=0.01, copies=0)
    assert row.gain == 0.1
    assert row_after(row, saved=0.4, copies=0).gain == 0.4
    assert row_after(row, saved=0.0, copies=0).gain < TAKING_FIRST
