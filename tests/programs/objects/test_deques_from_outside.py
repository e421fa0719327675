"""Deques from outside (arguments, attributes, globals) that loops read and change."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()


RNG = np.random.default_rng(0)


N = RNG.integers(-6, 6, 40)


X = RNG.normal(size=30)


@PROGRAMS.runs((X, deque([1.0, 2.0])), (X, deque()), (X, deque([0.5] * 9)))
def windows(x: Any, window: deque[float]) -> Any:
    out = []
    for v in x.tolist():
        window.append(v * 0.5)
        if len(window) > 4:
            window.popleft()
        out.append(sum(window) / len(window))
    return np.array(out)


@PROGRAMS.runs((deque([1.0, 2.5, -3.0]), 0.5), (deque([1, 2, 3]), 1), (deque([1, 2], 5), 7))
def read_as_a_whole(window: deque[Any], total: Any) -> Any:
    for v in window:
        total += v
    return total, len(window), sum(window) + 1, max(window) + 1


@PROGRAMS.runs((X, deque(X[:3], 4)), (X, deque(maxlen=3)))
def of_numpys_floats(x: Any, window: deque[Any]) -> Any:
    out = np.zeros(len(x))
    for k, v in enumerate(x):
        window.append(v)
        out[k] = sum(window) / len(window)
    return out, window


@PROGRAMS.runs((N, deque([3, 1], 4)), (N, deque(maxlen=3)), (N, deque([2] * 7, 7)))
def of_a_greatest_length(x: Any, last: deque[int]) -> Any:
    total = 0
    for v in x.tolist():
        last.append(v)
        total += last[0] - last[-1] + len(last)
    return total, last, list(last)


@PROGRAMS.runs((deque([5, 3]), 4), (deque([1]), 30))
def worked_off(todo: deque[int], n: int) -> Any:
    done = 0
    while todo:
        k = todo.popleft()
        done += k
        if done < n:
            todo.append(k + 1)
            todo.appendleft(1)
    return done, len(todo)


def stays_the_same_object(x: Any, window: deque[float]) -> Any:
    before = list(window)
    for v in x.tolist():
        window.append(v)
        if len(window) > 4:
            window.popleft()
    return [any(one is other for other in before) for one in window], window


def handed_out(x: Any, window: deque[float]) -> Any:
    first = window[0]
    for v in x.tolist():
        window.append(v)
        first = window.popleft()
    return first, any(first is one for one in window)


def round_and_round(window: deque[float], n: int) -> Any:
    before = list(window)
    for _ in range(n):
        window.append(window.popleft())
    return [one is other for one in window for other in before]


def one_too_many(todo: deque[int], n: int) -> Any:
    total = 0
    for _ in range(n):
        total += todo.pop()
    return total


def changed_in_a_loop(window: deque[int]) -> Any:
    total = 0
    for v in window:
        total += v
        if total > 5:
            window.append(1)
    return total


def other_lengths(x: Any, one: deque[int], other: deque[int]) -> Any:
    for v in x.tolist():
        one.append(v)
        other.append(v)
    return list(one), list(other)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_they_are_captured_whole(program: Any, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (of_numpys_floats, (X, deque([1.0], 3))),
        (of_numpys_floats, (X, deque(X[:2].astype("f4"), 3))),
        (stays_the_same_object, (X[:3], deque([1.5, 2.5, 3.5]))),
        (handed_out, (X[:3], deque([1.5, 2.5, 3.5]))),
        (handed_out, (X[:2], deque([1.5, 2.5, 3.5]))),
        (round_and_round, (deque([1.5, 2.5, 3.5]), 4)),
        (one_too_many, (deque([1, 2, 3]), 5)),
        (changed_in_a_loop, (deque([1, 2, 3]),)),
        (changed_in_a_loop, (deque([1, 2]),)),
        (other_lengths, (N, deque([1], 3), deque([1], 4))),
        (windows, (X, deque([1, 2.5]))),
        (windows, (X, deque(["a"]))),
    ],
)
def test_what_else_is_done_is_as_in_eager(program: Any, args: tuple[Any, ...]) -> None:
    check(program, *args)
