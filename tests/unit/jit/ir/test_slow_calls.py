"""Calls on examples that take long are made once, or not at all; the report gives the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check

from framejit import explain, jit
from framejit.jit.ir import slow_calls
from framejit.jit.ir.call_limit import TakesLong
from framejit.jit.ir.slow_calls import LARGE, within_reason

LONG = np.ones(LARGE * 4)


class Clock:
    """In place of a thread's CPU time: a function that takes `seconds` for so many items."""

    def __init__(self, seconds: Callable[[int], float]) -> None:
        self.seconds = seconds
        self.now = 0.0
        self.sizes: list[int] = []
        """Sizes of the calls that were made."""

    def __call__(self, *given: Any) -> int:
        size = sum(np.size(one) for one in given)
        self.sizes.append(size)
        self.now += self.seconds(size)
        return size


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock(lambda size: 0.0)
    made.__module__, made.__name__ = "numpy", "slow"  # type: ignore[attr-defined]
    monkeypatch.setattr(slow_calls, "thread_time", lambda: made.now)
    monkeypatch.setattr(slow_calls, "_known", {})
    return made


def ask(clock: Clock, *examples: Any, constants: tuple[Any, ...] = ()) -> Any:
    return within_reason(clock, constants, examples, lambda given: clock(*given))


def test_what_is_quick_is_called(clock: Clock) -> None:
    assert ask(clock, LONG, LONG) == LONG.size * 2
    assert ask(clock, np.ones(5)) == 5


def test_it_is_timed_on_parts_first(clock: Clock) -> None:
    """A cost that grows with the square is seen before the long call is made."""
    clock.seconds = lambda size: 1e-9 * size**2
    with pytest.raises(TakesLong):
        ask(clock, LONG)
    assert max(clock.sizes) == LONG.size // 16
    assert len(clock.sizes) == 3
    assert ask(clock, LONG[:5]) == 5


def test_what_took_long_is_not_called_again(clock: Clock) -> None:
    """With few items the function is called twice, as the first call may have imported a module."""
    clock.seconds = lambda size: 2.0
    assert ask(clock, np.ones(5)) == 5
    assert len(clock.sizes) == 2
    with pytest.raises(TakesLong):
        ask(clock, np.ones(5))


def test_an_import_is_no_cost(clock: Clock) -> None:
    clock.seconds = lambda size: 0.0 if len(clock.sizes) > 1 else 2.0
    for _ in range(3):
        assert ask(clock, np.ones(5)) == 5


def test_numbers_are_work_too(clock: Clock) -> None:
    """`np.fft.fft(x, 10**8)` takes long, and `np.fft.fft(x)` does not."""
    clock.seconds = lambda size: 3.0 if not clock.sizes[1:] else 0.0
    ask(clock, np.ones(5), constants=(10**8,))
    assert ask(clock, np.ones(5)) == 5
    with pytest.raises(TakesLong):
        ask(clock, np.ones(5), constants=(10**8,))


def test_a_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The call is plain Python then, between two segments."""
    monkeypatch.setattr(slow_calls, "MAX_SECONDS", -1.0)
    monkeypatch.setattr(slow_calls, "REMEMBERED_FROM", -1.0)
    monkeypatch.setattr(slow_calls, "_known", {})

    def program(x: Any) -> Any:
        y = x * 2 + 1
        return np.linalg.eigvalsh(np.outer(y, y)) * 3 - y

    check(program, np.arange(4.0))
    report = " ".join(str(explain(jit(program))(np.arange(4.0))).split())
    assert_normally("takes very long on an example" in report)
