"""Segments: what a stub is told, when a capture point is asked, what comes of an exception."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from collections.abc import Iterator
from typing import Any

import entries as make
import pytest
from entries import entry

from framejit.jit.native import _core


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    _core.hook_set_callbacks(None, None)  # they know nothing of these options
    with make.options():
        yield


class Point:
    """A capture point with answers that tests choose."""

    def __init__(self, answer: Any = False) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def miss(self, segment: Any, options: Any, live: tuple[Any, ...]) -> Any:
        self.asked.append(live)
        if isinstance(self.answer, type):
            raise self.answer
        return self.answer(segment, live) if callable(self.answer) else self.answer


@pytest.mark.parametrize(
    ("n_exits", "exit_", "told"),
    [
        (0, 0, "p"),
        (1, 0, "p"),
        (2, 0, (True, "p")),
        (2, 1, (False, "p")),
        (4, 0, (True, "p")),
        (4, 1, (False, (True, "p"))),
        (4, 2, (False, (False, (True, "p")))),
        (4, 3, (False, (False, (False, "p")))),
    ],
)
def test_exits_are_told_as_nested_pairs(n_exits: int, exit_: int, told: Any) -> None:
    """(is it this exit?, payload or the pair for those after it); one exit is its payload."""
    made = entry(n_exits=exit_ + 1, python_kernel=lambda live: (exit_, live))

    assert make.segment(made, n_exits=n_exits)("p") == told


def test_payloads_are_counted() -> None:
    """Each answer owns what it holds and nothing else does."""
    payload = object()
    made = make.segment(entry(), n_exits=3)
    before = sys.getrefcount(payload)
    for _ in range(100):
        made(payload)

    assert sys.getrefcount(payload) == before


def test_a_miss_asks_the_point() -> None:
    """With all live-ins, at each call, until it is closed."""
    point = Point()
    made = _core.Segment(point, 1)
    answers = [made(1, "x"), made(), made(2)]
    made.closed = True
    answers.append(made(3))

    assert answers == [None] * 4
    assert point.asked == [(1, "x"), (), (2,)]
    assert made.calls == 4


def test_a_capture_is_tried_at_once() -> None:
    """The point adds an entry, says so, and the call takes it."""

    def add(segment: Any, live: tuple[Any, ...]) -> bool:
        segment.add(entry())
        return True

    made = _core.Segment(Point(add), 1)

    assert [made("x"), made("y")] == ["x", "y"]
    assert (len(made.entries), made.entries[0].hits) == (1, 2)


@pytest.mark.parametrize("answer", [KeyError, KeyboardInterrupt])
def test_errors_of_the_point_come_out(answer: type[BaseException]) -> None:
    """They are the call's; the live-ins are given back."""
    live = object()
    made = _core.Segment(Point(answer), 1)
    before = sys.getrefcount(live)
    for _ in range(10):
        with pytest.raises(answer):
            made(live)
    made.point.asked.clear()

    assert sys.getrefcount(live) == before


def test_a_point_without_miss() -> None:
    """An AttributeError; nothing is kept."""
    live = object()
    made = _core.Segment(None, 1)
    before = sys.getrefcount(live)
    for _ in range(10):
        with pytest.raises(AttributeError, match="miss"):
            made(live)

    assert sys.getrefcount(live) == before


def test_the_most_recent_entry_is_first() -> None:
    """One that is added, and one that was taken."""
    first, second, third = entry(), entry(python_kernel=lambda _: None), entry(options=None)
    made = make.segment(first)
    made.add(second)
    made.add(third)

    assert made.entries == [third, second, first]
    # `second` bails, and a bail is an answer: nothing after it is tried.
    assert made("x") is None
    assert made.entries == [second, third, first]


def test_entries_come_and_go_while_one_runs() -> None:
    """A kernel may add entries to the segment that runs it."""

    def kernel(live: Any) -> Any:
        for _ in range(50):
            made.add(entry(options=None))
        return 0, live

    made = make.segment(entry(python_kernel=kernel))

    assert [made(1), made(2)] == [1, 2]
    assert len(made.entries) == 101


def test_only_entries_are_added() -> None:
    """Anything else is a TypeError; so are wrong constructor arguments."""
    for wrong in (None, object(), _core.Segment(None, 1)):
        with pytest.raises(TypeError, match="an Entry is needed"):
            make.segment().add(wrong)
    for arguments in ((), (None,), (None, "x"), (None, 1, 2)):
        with pytest.raises(TypeError):
            _core.Segment(*arguments)


def test_switched_off_it_takes_exit_0() -> None:
    """No options in force: the stub falls through, and nothing is asked."""
    point = Point()
    made = _core.Segment(point, 1)
    made.add(entry())
    with make.options(None):
        assert made("x") is None
    assert (made("x"), point.asked) == ("x", [])


@pytest.mark.parametrize("returns", [False, True])
def test_a_frame_that_is_held(returns: bool) -> None:
    """A segment that returns takes exit 0 while somebody holds the frame of its caller."""
    made = _core.Segment(None, 1, (), returns)
    made.add(entry())
    kept = []

    def caller() -> list[Any]:
        taken = [made("x")]
        kept.append(sys._getframe())
        taken.append(made("x"))
        kept.clear()
        return [*taken, made("x")]

    assert caller() == ["x", None if returns else "x", "x"]


def test_a_segment_in_a_cycle_is_collected() -> None:
    """Point and entries may lead back to it."""
    point = Point()
    made = _core.Segment(point, 1)
    made.add(entry(owner=made, python_kernel=point.miss))
    point.answer = made
    died = weakref.ref(point)
    del made, point
    gc.collect()

    assert died() is None


# ---- resuming ------------------------------------------------------------------------------------


def resumed(at: Any, first: Any) -> Any:
    """A dispatcher whose entry ends at a checkpoint with "payload"; its fallback calls `first`."""

    def function(a: Any) -> Any:
        return "from the start"

    def fallback(a: Any) -> Any:
        return first(a)

    made = _core.Dispatcher(function, None)
    made._closed = True
    made._add(entry(n_exits=2, python_kernel=lambda a: (1, "payload")))
    made._fallback = fallback
    made._resume = at
    return made


def test_the_stub_takes_what_the_launch_left() -> None:
    """The segment at the entry hands out the payload once, whatever its own entries say."""
    stub = make.segment()
    made = resumed(stub, lambda a: (stub(a), stub(a)))

    assert made(1) == ("payload", None)


def test_the_payload_waits_for_its_own_call() -> None:
    """Code that runs before the stub (a finaliser, a signal handler) may call the function too."""
    stub = make.segment()
    nested: list[Any] = []

    def first(a: Any) -> Any:
        if a == 0:
            nested.append(made(1))
            other._closed = True
            nested.append(other("x"))
        return stub(a)

    other = _core.Dispatcher(lambda a: None, None)
    other._fallback = lambda a: stub(a)
    made = resumed(stub, first)

    assert made(0) == "payload"
    assert nested == ["payload", None]


def test_an_exception_before_the_stub_drops_the_payload() -> None:
    """It is not there for the next call."""
    stub = make.segment()

    def first(a: Any) -> Any:
        raise KeyError

    made = resumed(stub, first)
    for _ in range(3):
        with pytest.raises(KeyError):
            made(1)

    assert stub(1) is None


@pytest.mark.parametrize(
    ("every", "seconds", "told"), [(0, 0, 1), (20, 0, 1), (4, 0, 0), (50, 0.001, 0)]
)
def test_calls_in_vain(every: int, seconds: float, told: int) -> None:
    """A closed segment says so when launches do not pay for them; a long one pays for many."""

    class Told(Point):
        count = 0

        def in_vain(self, segment: Any) -> None:
            self.count += 1

    def kernel(live: Any) -> Any:
        if seconds:
            time.sleep(seconds)
        return 0, live

    point = Told()
    made = _core.Segment(point, 1)
    is_float = make.guard("TYPE", 0, object=0)
    made.add(entry(python_kernel=kernel, objects=(float,), guards=is_float))
    made.closed = True
    for k in range(1000):
        made(1.0 if every and k % every == 0 else 1)

    assert point.count == told
