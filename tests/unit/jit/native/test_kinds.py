"""Each kind of calls has a verdict of its own: types and sizes of the arguments tell them apart."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import framejit
from framejit.jit import native

pytestmark = pytest.mark.counts("which side serves")

SMALL, LARGE = np.linspace(0, 1, 5), np.linspace(0, 1, 5000)
US = 1_000
"""Nanoseconds."""
SETTLED = 400
"""Calls after which the trials of a few kinds are over."""
KINDS = 8
"""The number of kinds that are told apart."""
Spend = Callable[[int], None]


@pytest.fixture(autouse=True)
def trials() -> Iterator[None]:
    before = native.set_trials(True)
    yield
    native.set_trials(before)


@pytest.fixture
def spend() -> Iterator[Spend]:
    """Lets nanoseconds pass on the clock of the trials, which stands otherwise."""
    now = 0

    def spend(nanoseconds: int) -> None:
        nonlocal now
        now += nanoseconds
        native.stop_clock(now)

    spend(0)
    yield spend
    native.stop_clock(-1)


def _better_for_large(spend: Spend, plain_calls: list[Any]) -> Any:
    """Rewritten code takes 20 us, plain Python 10 for small arrays and 200 for large ones."""

    def program(x: Any) -> Any:
        y = x * 2 + 1
        print(end="")
        spend(time(x))
        return y * 2

    def time(x: Any) -> int:
        import sys

        if sys._getframe(1).f_code is not program.__code__:
            return 20 * US
        plain_calls.append(len(x))
        return 200 * US if len(x) > 100 else 10 * US

    return program


def test_kinds_in_iterations_have_verdicts_of_their_own(spend: Spend) -> None:
    plain_calls: list[int] = []
    program = _better_for_large(spend, plain_calls)
    jitted = framejit.jit(program)
    for _ in range(SETTLED):
        for x in (SMALL, LARGE):
            assert np.array_equal(jitted(x), (x * 2 + 1) * 2)
    plain_calls.clear()
    for _ in range(20):
        jitted(SMALL)
        jitted(LARGE)
    assert plain_calls == [len(SMALL)] * 20
    assert sorted(side for _, side, *_ in jitted._trials) == [0, 1]


def test_the_report_names_the_kind_that_lost(spend: Spend) -> None:
    jitted = framejit.jit(_better_for_large(spend, []))
    for _ in range(SETTLED):
        jitted(SMALL)
        jitted(LARGE)
    assert jitted.stats()["slower"] == 1
    told = " ".join(str(framejit.explain(jitted)(SMALL)).split())
    assert "10.0 us" in told


def test_one_more_kind_is_tried_when_the_others_are_paid_for(spend: Spend) -> None:
    """Plain Python takes a hundred times as long for all of them: a part in a hundred is lost."""
    plain, calls = 0, 20_000

    def program(x: Any) -> Any:
        y = x * 2 + 1
        print(end="")
        spend(time())
        return y * 2

    def time() -> int:
        nonlocal plain
        import sys

        is_plain = sys._getframe(1).f_code is program.__code__
        plain += is_plain
        return 2_000 * US if is_plain else 20 * US

    jitted = framejit.jit(program)
    arrays = [np.ones(4**k) for k in range(1, 6)]
    for number in range(calls):
        jitted(arrays[number % len(arrays)])
    assert len(jitted._trials) == len(arrays)
    assert plain * 99 <= calls * 0.015


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (np.ones(10), np.ones(12), False),
        (np.ones(10), np.ones(100), True),
        (np.ones(10), np.ones(10, int), True),
        (np.ones((4, 4)), np.ones(16), True),
        (np.ones((4, 4)), np.ones((4, 4)).T[::2], True),
        (5, 6, False),
        (5, 5_000, True),
        (5, 5.0, True),
        (5, -(2**70), True),
        ([1] * 5, [1] * 6, False),
        ([1] * 5, [1] * 50, True),
        ((), (1,), True),
        ("a", "a" * 100, True),
        ({}, {1: 2}, True),
        (True, False, True),
        (None, False, True),
    ],
)
def test_what_tells_kinds_apart(one: Any, other: Any, differ: bool) -> None:
    def program(x: Any, what: Any) -> Any:
        y = x * 2 + 1
        print(end="")
        return y * 2

    jitted = framejit.jit(program)
    for _ in range(10):
        jitted(SMALL, one)
    for _ in range(10):
        jitted(SMALL, other)
    assert len(jitted._trials) == (2 if differ else 1)


def test_more_kinds_than_there_is_room_for_share_a_verdict() -> None:
    jitted = framejit.jit(lambda x, n: (x * 2 + 1, print(end=""))[0] * 2)
    for k in range(2 * KINDS):
        for _ in range(10):
            assert np.array_equal(jitted(SMALL, 8**k), (SMALL * 2 + 1) * 2)
    assert len(jitted._trials) == KINDS


def test_a_kernel_has_trials_of_its_own_for_each_kind() -> None:
    """Calls of the kind that lost go by without a look at the guards, the others do not."""
    jitted = framejit.jit(lambda x: ((x * 2 + 1) * x - 3) * x, backend="numba")
    large = np.linspace(0, 1, 100_000)
    jitted(SMALL)
    (entry,) = jitted._entries
    for _ in range(100):
        jitted(SMALL)
        jitted(large)
    assert len(entry.trials()) == 2
    assert sum(served for *_, served in entry.trials()) == entry.hits


def test_calls_of_a_kind_that_lost_are_looked_at_again(spend: Spend) -> None:
    """They go by, most of them; where they take much longer by then, rewritten code is tried."""
    plain, sides = 10 * US, []

    def program(x: Any) -> Any:
        y = x * 2 + 1
        print(end="")
        is_plain = sys._getframe().f_code is program.__code__
        sides.append(is_plain)
        spend(plain if is_plain else 20 * US)
        return y * 2

    jitted = framejit.jit(program)
    for _ in range(SETTLED):
        jitted(SMALL)
    sides.clear()
    for _ in range(100):
        jitted(SMALL)
    assert all(sides)
    plain = 2_000 * US
    for _ in range(20_000):
        assert np.array_equal(jitted(SMALL), (SMALL * 2 + 1) * 2)
    assert not any(sides[-100:])


def test_calls_within_a_call_are_on_its_side_whatever_their_kind() -> None:
    def program(x: Any) -> Any:
        y = x[: len(x) // 4] * 2
        print(end="")
        return y.sum() + (jitted(x[: len(x) // 4]) if len(x) > 4 else 0)

    jitted = framejit.jit(program)
    expected = program(LARGE)
    for _ in range(200):
        assert jitted(LARGE) == expected
