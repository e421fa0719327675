"""Functions that run rewritten code themselves: segments are measured from call to call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framejit import config
from framejit.frontends.report.facts import stats
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


@pytest.fixture(autouse=True)
def trials() -> Iterator[None]:
    before = native.set_trials(True)
    yield
    native.set_trials(before)


def polynomial(x: Any, y: Any) -> Any:
    return ((x * 2 + 1) * y - 3) * x


def in_a_loop(x: Any, turns: int) -> Any:
    total = x * 0
    for _ in range(turns):
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
    f, manager = adopted(polynomial)
    with config(backend="numpy"):
        f(X, X)
        measured(manager)
        for _ in range(DROPPED):
            f(X, X)
        assert native.running_code(f).co_code == polynomial.__code__.co_code
        assert np.array_equal(f(X, X), polynomial(X, X))
    assert stats(manager, manager.dispatcher)["slower"] == 1


def test_a_segment_in_a_loop_is_measured_by_its_turns() -> None:
    """The function need not be called again."""
    f, manager = adopted(in_a_loop)
    with config(backend="numpy"):
        f(X, 5)
        f(X, 5)
        measured(manager)
        before = hits(manager)
        assert np.array_equal(f(X, 400), in_a_loop(X, 400))
    assert hits(manager) - before < 300


def test_segments_that_decline_in_turns_give_the_same() -> None:
    """Each other turn of the loop is plain Python's."""
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
    """What was begun and will not end holds nothing."""
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
