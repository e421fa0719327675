"""Measures the cost of a call in nanoseconds: `python tests/bench/call_cost.py`.

A hit with three small arrays over a call of an empty function in C, each further segment over the
statement that breaks the graph, and calls of `np.add` and `np.empty` beside them. The best of many
rounds counts; they are taken in turn.
"""

from __future__ import annotations

import operator
from timeit import Timer
from typing import Any

import numpy as np

import framejit

LOOPS, ROUNDS = 100_000, 15


@framejit.jit
def hit(x: Any, y: Any, z: Any) -> Any:
    """Three arrays, one result."""
    return x * y + z


@framejit.jit
def two(x: Any, y: Any, seen: set[int]) -> Any:
    """Two segments."""
    a = x * y
    seen.add(1)
    return a + y


@framejit.jit
def three(x: Any, y: Any, seen: set[int]) -> Any:
    """Three segments."""
    a = x * y
    seen.add(1)
    b = a + y
    seen.add(1)
    return b - x


def one_break(seen: set[int]) -> None:
    """The statement alone."""
    seen.add(1)


def two_breaks(seen: set[int]) -> None:
    """Twice."""
    seen.add(1)
    seen.add(1)


def costs() -> dict[str, float]:
    """Nanoseconds, by what they are of."""
    x, y, z = (np.arange(3.0) + k for k in range(3))
    names = {**globals(), "x": x, "y": y, "z": z, "seen": {0}, "add": np.add, "empty": np.empty}
    names["is_"] = operator.is_
    calls = ("is_(x, y)", "add(x, y)", "empty(3)", "hit(x, y, z)", "two(x, y, seen)")
    calls += ("three(x, y, seen)", "one_break(seen)", "two_breaks(seen)")
    timers = {call: Timer(call, globals=names) for call in calls}
    for timer in timers.values():
        timer.timeit(1000)
    rounds = [{call: each.timeit(LOOPS) for call, each in timers.items()} for _ in range(ROUNDS)]
    best = {call: min(times[call] for times in rounds) / LOOPS * 1e9 for call in calls}
    broken = best["two_breaks(seen)"] - best["one_break(seen)"]
    return {
        "an empty function in C": best["is_(x, y)"],
        "np.add": best["add(x, y)"],
        "np.empty": best["empty(3)"],
        "a hit with three arrays": best["hit(x, y, z)"],
        "that, over the empty function": best["hit(x, y, z)"] - best["is_(x, y)"],
        "each further segment": best["three(x, y, seen)"] - best["two(x, y, seen)"] - broken,
    }


if __name__ == "__main__":
    for name, cost in costs().items():
        print(f"{name:32} {cost:6.1f} ns")
