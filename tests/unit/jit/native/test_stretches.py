"""Functions that run rewritten code themselves: segments are measured from call to call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framejit import config, jit
from framejit.frontends.report.facts import stats
from framejit.frontends.runtime.segments import MAX_RETURNS
from framejit.frontends.undecorated.inplace import adopt
from framejit.jit import native

pytestmark = pytest.mark.counts("which side serves")

X = np.linspace(0, 1, 5)
PATIENCE = 32
"""So many calls come before the first trial."""
TRIAL = 17
"""So many at most are in a trial, with the call that ends the last stretch."""
DROPPED = 20_000
"""After so many calls two trials are over, and 500 calls more."""
TRIES = 3


@pytest.fixture(autouse=True)
def trials() -> Iterator[None]:
    before = native.set_trials(True)
    yield
    native.set_trials(before)
    native.stop_clock(-1)


def polynomial(x: Any, y: Any) -> Any:
    return ((x * 2 + 1) * y - 3) * x


def in_a_loop(x: Any, iterations: int) -> Any:
    total = x * 0
    for _ in range(iterations):
        total = ((total * 2 + 1) * x - 3) * x
        print(end="")
    return total


def adopted(function: Any) -> Any:
    """A copy that runs rewritten code, and what stands behind it."""
    made = type(function)(function.__code__, function.__globals__, function.__name__)
    assert adopt(made)
    return made, native.owned(made)


def measured(manager: Any) -> None:
    """Kernels of the reference backend, which are slow, are measured as others are."""
    for entry in manager.entries:
        entry.native.patience = PATIENCE


def hits(manager: Any) -> int:
    return sum(entry.native.hits for entry in manager.entries)


def segment_of(manager: Any) -> Any:
    """The segment that has entries."""
    (point,) = [one for one in manager.segmented.points.values() if one.entries]
    return point.segment


def test_plain_python_serves_in_place_of_a_segment() -> None:
    """The report and the numbers say so; guards and kernel are not reached."""
    f, manager = adopted(polynomial)
    with config(backend="numpy"):
        expected = polynomial(X, X)
        f(X, X)
        measured(manager)
        for _ in range(PATIENCE + TRIAL):
            assert np.array_equal(f(X, X), expected)
        trials, plain, kernel, as_it_is = segment_of(manager).trial()
        assert (trials, plain) == (1, 1)
        assert kernel > as_it_is > 0
        before = hits(manager)
        f(X, X)
    assert hits(manager) == before
    assert stats(manager, manager.dispatcher)["slower"] == 1


def test_the_stub_of_a_short_segment_goes_in_the_end() -> None:
    """Tried several times: what else the machine does may slow down one side of a comparison."""
    for _ in range(TRIES):
        f, manager = adopted(polynomial)
        with config(backend="numpy"):
            f(X, X)
            measured(manager)
            for _ in range(DROPPED):
                f(X, X)
            if native.running_code(f).co_code == polynomial.__code__.co_code:
                break
    assert native.running_code(f).co_code == polynomial.__code__.co_code
    with config(backend="numpy"):
        assert np.array_equal(f(X, X), polynomial(X, X))
    assert stats(manager, manager.dispatcher)["slower"] == 1


def with_breaks(x: Any, y: Any, seen: set[int], spend: Any) -> Any:
    seen.add(1)
    spend()
    seen.add(2)
    z = ((x * 2 + 1) * x - 3) * x
    seen.add(3)
    return (((z + y) * 2 + 1) * y - 3) * y


def nothing() -> None:
    pass


class Passing:
    """Lets so many nanoseconds pass on the clock of the trials, which stands otherwise."""

    now = 0

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds

    def __call__(self) -> None:
        Passing.now += self.nanoseconds
        native.stop_clock(Passing.now)


def dropped_of(manager: Any) -> list[int]:
    return [at for at, point in manager.segmented.points.items() if point.dropped and point.entries]


def drop_stubs(f: Any, manager: Any) -> None:
    """As after many calls that plain Python was faster for."""
    f(X, X, set(), nothing)
    f(X, X, set(), nothing)
    code = manager.segmented
    versions = code.versions
    for point in code.points.values():
        point.dropped = bool(point.entries)
    code.rewrite()
    assert len(dropped_of(manager)) == 2
    assert code.versions == versions


def test_dropped_stubs_come_back_for_another_kind_of_call() -> None:
    """Calls of a decorated function that take much longer put them back, with their entries."""
    f = jit(with_breaks, backend="numpy")
    drop_stubs(f, f._manager)
    versions = f._manager.segmented.versions
    for _ in range(PATIENCE + TRIAL):
        f(X, X, set(), nothing)
    assert len(dropped_of(f._manager)) == 2
    for _ in range(100):
        f(X, X, set(), Passing(1_000_000))
    assert dropped_of(f._manager) == []
    assert f._manager.segmented.versions == versions


def test_a_new_entry_brings_dropped_stubs_back() -> None:
    """Its arguments are of a kind that those that lost have not seen."""
    f, manager = adopted(with_breaks)
    with config(backend="numpy"):
        drop_stubs(f, manager)
        manager.segmented.points[dropped_of(manager)[1]].dropped = False
        manager.segmented.rewrite()
        assert len(dropped_of(manager)) == 1
        f(X, X.astype("f4"), set(), nothing)
    assert dropped_of(manager) == []


def test_dropped_stubs_come_back_a_few_times() -> None:
    """Kinds of calls may go on to change, and each time they are measured anew."""
    f, manager = adopted(with_breaks)
    with config(backend="numpy"):
        drop_stubs(f, manager)
    points = [manager.segmented.points[at] for at in dropped_of(manager)]
    came_back = 0
    for _ in range(MAX_RETURNS + 2):
        came_back += manager.other_kind()
        for point in points:
            point.dropped = True
    assert came_back == MAX_RETURNS


def test_a_segment_in_a_loop_is_measured_by_its_iterations() -> None:
    """The function need not be called again."""
    f, manager = adopted(in_a_loop)
    with config(backend="numpy"):
        f(X, 5)
        f(X, 5)
        measured(manager)
        before = hits(manager)
        assert np.array_equal(f(X, 400), in_a_loop(X, 400))
    assert hits(manager) - before < 300


class Asked:
    """A capture point that counts its misses and captures nothing."""

    misses = 0

    def miss(self, *_: object) -> bool:
        self.misses += 1
        return False


def test_nothing_is_captured_in_the_time_of_plain_python() -> None:
    """A segment without entries declines too while another one is measured."""
    f, manager = adopted(polynomial)
    with config(backend="numpy"):
        f(X, X)
        measured(manager)
        other = Asked()
        without_entries = native.Segment(other, 1, (), False, manager.timing)
        for _ in range(PATIENCE + TRIAL):
            f(X, X)
            without_entries()
    assert other.misses == PATIENCE + TRIAL - 8


def test_segments_that_decline_in_iterations_give_the_same() -> None:
    """Each other iteration of the loop is plain Python's."""
    native.set_trials(2)
    f, manager = adopted(in_a_loop)
    for _ in range(3):
        assert np.array_equal(f(X, 40), in_a_loop(X, 40))
    before = hits(manager)
    f(X, 40)
    assert 0 < hits(manager) - before < 40


def test_a_kernel_that_is_faster_goes_on() -> None:
    f, manager = adopted(polynomial)
    x = np.linspace(0, 1, 3000)
    for _ in range(PATIENCE + TRIAL + 4):
        f(x, x)
    assert segment_of(manager).trial()[:2] == (1, 0)
    before = hits(manager)
    f(x, x)
    assert hits(manager) == before + 1
    assert stats(manager, manager.dispatcher)["slower"] == 0


def test_functions_die_in_a_stretch() -> None:
    """A measurement that began and will never end holds no objects."""
    import gc
    import weakref

    f, manager = adopted(polynomial)
    with config(backend="numpy"):
        f(X, X)
        measured(manager)
        for _ in range(PATIENCE + TRIAL // 2):
            f(X, X)
    refs = [weakref.ref(f), weakref.ref(manager)]
    del f, manager
    gc.collect()
    assert [ref() for ref in refs] == [None] * 2


def test_segments_take_a_timing_or_none() -> None:
    with pytest.raises(TypeError):
        native.Timing(1)  # type: ignore[call-arg]
    segment = native.Segment(None, 1, (), False, native.Timing())
    assert segment.trial()[:2] == (0, 0)
    segment.forget()
    assert segment() is None
