"""Launches: how they can end, what is kept, memory of slots, words and scratch."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any

import entries as make
import numpy as np
import pytest
from entries import FIRST, OPTIONS, Owner, Words, entry, guard, load, machine_entry, recipe, step
from oracle import assert_normally

from framejit.jit.native import _core

F8 = np.dtype("f8")
BAIL, ERROR = _core.KERNEL_BAIL, _core.KERNEL_ERROR
ARRAY = guard("ARRAY", 0, a=12, b=1, c=2, object=0x101, extra=0)
INVALID = 0x01


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


def run(made: Any, *live: Any, n_exits: int = 1) -> Any:
    """Return the objects that a stub gets; None for exit 0."""
    return make.segment(made, n_exits=n_exits)(*live)


# ---- outcomes ------------------------------------------------------------------------------------


def test_a_machine_kernel_is_taken() -> None:
    """Words are loaded, the kernel runs, the recipe reads them; hits count."""

    def kernel(w: Words) -> int:
        w[FIRST] *= 6
        return 0

    made = machine_entry(
        kernel, loads=load("INT", 0, FIRST), guards=guard("INT64"), steps=step("INT", FIRST)
    )

    assert (run(made, 7), run(made, "x"), made.hits) == (42, None, 1)


@pytest.mark.parametrize(
    ("code", "told", "ends"),
    [
        (BAIL, [("check", 0)], None),
        (0, [("checkpoint", 0)], (True, "live")),
        (1, [], (False, "live")),
        (2, [], SystemError),
        (2**40, [], SystemError),
        (ERROR, [], SystemError),
        (-77, [], SystemError),
    ],
)
@pytest.mark.parametrize("in_python", [True, False])
def test_every_exit(code: int, told: list[Any], ends: Any, in_python: bool) -> None:
    """The last exit is the end, others are checkpoints; what is no exit is an error."""
    owner, live = Owner(), "live"
    fields: dict[str, Any] = {"owner": owner, "n_exits": 2}
    if in_python:
        answer = None if code == BAIL else (code, live)
        made = entry(python_kernel=lambda _: answer, **fields)
    else:
        fields["recipes"] = recipe(0, 1) * 2
        made = machine_entry(lambda _: code, **fields)
    if isinstance(ends, type):
        with pytest.raises(ends):
            run(made, live, n_exits=2)
    else:
        assert run(made, live, n_exits=2) == ends
    assert owner.told == told


@pytest.mark.parametrize("answer", [1, (), (1,), (0, 1, 2), ("x", 1), (2**80, 1), [0, 1]])
def test_a_python_kernel_answers_with_a_pair(answer: Any) -> None:
    """Anything else is an error, and is not kept."""
    made = entry(python_kernel=lambda _: answer)
    before = sys.getrefcount(answer)
    for _ in range(10):
        with pytest.raises((TypeError, SystemError, OverflowError)):
            run(made, 1)

    assert sys.getrefcount(answer) == before


def test_exit_numbers_are_those_of_the_stub() -> None:
    """The stub is told the number that stands for the kernel's; one that it has not is an error."""
    made = entry(n_exits=2, python_kernel=lambda live: (1, live))
    made.set_exit_numbers((0, 2))

    assert run(made, "x", n_exits=3) == (False, (False, "x"))
    payload = object()
    before = sys.getrefcount(payload)
    for n_exits in (0, 1, 2):
        with pytest.raises(SystemError, match="has no exit 2"):
            run(made, payload, n_exits=n_exits)
    assert sys.getrefcount(payload) == before


def test_an_entry_that_keeps_bailing_is_not_run() -> None:
    """After so many in a row; one that was taken begins the count again."""
    answers: list[Any] = [None] * 5 + [(0, 1)] + [None] * 100
    made = entry(python_kernel=lambda _: answers.pop(0))
    for _ in range(60):
        run(made, 1)

    assert made.hits == 1
    assert made.bails_in_row >= _core.MAX_BAILS_IN_ROW or make.entry is None
    assert made.bails <= 5 + _core.MAX_BAILS_IN_ROW + 6


def test_an_entry_that_keeps_bailing_is_tried_again() -> None:
    """After a while two times, and then after twice as long."""
    answers: list[Any] = [None] * (_core.MAX_BAILS_IN_ROW + 2) + [(0, 1)] * 5
    made = entry(python_kernel=lambda _: answers.pop(0))
    hits = []
    for _ in range(_core.MAX_BAILS_IN_ROW + 33 + 64 + 2):
        run(made, 1)
        hits.append(made.hits)

    assert_normally((made.bails, hits[-4:]), (_core.MAX_BAILS_IN_ROW + 2, [0, 1, 2, 3]))


@pytest.mark.parametrize("method", ["bailed", "warn", "may_attribute"])
def test_an_owner_that_raises(method: str) -> None:
    """Its exception ends the call; the result that was there is given back."""

    def fails(*_: Any) -> Any:
        raise LookupError(method)

    def kernel(w: Words) -> int:
        w.ask("LOG", 3, INVALID)
        return BAIL if method == "bailed" else 0

    made = machine_entry(kernel, owner=Owner(**{method: fails}))
    if method == "may_attribute":
        made.set_attributing(entry())
    live = object()
    before = sys.getrefcount(live)
    for _ in range(10):
        with pytest.raises(LookupError, match=method):
            run(made, live)

    assert sys.getrefcount(live) == before


def test_an_owner_without_methods() -> None:
    """An AttributeError, and what was to be handed over is not kept."""

    def kernel(w: Words) -> int:
        w.ask("LOG", 3, INVALID)
        return 0

    made = machine_entry(kernel, owner=None)
    for _ in range(3):
        with pytest.raises(AttributeError, match="warn"):
            run(made, 1)


def test_the_log_grows() -> None:
    """As many flags as there are, in order."""
    owner = Owner()

    def kernel(w: Words) -> int:
        for node in range(100):
            assert w.ask("LOG", node, INVALID) == 0
        return 0

    assert run(machine_entry(kernel, owner=owner), 1) == 1
    assert owner.told == [[(node, INVALID) for node in range(100)]]


def test_an_attributing_entry_runs_where_it_may() -> None:
    """The owner says so at each launch; it is held while it runs."""
    owner = Owner()
    first = entry(owner=owner)
    first.set_attributing(entry(python_kernel=lambda _: (0, "attributed")))
    answers = [run(first, "x")]
    owner.may_attribute = lambda: False  # type: ignore[method-assign]
    answers.append(run(first, "x"))

    def replace(_: Any) -> Any:
        first.set_attributing(entry())
        gc.collect()
        return 0, "replaced"

    owner.may_attribute = lambda: True  # type: ignore[method-assign]
    first.set_attributing(entry(python_kernel=replace))
    answers.append(run(first, "x"))

    assert answers == ["attributed", "x", "replaced"]


# ---- flags ---------------------------------------------------------------------------------------


def test_flags_that_eager_would_report_bail() -> None:
    """Raised ones, collected ones; ignored ones are taken."""
    owner = Owner()

    def kernel(w: Words) -> int:
        w[_core.WORDS["RAISED"]] = INVALID
        return 0

    made = machine_entry(kernel, owner=owner, reports=INVALID)
    with np.errstate(invalid="warn"):
        assert run(made, 1) is None
    with np.errstate(invalid="ignore"):
        assert run(made, 1) == 1
    assert owner.told == [("flags", INVALID)]


# ---- memory --------------------------------------------------------------------------------------


def test_scratch_is_aligned_and_ones_own() -> None:
    """64 bytes; a launch inside a launch has another piece."""
    seen = []

    def kernel(w: Words) -> int:
        seen.append(w[_core.WORDS["SCRATCH"]])
        if len(seen) < 3:
            run(made, 1)
        return 0

    made = machine_entry(kernel, scratch=100)
    run(made, 1)

    assert len(set(seen)) == 3
    assert [address % 64 for address in seen] == [0, 0, 0]


def test_scratch_that_cannot_be_had_bails() -> None:
    """Eager answers."""
    made = machine_entry(lambda _: 0, scratch=2**62)

    assert run(made, 1) is None
    assert run(machine_entry(lambda _: 0, scratch=64), 1) == 1


def resident() -> int:
    """Bytes of memory in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_scratch_ends_with_its_thread() -> None:
    """Threads come and go, and take their scratch memory with them."""
    size = 1 << 20

    def kernel(w: Words) -> int:
        address = w[_core.WORDS["SCRATCH"]]
        Words(address)[0] = 1
        for at in range(0, size, 4096):
            Words(address + at)[0] = 1
        return 0

    made = make.segment(machine_entry(kernel, scratch=size))

    def work() -> None:
        with make.options():
            assert made(1) == 1

    def threads(count: int) -> None:
        for _ in range(count):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()

    threads(5)
    before = resident()
    threads(60)

    assert resident() - before < 30 * size


@pytest.mark.parametrize("n_slots", [1, 24, 25, 300])
@pytest.mark.parametrize("n_words", [FIRST, 160, 161, 5000])
def test_many_slots_and_words(n_slots: int, n_words: int) -> None:
    """Beyond what fits the stack they are on the heap, and are given back."""
    live = [object() for _ in range(n_slots)]
    made = machine_entry(
        lambda _: 0,
        n_live=n_slots,
        words=bytes(8 * n_words),
        steps=step("SLOT", n_slots - 1),
    )
    before = sys.getrefcount(live[-1])
    same = [run(made, *live) is live[-1] for _ in range(10)]
    after = sys.getrefcount(live[-1])

    assert all(same)
    assert after == before


def test_segments_take_the_live_ins_they_were_made_for() -> None:
    """Fewer or more are no launch: an entry must not read what is not there."""
    made = make.segment(entry(n_live=2, n_slots=2, options=OPTIONS))

    assert (made(), made(1), made(1, 2, 3)) == (None, None, None)
    assert made("x", 2) == "x"
