"""Kernels and rewritten code are measured against plain Python, and the faster one serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import framejit
from framejit.jit import native

pytestmark = pytest.mark.counts("which side serves")

X = np.linspace(0, 1, 5)
CALLS = 20
"""So many calls end the first trial of rewritten code, and any later one."""
BRIEF_CALLS = 36
"""The same of brief calls."""
SPECIALISED = 11
"""The number of brief calls of plain Python that weigh as much as two short ones."""
WARM = 5
"""So many calls of rewritten code capture and compile before that."""
UNNOTICED = 64
"""So many brief calls are not looked at."""
PATIENCE = 32
"""So many launches come before the first trial of a kernel."""


US = 1_000
MS = 1_000_000
"""Nanoseconds."""


class Clock:
    """The clock of the trials: it goes when a test lets it."""

    def __init__(self) -> None:
        self.now = 0
        native.stop_clock(0)

    def spend(self, nanoseconds: int) -> None:
        """Let this time pass."""
        self.now += nanoseconds
        native.stop_clock(self.now)


@pytest.fixture(autouse=True)
def trials() -> Iterator[None]:
    before = native.set_trials(True)
    yield
    native.set_trials(before)


@pytest.fixture
def clock() -> Iterator[Clock]:
    yield Clock()
    native.stop_clock(-1)


def _takes(
    clock: Clock,
    compiled: int,
    plain: int,
    calls: list[bool] | None = None,
    more: Sequence[int] = (),
) -> Any:
    """A function with a break in it, which takes so many nanoseconds on each side, and some more.

    `calls` is told of each whether it was plain Python.
    """

    def program(x: Any) -> Any:
        y = np.sqrt(x * x + 1.0) - x
        print(end="")
        clock.spend((plain if ran_plain() else compiled) + sum(more))
        if calls is not None:
            calls.append(ran_plain())
        return y * 2

    def ran_plain() -> bool:
        import sys

        return sys._getframe(1).f_code is program.__code__

    return program


def test_plain_python_serves_where_it_is_faster(clock: Clock) -> None:
    program = _takes(clock, 2 * MS, 1 * MS)
    jitted = framejit.jit(program)
    for _ in range(CALLS):
        assert np.array_equal(jitted(X), program(X))
    trials, plain, rewritten, as_it_is = jitted._trial
    assert (trials, plain) == (1, 1)
    assert (rewritten, as_it_is) == (2 * MS, 1 * MS)
    launches = jitted.stats()["launches"]
    jitted(X)
    assert jitted.stats()["launches"] == launches
    assert "runs as it is for now" in " ".join(str(framejit.explain(jitted)(X)).split())


def test_kernels_serve_where_they_are_faster(clock: Clock) -> None:
    """One long call of plain Python tells, where it takes twice as long."""
    calls: list[bool] = []
    jitted = framejit.jit(_takes(clock, 1 * MS, 3 * MS, calls))
    for _ in range(CALLS):
        jitted(X)
    assert jitted._trial[:2] == (1, 0)
    assert calls.count(True) == 1
    launches = jitted.stats()["launches"]
    jitted(X)
    assert jitted.stats()["launches"] > launches


@pytest.mark.parametrize(
    ("compiled", "plain", "needed"), [(20, 60, 2), (1, 10, 2), (1, 3, SPECIALISED)]
)
def test_short_calls_of_plain_python_tell_after_two(
    clock: Clock, compiled: int, plain: int, needed: int
) -> None:
    """Brief ones only where they take five times as long: CPython specialises code that runs."""
    calls: list[bool] = []
    jitted = framejit.jit(_takes(clock, compiled * US, plain * US, calls))
    for _ in range(BRIEF_CALLS):
        jitted(X)
        if jitted._trial[0]:
            break
    assert jitted._trial[:2] == (1, 0)
    assert calls.count(True) == needed


def test_other_calls_bring_another_trial(clock: Clock) -> None:
    """The side that is faster for short calls may be slower for long ones of the same kind."""
    more: list[int] = []
    jitted = framejit.jit(_takes(clock, 1 * US, 10 * US, more=more))
    for _ in range(CALLS):
        jitted(X)
    assert jitted._trial[0] == 1
    more.append(20 * MS)
    for _ in range(UNNOTICED + 3 + 8):
        jitted(X)
    assert jitted._trial[0] == 2


@pytest.mark.parametrize("ratio", [2, 10, 100])
def test_trials_cost_less_than_a_hundredth(clock: Clock, ratio: int) -> None:
    """Once the first one is paid for."""
    calls: list[bool] = []
    jitted = framejit.jit(_takes(clock, 20 * US, ratio * 20 * US, calls))
    for _ in range(500):  # the code is rewritten for the last time
        jitted(X)
    for _ in range(300 * ratio):
        jitted(X)
    assert jitted._trial[0] > 0
    calls.clear()
    for _ in range(20_000):
        jitted(X)
    assert calls.count(True) * (ratio - 1) <= 0.01 * len(calls)


def test_a_pause_is_found_out(clock: Clock) -> None:
    """One in the first call of plain Python makes it lose, until that is paid for."""
    more: list[int] = []
    jitted = framejit.jit(_takes(clock, 2 * MS, 1 * MS, more=more))
    for _ in range(WARM + 2):
        jitted(X)
    more.append(80 * MS)
    jitted(X)
    more.clear()
    assert jitted._trial == (1, 0, 2 * MS, 81 * MS)
    for _ in range(8_000):
        jitted(X)
    assert jitted._trial[1] == 1


@pytest.mark.parametrize(
    ("plain", "slow", "expected"),
    [
        pytest.param(120 * MS, (), 2, id="clear"),
        pytest.param(103 * MS, (), 4, id="close"),
        pytest.param(120 * MS, (33, 34), 3, id="halves that differ"),
    ],
)
def test_results_that_may_be_wrong_bring_another_trial_soon(
    clock: Clock, plain: int, slow: tuple[int, ...], expected: int
) -> None:
    """The second trial of a clear case begins with call 33, and with the compiled side."""
    more: list[int] = []
    jitted = framejit.jit(_takes(clock, 100 * MS, plain, more=more))
    for number in range(100):
        more[:] = [100 * MS] if number in slow else []
        jitted(X)
    assert jitted._trial[:2] == (expected, 0)


def polynomial(x: Any, y: Any) -> Any:
    return ((x * 2 + 1) * y - 3) * x


def test_plain_python_serves_instead_of_a_kernel() -> None:
    """The reference backend is slow; as it is there to be looked at, nobody else measures it."""
    jitted = framejit.jit(polynomial, backend="numpy")
    expected = polynomial(X, X)
    jitted(X, X)
    (entry,) = jitted._entries
    assert entry.patience == 0
    entry.patience = PATIENCE
    for _ in range(PATIENCE + CALLS):
        assert np.array_equal(jitted(X, X), expected)
    trials, plain, kernel, as_it_is = entry.trial()
    assert (trials, plain) == (1, 1)
    assert kernel > as_it_is > 0
    hits, bails = entry.hits, entry.bails
    jitted(X, X)
    assert (entry.hits, entry.bails) == (hits, bails)
    assert "runs as it is for now" in " ".join(str(framejit.explain(jitted)(X, X)).split())


def test_a_kernel_that_is_faster_serves() -> None:
    """One call of plain Python tells, where it takes twice as long."""
    jitted = framejit.jit(polynomial, backend="numba")
    x = np.linspace(0, 1, 3000)
    for _ in range(PATIENCE + CALLS):
        jitted(x, x)
    (entry,) = jitted._entries
    assert entry.trial()[:2] == (1, 0)
    assert entry.hits >= PATIENCE + CALLS - 8
    hits = entry.hits
    jitted(x, x)
    assert entry.hits == hits + 1


def test_plain_python_is_not_tried_where_a_launch_takes_long() -> None:
    """It might take minutes, and more memory than there is."""
    jitted = framejit.jit(polynomial, backend="numpy")
    jitted(X, X)
    (entry,) = jitted._entries
    assert entry.longest == 10**9
    entry.patience, entry.longest = PATIENCE, 1
    for _ in range(PATIENCE + CALLS):
        jitted(X, X)
    assert entry.trial()[:2] == (1, 0)
    assert jitted.stats()["hits"] == jitted.stats()["calls"]


def test_long_calls_are_tried_after_a_few() -> None:
    """They need not be called 32 times, unless plain Python might take a hundred times as long."""
    x = np.linspace(0, 1, 3_000_000)
    for longest, tried in ((10**9, True), (10**9 - 1, False)):
        jitted = framejit.jit(polynomial, backend="numpy")
        jitted(x, x)
        (entry,) = jitted._entries
        entry.patience, entry.longest = PATIENCE, longest
        for _ in range(PATIENCE - 8):
            jitted(x, x)
        assert (entry.trial()[0] > 0) == tried


def test_what_is_clear_is_not_asked_again_soon(clock: Clock) -> None:
    """One call of plain Python is a part in a hundred of the calls before the next trial."""
    calls: list[bool] = []
    jitted = framejit.jit(_takes(clock, 20 * US, 2 * MS, calls))
    while not calls.count(True):
        jitted(X)
    begun = len(calls)
    for _ in range(9_000):
        jitted(X)
    assert calls[begun:].count(True) == 0
    assert jitted._trial[:2] == (1, 0)


def test_kernels_that_go_over_elements_are_tried_late() -> None:
    """Plain Python would take a hundred times as long."""

    def scan(x: Any) -> Any:
        total = 0.0
        for k in range(len(x)):
            total = total * 0.5 + x[k]
        return total

    jitted = framejit.jit(scan, backend="numba")
    jitted(X)
    assert [entry.patience for entry in jitted._entries] == [256]


def test_whole_calls_that_the_frame_hook_catches_are_measured() -> None:
    """Their frames run as they are where that is faster, and most without a look at the guards."""

    def caught(x: Any, y: Any) -> Any:
        return ((x * 2 + 1) * y - 3) * x

    with framejit.config(backend="numpy"), framejit.capture():
        caught(X, X)
        dispatcher = native.owned(caught)
        (entry,) = dispatcher._entries
        entry.patience = PATIENCE
        for _ in range(PATIENCE + CALLS):
            assert np.array_equal(caught(X, X), polynomial(X, X))
        assert entry.trial()[:2] == (1, 1)
        hits, plain = entry.hits, dispatcher._plain
        for _ in range(10):
            caught(X, X)
    assert entry.hits == hits
    assert dispatcher._plain == plain + 10
    assert dispatcher.stats()["slower"] == 1


def test_rewritten_code_that_the_frame_hook_puts_in_is_measured(clock: Clock) -> None:
    calls: list[bool] = []
    program = _takes(clock, 2 * MS, 1 * MS, calls)
    with framejit.capture():
        for _ in range(CALLS):
            program(X)
        dispatcher = native.owned(program)
        assert dispatcher._trial == (1, 1, 2 * MS, 1 * MS)
        calls.clear()
        program(X)
    assert calls == [True]


def test_caught_calls_that_raise_do_not_count() -> None:
    def caught(x: Any) -> Any:
        y = x * 2 + 1
        print(end="")
        raise KeyError(y.size)

    with framejit.capture():
        for _ in range(3 * CALLS):
            with pytest.raises(KeyError):
                caught(X)
    assert native.owned(caught)._trial[0] == 0


def test_calls_that_raise_do_not_count() -> None:
    def program(x: Any) -> Any:
        y = np.sqrt(x * x + 1.0) - x
        print(end="")
        if x.size > 5:
            raise KeyError(x.size)
        return y * 2

    jitted = framejit.jit(program)
    for _ in range(3 * CALLS):
        with pytest.raises(KeyError):
            jitted(np.ones(6))
    assert jitted._trial[0] == 0
    for _ in range(BRIEF_CALLS):
        jitted(X)
    assert jitted._trial[0] == 1


def test_calls_within_a_call_are_on_its_side() -> None:
    def program(x: Any, depth: int) -> Any:
        y = x * 2 + depth
        print(end="")
        return y + jitted(x, depth - 1) if depth else y

    jitted = framejit.jit(program)
    expected = program(X, 3)
    for _ in range(3 * CALLS):
        assert np.array_equal(jitted(X, 3), expected)


def test_generator_functions_are_not_measured() -> None:
    def program(x: Any) -> Any:
        yield x * 2 + 1
        print(end="")
        yield x * 3 + 1

    jitted = framejit.jit(program)
    for _ in range(2 * CALLS):
        assert len(list(jitted(X))) == 2
    assert jitted._trial[0] == 0


def test_checked_launches_are_not_measured(clock: Clock) -> None:
    """With `verify` each call is to run its kernels, and to be compared."""
    jitted = framejit.jit(_takes(clock, 2 * MS, 1 * MS), verify=True)
    for _ in range(CALLS):
        jitted(X)
    assert jitted._trial[1] == 0
    launches = jitted.stats()["launches"]
    jitted(X)
    assert jitted.stats()["launches"] > launches
