"""The account of the process, the prices, and the ledger."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from framejit.frontends.tiers import accounts, ledger
from framejit.frontends.tiers.accounts import Account
from framejit.frontends.tiers.ledger import MOST, Entry, Ledger
from framejit.frontends.tiers.prices import Price
from framejit.jit.shared import SharedFolder


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Account:
    """Return the account of a program that has taken 0.1 s; `_taken` adds to it."""
    monkeypatch.setattr(accounts, "process_time", lambda: 0.1)
    return Account()


def _taken(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(accounts, "process_time", lambda: seconds)


def test_a_short_program_allows_forty_milliseconds(account: Account) -> None:
    assert account.allowed_inside() == pytest.approx(0.04)
    account.inside = 0.05
    assert account.allowed_inside() == pytest.approx(-0.01)


def test_a_long_program_allows_three_percent(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    _taken(monkeypatch, 100.0)
    assert account.allowed_inside() == pytest.approx(3.0)
    assert account.allowed_outside() == pytest.approx(40.0)
    account.helper = 50.0
    assert account.allowed_outside() == pytest.approx(-10.0)


def test_half_of_what_was_gained_before_may_be_spent_again(account: Account) -> None:
    account.known_gain = 2.0
    assert account.allowed_inside() == pytest.approx(1.04)


def test_a_program_that_is_run_again_and_again_is_worth_an_investment(account: Account) -> None:
    account.invest(Entry(spent=10.0, runs=1))
    assert account.allowed_inside() == pytest.approx(0.04)
    account.invest(Entry(spent=4.0, cost=0.1, outside=1.0, runs=2))
    assert account.allowed_inside() == pytest.approx(0.04 + 1.0 - 0.1)
    assert account.allowed_outside() == pytest.approx(0.2 + 4.0 - 1.0)
    account = Account()
    account.invest(Entry(spent=4.0, cost=2.0, outside=9.0, runs=3))
    assert account.allowed_inside() == pytest.approx(0.04)


def test_a_program_that_gains_nothing_is_not_for_ever(account: Account) -> None:
    """Two runs are invested into, whatever comes of it; then the last one has to have gained."""
    for tries, gain, allowed in ((1, 0.0, 1.04), (2, 0.0, 0.04), (2, 0.05, 0.04), (2, 0.2, 1.04)):
        account = Account()
        account.invest(Entry(spent=10.0, gain=0.8 * gain, runs=5, kept=tries))
        assert account.allowed_inside() == pytest.approx(allowed)


def test_each_other_run_collects() -> None:
    """The fifth run measures the gain of investments of the third and fourth."""
    invested = []
    for runs in range(10):
        account = Account()
        account.invest(Entry(spent=9.0, gain=5.0, runs=runs, kept=len(invested)))
        invested += [runs + 1] if account.invests else []

    assert invested == [3, 4, 6, 8, 10]


def test_a_program_of_a_third_of_a_second_is_not(account: Account) -> None:
    """Loading entries takes as long as kernels can be expected to save; half a second is enough."""
    account.invest(Entry(spent=3.3, runs=10))
    assert account.allowed_inside() == pytest.approx(0.04)
    account.invest(Entry(spent=5.0, runs=10))
    assert account.allowed_inside() == pytest.approx(1.04)


def test_nested_charges_count_once(account: Account) -> None:
    with account.charged(), account.charged():
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass
    assert 0.02 <= account.inside < 0.039


def test_long_work_is_charged_while_it_goes_on(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gates for thousands of functions are made in one block, and end when nothing is left."""
    times = iter([1.0, 1.0, 1.03, 1.045, 1.05])
    monkeypatch.setattr(accounts, "thread_time", lambda: next(times))
    with account.charged(), account.charged():
        account.charge_so_far()
        assert account.allowed_inside() == pytest.approx(0.01)
        account.charge_so_far()
        assert account.allowed_inside() == pytest.approx(-0.005)
    account.charge_so_far()  # outside of blocks nothing is open
    assert account.inside == pytest.approx(0.05)


def test_prices_learn() -> None:
    price = Price(0.1, 0.001)
    assert price.of(100) == pytest.approx(0.2)
    for _ in range(40):
        price.learn(100, 0.4)
    assert price.of(100) == pytest.approx(0.4, rel=0.01)
    assert price.of(300) == pytest.approx(0.8, rel=0.01)


# ---- the ledger ----------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(ledger, "cache_home", lambda: str(folder))
    return folder


def test_another_process_finds_what_was_written(home: Path) -> None:
    first = Ledger()
    assert first.find("f") is None
    first.update({"f": Entry(2.0, 0.5, 1.0, 0.25, 3)})
    second = Ledger()
    assert second.is_known
    assert second.find("f") == Entry(2.0, 0.5, 1.0, 0.25, 3)


def test_ledgers_that_are_only_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They know the gains of entries beside them; an entry's own trial counts more."""
    shared = home.parent / "shared"
    monkeypatch.setattr(ledger, "cache_home", lambda: str(shared))
    Ledger().update(
        {
            "f": Entry(5.0, gain=3.0, kept=1),
            "g": Entry(5.0, gain=3.0, kept=1),
            "h": Entry(5.0, gain=3.0, kept=1),
            "program p": Entry(9.0, runs=3, kept=1),
        }
    )
    monkeypatch.setattr(ledger, "cache_home", lambda: str(home))
    Ledger().update(
        {
            "g": Entry(1.0, 0.5, runs=2),
            "h": Entry(1.0, 0.5, runs=2, kept=1),
            "program p": Entry(1.0),
        }
    )
    before = (shared / ledger.FOLDER / ledger.FILE).read_bytes()
    monkeypatch.setattr(
        ledger, "readable", lambda own, name: (own, SharedFolder(str(shared / name)))
    )
    made = Ledger()
    made.update({"k": Entry(1.0)})

    assert made.find("f") == Entry(5.0, gain=3.0, kept=1)
    assert made.find("g") == Entry(1.0, 0.5, gain=3.0, runs=2, kept=1)
    assert made.find("h") == Entry(1.0, 0.5, runs=2, kept=1)
    assert made.find("program p") == Entry(1.0)
    assert (shared / ledger.FOLDER / ledger.FILE).read_bytes() == before
    assert [*ledger.unpacked((home / ledger.FOLDER / ledger.FILE).read_bytes())] == [
        "g",
        "h",
        "program p",
        "k",
    ]


def test_what_another_machine_has_kept_is_looked_for(home: Path) -> None:
    Ledger().update({"program p": Entry(1.0, runs=1, debt=0.5), "program q": Entry(1.0, hopes=3)})
    Ledger().learn({"f": Entry(5.0, gain=3.0)})
    assert Ledger().find("program p") == Entry(1.0, runs=1, debt=0.5)  # no entry came
    Ledger().learn({"f": Entry(5.0, gain=3.0, kept=1)})
    after = Ledger()
    assert after.find("f") == Entry(5.0, gain=3.0, kept=1)
    assert after.find("program p") == Entry(1.0, runs=1, debt=0.5, hopes=1)
    assert after.find("program q") == Entry(1.0, hopes=3)


def test_what_others_have_written_meanwhile_stays(home: Path) -> None:
    first, second = Ledger(), Ledger()
    assert not first.is_known
    second.update({"g": Entry(1.0)})
    first.update({"f": Entry(2.0)})
    third = Ledger()
    assert third.find("f") == Entry(2.0)
    assert third.find("g") == Entry(1.0)


def test_it_keeps_the_sites_that_were_used_last(home: Path) -> None:
    Ledger().update({f"old{k}": Entry(1.0) for k in range(MOST)})
    Ledger().update({f"new{k}": Entry(1.0) for k in range(10)})
    after = Ledger()
    assert after.find("old9") is None
    assert after.find("old10") == after.find("new9") == Entry(1.0)
    assert (home / ledger.FOLDER / ledger.FILE).stat().st_size < 200_000


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"framejit ledger 99\n1 1 1 1 1 1 1 1 1 1 1 1 f\n",
        b"1 1 1 1 1 1 1 1 1 1 1 1 f\n",
        b"framejit ledger 6",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 f\n",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 1 1 x f\n",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 1 1 -1 f\n",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 1 1 nan f\n",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 1 1 1e999 f\n",
        b"framejit ledger 6\n1 1 1 1 1 1 1 1 1 1 1 1 \xff\n",
        b"framejit ledger 6\n" + b"1 " * 100_000,
    ],
)
def test_what_is_not_as_it_should_be_is_not_there(home: Path, content: bytes) -> None:
    assert ledger.folder_in(str(home)).replace(ledger.FILE, content)
    assert Ledger().find("f") is None


def test_it_can_be_forgotten(home: Path) -> None:
    Ledger().update({"f": Entry(1.0)})
    assert Ledger().forget()
    assert not Ledger().forget()
    assert not Ledger().is_known


def test_no_folder_no_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "cache_home", lambda: "")
    made = Ledger()
    made.update({"f": Entry(1.0)})
    assert made.find("f") is None


def test_the_file_is_plain_data(home: Path) -> None:
    Ledger().update({"f": Entry(1.23456789)})
    zeros = " 0" * 11
    assert (
        home / ledger.FOLDER / ledger.FILE
    ).read_text() == f"framejit ledger 6\n1.234568{zeros} f\n"


@pytest.mark.parametrize("key", ["a b.py:f:1", "\u00e9\n\udcff%0A\\n", " ", ""])
def test_keys_of_any_text(home: Path, key: str) -> None:
    """Files may have any name."""
    Ledger().update({key: Entry(1.0), "other": Entry(2.0)})
    assert Ledger().find(key) == Entry(1.0)
    assert Ledger().find("other") == Entry(2.0)
