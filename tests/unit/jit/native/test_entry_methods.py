"""Methods of entries of the C core, and entries whose memory is freed."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import entries as make
import pytest
from entries import entry, guard, step


def test_an_entry_waits_for_its_kernel() -> None:
    """Without an address and a callable eager answers, until the address comes, once."""
    made = entry(python_kernel=None)
    assert made.launch((None,)) is None
    assert (made.waited, made.hits, made.bails) == (1, 0, 0)
    with pytest.raises(ValueError, match="one kernel"):
        made.set_kernel(0, None)
    made.set_kernel(1, None)
    with pytest.raises(ValueError, match="one kernel"):
        made.set_kernel(1, None)


def test_who_waits_may_ask() -> None:
    """The owner is told once, of the next launch."""
    asked = []

    class Owner:
        def awaited(self) -> None:
            asked.append(made.waited)

    made = entry(python_kernel=None, owner=Owner())
    made.launch((None,))
    made.asks = 1
    made.launch((None,))
    made.launch((None,))

    assert asked == [2]


def test_a_refused_entry_keeps_nothing() -> None:
    """Whatever the constructor took before it found the fault is given back."""

    class Object:
        pass

    objects = [Object() for _ in range(4)]
    before = [sys.getrefcount(one) for one in objects]
    constants = (objects[0],)
    for fields in ({"steps": step("TUPLE", 1)}, {"guards": b"x"}, {"words": b""}):
        with pytest.raises(ValueError, match="Entry"):
            entry(
                objects=constants,
                keepalive=objects[1],
                owner=objects[2],
                options=objects[3],
                **fields,
            )
    del constants

    assert [sys.getrefcount(one) for one in objects] == before


def test_an_entry_in_a_cycle_is_collected() -> None:
    """Owner, kernel and attributing entry may lead back to the entry."""
    owner = make.Owner()
    first = entry(owner=owner, python_kernel=owner.bailed)
    second = entry(owner=owner)
    vars(owner)["entries"] = (first, second)
    first.set_attributing(second)
    died = weakref.ref(owner)
    del owner, first, second
    gc.collect()

    assert died() is None


def test_an_attributing_entry_is_of_the_same_live_ins() -> None:
    """Anything else is refused, above all an entry that would lead back to itself."""
    first, second = entry(), entry()
    for wrong in (None, entry(n_live=2), first):
        with pytest.raises(TypeError):
            first.set_attributing(wrong)
    first.set_attributing(second)
    with pytest.raises(TypeError):
        second.set_attributing(first)


def test_exit_numbers_are_numbers() -> None:
    """One for each exit of the kernel, none negative, each fits."""
    made = entry(n_exits=2)
    for wrong in ([0, 1], (0,), (0, 1, 2), (0, "x")):
        with pytest.raises(TypeError):
            made.set_exit_numbers(wrong)
    with pytest.raises(ValueError, match="negative"):
        made.set_exit_numbers((0, -1))
    for big in (2**31, 2**32, 2**80):
        with pytest.raises((ValueError, OverflowError)):
            made.set_exit_numbers((0, big))
    made.set_exit_numbers((3, 1))


def test_failed_guard_gives_back_what_it_held() -> None:
    """Live-ins are counted as before, whatever came out; the wrong number of them is refused."""
    cell = (lambda: cell).__closure__
    assert cell is not None
    made = entry(
        objects=(list, cell[0], "no_such_attribute"),
        guards=guard("TYPE", 0, object=0)
        + guard("FETCH_CELL", 1, object=1)
        + guard("FETCH_ITEM", 2, a=0, c=1)
        + guard("FETCH_ATTR", 3, a=2, object=2),
        n_slots=4,
    )
    item = object()
    good, short = [1, item], [1]
    before = [sys.getrefcount(one) for one in (item, cell[0], good, short)]
    answers = [made.failed_guard((one,)) for one in (good, short, 3)]
    for wrong in ((), (1, 2), [1]):
        with pytest.raises(TypeError, match="failed_guard"):
            made.failed_guard(wrong)

    assert answers == [3, 2, 0]
    assert [sys.getrefcount(one) for one in (item, cell[0], good, short)] == before


def test_a_check_is_shown_what_a_launch_is_given() -> None:
    """It sees the entry and its first slots; what it raises ends the launch before the kernel."""
    seen: list[Any] = []
    ran: list[Any] = []

    def check(one: Any, slots: tuple[Any, ...]) -> None:
        seen.append((one is checked, slots, one.is_as_before(slots)))
        if slots == (13,):
            raise ValueError("unlucky")

    def kernel(*slots: Any) -> tuple[int, Any]:
        ran.append(slots)
        return 0, slots[0]

    checked = entry(python_kernel=kernel)
    checked.set_check(check, 1)
    assert checked.launch((7,)) == (0, 7)
    with pytest.raises(ValueError, match="unlucky"):
        checked.launch((13,))

    assert seen == [(True, (7,), True), (True, (13,), True)]
    assert ran == [(7,)]


def test_wrong_uses_of_checks_and_launches() -> None:
    """The counts of slots and live-ins are those of the entry."""
    one = entry()
    for count in (0, 2, -1):
        with pytest.raises(ValueError, match=f"set_check: the entry has 1 slots, not {count}"):
            one.set_check(print, count)
    for live in ((), (1, 2), [1]):
        with pytest.raises(TypeError, match="launch: a tuple of 1 live-ins is needed"):
            one.launch(live)
        with pytest.raises(TypeError, match="is_as_before: a tuple of 0 slots is needed"):
            one.is_as_before(live or (1,))


def test_items_from_the_end_and_lengths() -> None:
    made = entry(
        objects=(list,),
        guards=guard("FETCH_ITEM", 1, a=0, c=-2)
        + guard("FETCH_LENGTH", 2, a=0)
        + guard("INT_IS", 2, c=2),
        n_slots=3,
    )
    item = object()
    before = sys.getrefcount(item)
    answers = [made.failed_guard((one,)) for one in ([item, 1], (item, 1), [item], [1] * 3, 5)]

    assert answers == [None, None, 0, 2, 0]
    assert sys.getrefcount(item) == before
