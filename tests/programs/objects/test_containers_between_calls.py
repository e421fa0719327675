"""Sets, dicts and deques whose contents, lengths or identity change between calls."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import Setup, check
from whole import Programs

PROGRAMS = Programs()


RNG = np.random.default_rng(0)


N = RNG.integers(-6, 6, 40)


MANY = RNG.integers(-(2**62), 2**62, 200)


X = RNG.normal(size=30)


LARGE = {int(v): k for k, v in enumerate(MANY)}


# ---- sets ----------------------------------------------------------------------------------------


def two_names(x: Any, one: set[int], other: set[int]) -> Any:
    found = 0
    for v in x.tolist():
        one.add(v)
        if v in other:
            found += 1
    return found, one is other, list(one), list(other)


# ---- deques --------------------------------------------------------------------------------------


@PROGRAMS.runs((N, deque([3, 1], 4)), (N, deque(maxlen=3)), (N, deque([2] * 7, 7)))
def of_a_greatest_length(x: Any, last: deque[int]) -> Any:
    total = 0
    for v in x.tolist():
        last.append(v)
        total += last[0] - last[-1] + len(last)
    return total, last, list(last)


D = {k: k / 3 for k in range(-6, 7)}


class Monitor:
    """An object that holds containers, and changes them at each call."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.memo: dict[int, int] = {}
        self.last: deque[float] = deque(maxlen=5)

    def feed(self, x: Any) -> Any:
        new, mean = 0, 0.0
        for k in range(len(x)):
            v = int(x[k])
            if v not in self.seen:
                self.seen.add(v)
                new += 1
            self.memo[v] = self.memo.get(v, 0) + k
            self.last.append(v / 3)
            mean += sum(self.last) / len(self.last)
        return new, mean, list(self.seen), list(self.memo.items()), list(self.last)


def _monitored() -> tuple[Any, ...]:
    monitor = Monitor()

    def feed(x: Any) -> Any:
        return monitor.feed(x)

    return feed, (N,)


@pytest.mark.counts("captures")
def test_contents_that_change_between_calls() -> None:
    """Each call finds the contents that the one before has left; a kernel serves any contents."""
    jitted = check(setup=_monitored, calls=5)

    for function in jitted:
        assert function.stats()["captures"] <= 2


def _beside_who_holds_the_items() -> tuple[Any, ...]:
    held = [k / 7 for k in range(6)]
    window, weights = deque(held), dict(enumerate(held))

    def program(x: Any) -> Any:
        for k in range(3):
            window.append(k * 0.5)
            window.popleft()
            weights[k + 2] = weights[k] * 1.5
        both = [*window, *weights.values()]
        return x * 2, [one is other for one in both for other in held]

    return program, (X,)


def test_items_that_stay_are_the_objects_that_they_were() -> None:
    check(setup=_beside_who_holds_the_items, calls=2)


def _of_another_length() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)
    lengths = [deque([1, 2], 2), deque([1, 2], 3), deque([1, 2]), deque(maxlen=2)]

    def program(x: Any) -> Any:
        last = lengths[held.calls % len(lengths)]
        held.calls += 1
        return of_a_greatest_length(x, last)

    return program, (N,)


def _with_a_name_that_is_the_other() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)

    def program(x: Any) -> Any:
        held.calls += 1
        one = {1, 2}
        return two_names(x, one, one if held.calls in (2, 4) else {1, 2})

    return program, (N,)


@pytest.mark.parametrize("setup", [_of_another_length, _with_a_name_that_is_the_other])
def test_what_a_capture_relies_on(setup: Setup) -> None:
    """The greatest length of a deque, and that two names are of two objects."""
    check(setup=setup, calls=5)
