"""Lists from whose front items are taken, and `collections.deque` that the function makes."""

from __future__ import annotations

import collections
from collections import deque
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.random.default_rng(0).normal(size=40)
WALLS = np.random.default_rng(1).random((9, 7)) < 0.25


@PROGRAMS.runs((X, 4), (X, 1), (X[:3], 4), (X[:0], 2))
def rolling(x: Any, longest: int) -> Any:
    window: list[Any] = []
    out = []
    for v in x:
        window.append(v)
        if len(window) > longest:
            window.pop(0)
        out.append(sum(window) / len(window))
    return out


@PROGRAMS.runs((X,), (X[:5],))
def deleted_at_the_front(x: Any) -> Any:
    window: list[Any] = []
    for k in range(len(x)):
        window.append((k, x[k]))
        if len(window) > 3:
            del window[0]
    return window


@PROGRAMS.runs((X, 3), (X, 50))
def averages(x: Any, longest: int) -> Any:
    window: Any = deque(maxlen=longest)
    out = np.zeros(len(x))
    for k in range(len(x)):
        window.append(x[k])
        out[k] = sum(window) / len(window)
    return out, window


@PROGRAMS.runs((WALLS,))
def steps(walls: Any) -> Any:
    n, m = walls.shape
    distance = np.full((n, m), -1)
    distance[0, 0] = 0
    queue = deque([(0, 0)])
    while queue:
        i, j = queue.popleft()
        for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = i + di, j + dj
            inside = 0 <= a < n and 0 <= b < m
            if inside and not walls[a, b] and distance[a, b] < 0:
                distance[a, b] = distance[i, j] + 1
                queue.append((a, b))
    return distance


@PROGRAMS.runs((X, 3), (X, 7), (np.zeros(20), 3))
def greatest_of_windows(x: Any, width: int) -> Any:
    places: Any = deque()
    out = []
    for k in range(len(x)):
        while places and x[places[-1]] <= x[k]:
            places.pop()
        places.append(k)
        if places[0] <= k - width:
            places.popleft()
        if k >= width - 1:
            out.append(x[places[0]])
    return np.array(out)


@PROGRAMS.runs((3000,))
def long_queue(count: int) -> Any:
    queue: Any = deque()
    for k in range(count):
        queue.append(k * 1.5)
    total, k = np.float64(0.0), 0
    while queue:
        total += queue.popleft()
        if k < 1000:
            queue.append(k * 2.0)
            queue.append(k * 3.0)
        k += 1
    return total, k


@PROGRAMS.runs((X,))
def of_arrays(x: Any) -> Any:
    queue: Any = deque()
    total = x * 0
    for k in range(6):
        queue.append(x * k)
        if len(queue) > 2:
            total += queue.popleft()
    return total, len(queue)


@PROGRAMS.runs((X,))
def given_to_numpy(x: Any) -> Any:
    queue: Any = deque()
    for v in x:
        queue.append(v)
        if len(queue) > 5:
            queue.popleft()
    return np.array(queue), np.mean(queue), max(queue), sum(queue), [v * 2 for v in queue]


@PROGRAMS.runs((X, 3), (X[:2], 3))
def begun_with_items(x: Any, longest: int) -> Any:
    window = deque(x[:5].tolist(), longest)
    for v in x:
        window.append(float(v))
    return window, sum(window)


@PROGRAMS.runs((X,))
def its_methods_in_variables(x: Any) -> Any:
    queue: Any = deque()
    push, pull = queue.append, queue.popleft
    total = 0.0
    for v in x:
        push(v)
        if len(queue) > 3:
            total += pull() * 2
    return total, queue


@PROGRAMS.runs((X,))
def handed_over(x: Any) -> Any:
    queue = deque(x[:5].tolist())
    queue.append(3.5)
    queue.popleft()
    again = queue
    return queue, again, queue is again, len(queue), queue[0], queue[-1], bool(queue), x * 2


class Average:
    def __init__(self, longest: int) -> None:
        self.window: Any = deque(maxlen=longest)

    def with_one_more(self, v: Any) -> Any:
        self.window.append(v)
        return sum(self.window) / len(self.window)


@PROGRAMS.runs((X,))
def in_an_object(x: Any) -> Any:
    average = Average(3)
    out = np.zeros_like(x)
    for k in range(len(x)):
        out[k] = average.with_one_more(x[k])
    return out


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_queues_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def of_which_class(x: Any) -> Any:
    queue = deque([1, 2])
    y = x + 1
    known = isinstance(queue, deque), isinstance(queue, list), type(queue) is deque
    return known, isinstance(queue, collections.abc.MutableSequence), y


def changed_while_a_loop_goes_through(x: Any) -> Any:
    queue = deque([1, 2, 3])
    y = x * 0
    try:
        for v in queue:
            y += v
            queue.append(4)
    except RuntimeError:
        return y + 100
    return y


def shortened_while_a_loop_goes_through(x: Any) -> Any:
    queue = deque()
    for v in x:
        queue.append(v)
    total = 0.0
    try:
        for v in queue:
            total += v
            queue.popleft()
    except RuntimeError:
        return total + 100
    return total


def compared(x: Any) -> Any:
    one, other = deque([1, 2]), deque([1, 2])
    y = x * 2
    return one == other, one != other, one is other, one == [1, 2], y


def taken_from_when_empty(x: Any) -> Any:
    queue: Any = deque()
    total = 0.0
    for v in x:
        queue.append(v)
        total += queue.popleft()
    try:
        queue.popleft()
    except IndexError:
        total += 1
    return total


def as_text(x: Any) -> Any:
    queue: Any = deque()
    for v in x:
        queue.append(v)
    return str(queue), f"{queue!r}", x * 2


def other_methods(x: Any) -> Any:
    queue = deque([1, 2, 3])
    y = x * 2
    queue.rotate(1)
    queue.extendleft([5, 6])
    queue.insert(1, 7)
    queue.remove(2)
    queue.reverse()
    return queue, queue.index(7), queue.count(1), 5 in queue, queue.copy(), queue + queue, y


def attributes(x: Any) -> Any:
    queue: Any = deque([1, 2, 3], 4)
    y = x * 2
    try:
        queue.foo = 3
    except AttributeError:
        y += 1
    try:
        y += queue.items
    except AttributeError:
        y += 1
    return queue.maxlen, hasattr(queue, "foo"), hasattr(queue, "append"), y


def subscripts(x: Any) -> Any:
    queue = deque([1, 2, 3])
    y = x * 2
    queue[1] = 9
    try:
        queue[0:2]
    except TypeError:
        y += 1
    try:
        queue[7]
    except IndexError:
        y += 1
    return y, queue[1], x[queue]


def at_the_left(x: Any) -> Any:
    queue: Any = deque()
    for v in x:
        if v > 0:
            queue.appendleft(v)
        else:
            queue.append(v * 2.0)
    total = 0.0
    for v in queue:
        total = total * 0.5 + v
    return total


def shown_on_the_way(x: Any) -> Any:
    queue: Any = deque()
    total = 0.0
    for k in range(len(x)):
        queue.append(x[k])
        if len(queue) > 3:
            total += queue.popleft()
        if k == 10:
            print("ten", len(queue), queue)
    return total, queue


def left_while_a_loop_goes_through(x: Any) -> Any:
    queue: Any = deque()
    for k in range(len(x)):
        queue.append(x[k])
    total = 0.0
    for v in queue:
        total += v
        if v > 1:
            print("large", total)
            queue.append(total)
            break
    return total, queue


def in_two_containers(x: Any) -> Any:
    queue, others = deque(), []
    for v in x:
        queue.append(v)
        others.append(v)
    return queue, others


@pytest.mark.parametrize(
    "program",
    [
        of_which_class,
        changed_while_a_loop_goes_through,
        shortened_while_a_loop_goes_through,
        compared,
        taken_from_when_empty,
        as_text,
        other_methods,
        attributes,
        subscripts,
        at_the_left,
        shown_on_the_way,
        left_while_a_loop_goes_through,
        in_two_containers,
    ],
)
def test_what_a_deque_is_can_be_told_apart_from_a_list(program: Any) -> None:
    check(program, X)
