"""The report gives the reason why a function was not captured: the one that decided."""

from __future__ import annotations

from typing import Any

import pytest

from framejit.frontends.report import spending
from framejit.frontends.report.spending import _left
from framejit.frontends.tiers import copies
from framejit.frontends.tiers.accounts import ACCOUNT, Account
from framejit.frontends.tiers.ledger import Entry
from framejit.frontends.tiers.sites import MOST_IN_VAIN, Site


def of_arrays(x: Any) -> Any:
    return x + x


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with more time than a capture takes, in the second run of its program."""
    monkeypatch.setattr(ACCOUNT, "runs", 1.0)
    site = Site(of_arrays.__code__)
    site.before, site.again = Entry(spent=100.0), True
    return site


def reason(site: Site) -> str:
    return _left(site, site.spent).rule


def test_time_that_framejit_was_not_given(site: Site) -> None:
    assert reason(site) == "unpaid"


def test_no_arrays(site: Site) -> None:
    site.has_arrays = False
    assert reason(site) == "no-arrays"


def test_one_call(site: Site) -> None:
    site.again = False
    assert reason(site) == "once"


def test_captures_that_saved_nothing(site: Site) -> None:
    """In an earlier process, or in copies of this one."""
    site.before = Entry(spent=100.0, runs=1)
    assert reason(site) == "tried"
    site.before, site.copies_in_vain = Entry(spent=100.0), MOST_IN_VAIN
    assert reason(site) == "tried"


def test_little_time(site: Site) -> None:
    site.before = Entry(spent=1e-6)
    assert reason(site) == "cold"


def test_a_copy_of_the_process_has_a_price_of_its_own(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time that pays a capture inside the program may be too little for a capture in a copy."""
    monkeypatch.setattr(ACCOUNT, "runs", 0.0)  # no savings of earlier runs are asked for
    monkeypatch.setattr(copies, "are_possible", lambda: True)
    site.before = Entry(spent=(site.capture_price() + site.price()) / 2.0)
    assert site.price() > site.before.spent
    assert reason(site) == "cold"
    assert f"expected to take {site.price():.2f} s" in _left(site, 1.0).reason
    monkeypatch.setattr(copies, "are_possible", lambda: False)
    assert reason(site) == "unpaid"


def test_little_time_a_run(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over many runs it is long enough for a capture, and in none of them would that pay."""
    monkeypatch.setattr(ACCOUNT, "runs", 1e5)
    assert reason(site) == "little"


@pytest.mark.parametrize(
    ("before", "rule"),
    [
        (Entry(spent=9.0, runs=1), "unpaid"),
        (Entry(spent=9.0, runs=9), "unpaid"),
        (Entry(spent=3.0, runs=9), "short-program"),
        (Entry(spent=9.0, runs=9, kept=2), "no-gain"),
        (Entry(spent=9.0, gain=0.5, runs=4, kept=2), "next-run"),
        (Entry(spent=9.0, gain=0.5, runs=5, kept=2), "unpaid"),
    ],
)
def test_what_the_program_may_spend(
    site: Site, before: Entry, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reasons that hold for the whole program are told before `unpaid`, which only has to wait."""
    account = Account()
    monkeypatch.setattr(spending, "ACCOUNT", account)
    account.invest(before)
    assert reason(site) == rule
