"""Runs in which nothing can be decided: the program rests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from framejit.frontends.tiers import resting
from framejit.frontends.tiers.ledger import LEDGER, Entry
from framejit.frontends.tiers.resting import (
    LEAST_WAIT,
    LONGER,
    LOOKS,
    LOOKS_AGAIN,
    MOST_DEBT,
    PAID_OFF,
    RESTS_FROM,
    rested,
)


def row(**numbers: float) -> Entry:
    """A program of a second that was sampled once, with the arguments of this process."""
    return Entry(spent=1.0, runs=1, plain=1.0, arguments=resting.arguments()).but(**numbers)


Rests = Callable[[Entry | None], bool]


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rests]:
    """Return a function that says if a program with a row rests."""

    def answer(before: Entry | None) -> bool:
        monkeypatch.setattr(LEDGER, "find", lambda _: before)
        resting.rests.cache_clear()
        return resting.rests()

    yield answer
    resting.rests.cache_clear()


def test_the_second_run_of_a_short_program_rests(rests: Rests) -> None:
    assert not rests(None)
    assert rests(row())
    assert not rests(row(unsampled=1.0))  # it is invested in


def test_a_program_whose_kernels_gain_nothing_rests(rests: Rests) -> None:
    assert rests(row(spent=8.0, runs=8, kept=2))
    assert rests(row(spent=3.0, runs=8))  # too short to load framejit
    assert not rests(row(spent=8.0, runs=8, kept=1))


def test_a_program_with_entries_worth_loading_does_not(rests: Rests) -> None:
    assert not rests(row(hopes=1.0))
    assert not rests(row(spent=8.0, runs=8, kept=2, hopes=1.0))


def test_a_program_that_owes_rests_in_any_case(rests: Rests) -> None:
    assert rests(row(hopes=3.0, debt=RESTS_FROM))


def test_a_long_program_pays_by_itself(rests: Rests) -> None:
    assert not rests(row(spent=5.0))


def test_a_long_program_in_which_nothing_was_captured_rests(rests: Rests) -> None:
    """CPython's own JIT then works in it; now and then it is looked at."""
    nothing = row(spent=5.0 * LOOKS, runs=LOOKS)
    assert rests(nothing)
    assert not rests(nothing.but(runs=LOOKS - 1))
    assert not rests(nothing.but(kept=1))
    assert not rests(nothing.but(outside=1.0))
    runs = 0
    while rests(nothing):
        nothing = rested(nothing, 5.0)
        runs += 1
    assert runs == LOOKS_AGAIN - 1
    assert rests(nothing.with_all_runs())


def test_a_program_in_which_no_arrays_were_seen_rests(rests: Rests) -> None:
    """One of half a second to two: not long enough to pay in a run, but it is invested in."""
    nothing = row(spent=1.0 * LOOKS, runs=LOOKS)
    assert rests(nothing)
    assert rests(nothing.but(arrays=0.02 * nothing.spent))  # its body, which imports NumPy
    assert not rests(nothing.but(runs=LOOKS - 1))
    assert not rests(nothing.but(arrays=0.2 * nothing.spent))  # a dear capture waits
    runs = 0
    while rests(nothing):
        nothing = rested(nothing, 1.0)
        runs += 1
    assert runs == LOOKS_AGAIN - 1


def test_another_program_does_not_rest(rests: Rests, monkeypatch: pytest.MonkeyPatch) -> None:
    before = row()
    monkeypatch.setattr(sys, "argv", ["program", "--larger"])
    monkeypatch.setattr(resting, "_program", None)
    assert not rests(before)


def test_the_main_file_is_part_of_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = tmp_path / "main.py"
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(main), raising=False)
    main.write_text("a")
    monkeypatch.setattr(resting, "_program", None)
    before = resting.arguments()
    main.write_text("bc")
    assert resting.arguments() == before  # as of the start of the process
    monkeypatch.setattr(resting, "_program", None)
    assert resting.arguments() not in (before, 0.0)


def test_the_python_is_part_of_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another environment may lack what compiles; a run that rests would not say so."""
    before = resting.arguments()
    monkeypatch.setattr(sys, "prefix", "/another")
    monkeypatch.setattr(resting, "_program", None)
    assert resting.arguments() not in (before, 0.0)


def test_the_file_of_an_archive_is_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.zip").write_text("a")
    for name, is_known in {"program.zip/__main__.py": True, "gone.py": False}.items():
        file = str(tmp_path / name)
        monkeypatch.setattr(sys.modules["__main__"], "__file__", file, raising=False)
        monkeypatch.setattr(resting, "_program", None)
        assert (resting.arguments() != 0.0) == is_known


def test_a_row_without_a_digest_is_no_program_s(
    rests: Rests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resting, "_program", ("program -c", 0.0))
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    assert resting.arguments() == 0.0
    assert not rests(row())


def test_what_a_run_that_rested_tells() -> None:
    assert rested(row(), 1.1) == row(unsampled=1.0)
    arrays = row(runs=8, spent=8.0, arrays=4.0)
    assert rested(arrays, 1.1) == arrays
    assert rested(row(runs=8, spent=2.0), 0.3) == row(runs=8, spent=2.0)
    owing = rested(row(debt=0.2), 1.2)
    assert owing.debt == pytest.approx(0.2 - PAID_OFF)
    assert rested(row(debt=1e300), 1.0).debt < MOST_DEBT
    assert (owing.plain, owing.unsampled) == (pytest.approx(1.1), 1.0)


def test_one_that_took_much_longer_is_sampled_the_next_time() -> None:
    assert rested(row(), LONGER + 0.1).arguments == 0.0
    assert rested(row(spent=0.1), LEAST_WAIT - 0.1).arguments == row().arguments


def test_runs_that_were_not_sampled_count_like_the_others() -> None:
    assert row(unsampled=2.0).scale == 3.0
    assert row(unsampled=2.0).with_all_runs() == row(spent=3.0, runs=3.0)
    assert Entry().scale == 1.0
