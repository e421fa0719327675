"""Whole processes of a program: what may have been saved, and when it rests."""

from __future__ import annotations

import sys

import pytest

from framejit.frontends.tiers import resting
from framejit.frontends.tiers.accounts import ACCOUNT
from framejit.frontends.tiers.ledger import Entry
from framejit.frontends.tiers.programs import Closing
from framejit.frontends.tiers.resting import PAID_OFF, RESTS_FROM
from framejit.frontends.tiers.sites import Site


def known(plain: float = 1.0, debt: float = 0.0) -> Entry:
    """A program that takes so long as plain Python, with the arguments of this process."""
    return Entry(plain=plain, arguments=resting.arguments(), debt=debt)


def test_what_was_not_tried_is_believed_as_far_as_the_process_was_shorter() -> None:
    before = known()

    assert Closing(0.0, 0.3, 0.7, False, before).believed == pytest.approx(1.0)
    assert Closing(0.0, 0.3, 0.85, False, before).believed == pytest.approx(0.5)
    assert Closing(0.1, 0.3, 0.85, False, before).believed == pytest.approx(1 / 6)
    assert Closing(0.0, 0.3, 1.2, False, before).believed == 0.0


def test_a_launch_may_save_more_than_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that earlier processes spent or saved counts if it is more than the launch took."""
    monkeypatch.setattr(ACCOUNT, "runs", 4.0)
    site = Site(compile("", "", "exec"))

    site.before = Entry(spent=2.0)
    assert site.untried_gain(0.01, knows_plain=False) == pytest.approx(0.5)
    assert site.untried_gain(0.6, knows_plain=False) == pytest.approx(0.6)
    site.before = Entry(spent=2.0, gain=0.7)
    assert site.untried_gain(0.01, knows_plain=False) == pytest.approx(0.5)
    assert site.untried_gain(0.01, knows_plain=True) == pytest.approx(0.7)


def test_where_plain_python_was_not_seen_it_is_believed_once() -> None:
    """The next process runs as plain Python, if much depends on it."""
    much = Closing(0.0, 0.3, 0.7, False, Entry())
    little = Closing(0.5, 0.01, 0.7, False, Entry())

    assert much.believed == little.believed == 1.0
    assert (much.debt, little.debt) == (RESTS_FROM, 0.0)


def test_a_program_that_takes_longer_rests_until_that_is_paid_for() -> None:
    debt, rests = Closing(0.0, 0.0, 1.25, False, known()).debt, 0
    while debt >= RESTS_FROM:
        debt = Closing(0.0, 0.0, 1.0, True, known(debt=debt)).debt
        rests += 1

    assert rests == pytest.approx((0.25 - RESTS_FROM) / PAID_OFF + 1, abs=1)


def test_a_process_in_which_no_kernel_has_run_owes_nothing() -> None:
    """Captures and compiles beside it took its time: what they may take is bounded elsewhere."""
    assert Closing(0.0, 0.0, 1.3, False, known(debt=0.05), has_served=False).debt == 0.05


def test_a_program_that_is_faster_owes_nothing() -> None:
    assert Closing(0.5, 0.0, 0.5, False, known(debt=0.05)).debt == 0.0


def test_plain_python_is_measured_anew_by_each_process_that_is_plain() -> None:
    assert Closing(0.0, 0.0, 2.0, True, Entry()).plain == 2.0
    assert Closing(0.0, 0.0, 2.0, True, known(1.0)).plain == 1.5
    assert Closing(0.0, 0.0, 2.0, False, known(1.0)).plain == 1.0


def test_other_arguments_are_another_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = known(1.0, debt=0.5)
    monkeypatch.setattr(sys, "argv", ["program", "--larger"])
    monkeypatch.setattr(resting, "_program", None)

    assert Closing(0.0, 0.3, 5.0, False, before).plain == 0.0
    assert Closing(0.0, 0.3, 5.0, False, before).believed == 1.0


def test_a_process_that_could_invest_and_did_not_is_no_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its program may still spend what a dear capture waits for."""
    monkeypatch.setattr(ACCOUNT, "invests", True)
    idle = Closing(0.0, 0.0, 1.0, True, known())
    busy = Closing(0.0, 0.0, 1.0, True, known(), has_invested=True)

    assert (idle.row(0).kept, busy.row(0).kept) == (known().kept, known().kept + 1)
