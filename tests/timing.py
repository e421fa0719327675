"""Ratios of times, measured so that a busy machine disturbs both sides alike."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

Action = Callable[[], Any]


def best(action: Action, calls: int) -> float:
    """Seconds a call in one round."""
    start = perf_counter()
    for _ in range(calls):
        action()
    return (perf_counter() - start) / calls


def ratio(one: Action, other: Action, *, calls: int = 1, rounds: int = 15) -> float:
    """How many times the time of `other` the time of `one` is: the best rounds, taken in turn."""
    one()
    other()
    pairs = [(best(one, calls), best(other, calls)) for _ in range(rounds)]
    return min(a for a, _ in pairs) / min(b for _, b in pairs)
