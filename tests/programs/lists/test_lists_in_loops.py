"""Lists of numbers that loops change: they stay in the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured
from whole import Program, Programs, check_whole

X = np.linspace(-1.0, 2.0, 40)
N = np.array([3, 1, 4, 1, 5, 9, 2, 6])

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X,), (X - 5,), (X.astype(np.float32),))
def chosen(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        if x[k] > 0.5:
            out.append(x[k] * 2)
    return out, len(out)


@runs((X,), (N,))
def an_array_of_them(x: Any) -> Any:
    out = []
    for value in x:
        if value > 0.5:
            out.append(value)
    return np.array(out)


@runs((X,))
def of_pythons_numbers(x: Any) -> Any:
    places, halves, flags = [0], [], [True]
    for k in range(len(x)):
        if x[k] > 0.0:
            places.append(k)
            halves.append(k * 0.5)
            flags.append(k > 20)
    return places, halves, flags, np.array(places), np.asarray(halves)


@runs((5,), (1,), (40,))
def a_stack(n: Any) -> Any:
    stack = [n]
    seen = np.zeros(n + 1, int)
    order = []
    while stack:
        k = stack.pop()
        if seen[k]:
            continue
        seen[k] = 1
        order.append(k)
        if k > 0:
            stack.append(k // 2)
            stack.append(k - 1)
    return order, seen


@runs((N,))
def parents(edges: Any) -> Any:
    parent = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    for k in range(len(edges) - 1):
        a, b = int(edges[k]), int(edges[k + 1])
        while parent[a] != a:
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        if a < b:
            parent[b] = a
        elif b < a:
            parent[a] = b
    return parent, parent[-1], len(parent)


@runs((N,), (N.astype(np.uint8),))
def weighed(x: Any) -> Any:
    weights = [0.5, 0.25, 2.0, 4.0]
    total = 0.0
    for k in range(len(x)):
        total += x[k] * weights[k % 4] - weights[x[k] % 3]
    return total


@runs((X, 0.0), (X, 9.0))
def in_a_branch(x: Any, limit: Any) -> Any:
    found = [1.5]
    if x.sum() > limit:
        found.append(2.5)
    else:
        found.append(3.5)
        found.append(4.5)
    return found, x * 2


@runs((X,))
def made_in_each_iteration(x: Any) -> Any:
    total = 0
    for k in range(5):
        inner = []
        for i in range(k):
            if x[i * 7] > -0.5:
                inner.append(i)
        total += len(inner) * k
    return total


@runs((3,), (200,))
def a_queue(n: Any) -> Any:
    queue, head = [1], 0
    while head < len(queue) and len(queue) < n:
        queue.append(queue[head] * 2)
        queue.append(queue[-1] + 1)
        head += 1
    return queue, head


@runs((X,))
def of_a_comprehension(x: Any) -> Any:
    return [v * 2 for v in x if v > 0.5], [k for k in range(len(x)) if x[k] < 0]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


def of_none(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        if x[k] > 50:
            out.append(k)
    return np.array(out)


def one_in_two_places(x: Any) -> Any:
    out = [last := x[0] + 1]
    for k in range(len(x)):
        if x[k] > 0.5:
            out.append(x[k] * 2)
    return out, last, x * 2


def one_in_two_lists(x: Any) -> Any:
    first, second, third = [], [], []
    for k in range(len(x)):
        if x[k] > 0.5:
            value = x[k] * 2
            first.append(value)
            second.append(value)
            third.append(value * 0.5)
    last = first.pop() if len(first) > 1 else None
    return first, second, third, last


def from_outside(x: Any, limit: Any) -> Any:
    out = [1.5 * limit]
    for k in range(len(x)):
        if x[k] > 1:
            out.append(limit)
    return out


def of_two_kinds(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        if x[k] > 1:
            out.append(x[k])
        elif x[k] > 0.5:
            out.append(k)
    return out


def out_of_range(x: Any, n: Any) -> Any:
    out = [1.0]
    for k in range(n):
        out.append(x[k])
        x[k] = out[k - 3]
    return out


def empty(n: Any) -> Any:
    stack = [1, 2, 3]
    total = 0
    for _ in range(n):
        total += stack.pop()
    return total, stack


def printed_now_and_then(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        if x[k] > 0:
            out.append(k)
        if k % 10 == 0:
            print(out)
    return out


def handed_in(x: Any, out: Any) -> Any:
    for k in range(len(x)):
        if x[k] > 1:
            out.append(x[k])
    return out


def walked_behind(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        if x[k] > 1:
            out.append(k * 2)
    total = 0
    for one in out:
        total += one
    return total, sum(out), max(out), out[1:3], [*out, 1], 14 in out


def big_numbers(n: Any) -> Any:
    out = [1]
    for k in range(n):
        out.append(out[k] * 3)
    return out


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (of_none, [(X,)]),
        (chosen, [(X[:0],), (X[:1],)]),
        (one_in_two_places, [(X,), (X - 5,)]),
        (one_in_two_lists, [(X,), (X - 5,), (X[-1:],)]),
        (from_outside, [(X, np.float64(2.5)), (X, 2.5), (X, np.float32(9))]),
        (of_two_kinds, [(X,)]),
        (out_of_range, [(X.copy(), 2), (X.copy(), 10), (X.copy(), 50)]),
        (empty, [(2,), (3,), (4,), (0,)]),
        (printed_now_and_then, [(X,)]),
        (handed_in, [(X, []), (X, [1, None])]),
        (walked_behind, [(X,)]),
        (big_numbers, [(10,), (60,)]),
    ],
)
def test_eager_goes_on(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for args in calls:
        check(program, *args, calls=3)


# ---- which object a number is --------------------------------------------------------------------


def given_twice(x: Any, n: int) -> Any:
    values = [x[0] * 3]
    for k in range(n):
        v = x[k] * 2
        values.append(v)
        values.append(v)
    return values


def its_own_last(x: Any, n: int) -> Any:
    values = [x[0] * 2]
    for _ in range(n):
        values.append(values[-1])
    values[0] = values[-1]
    return values


def a_constant(x: Any, n: int) -> Any:
    values = []
    for _ in range(n):
        values.append(2.0)
    return values, np.array(values)


def from_iteration_to_iteration(x: Any, n: int) -> Any:
    last = x[0] * 2
    values = []
    for k in range(n):
        if x[k] > 1:
            last = x[k] * 2
        values.append(last)
    return values


def from_before(x: Any, n: int) -> Any:
    first = x[0] * 2
    values, others = [], []
    for k in range(n):
        values.append(first)
        others.append(first * k)
    return values, others


@pytest.mark.parametrize(
    "function", [given_twice, its_own_last, a_constant, from_iteration_to_iteration, from_before]
)
def test_a_number_that_is_in_a_list_twice(function: Any) -> None:
    check(function, np.linspace(0.5, 3, 12), 4, calls=3)
    check(function, np.linspace(0.5, 3, 12), 1, calls=2)


def new_ones(x: Any, n: int) -> Any:
    values = [x[0] * 2]
    for k in range(n):
        values.append(values[-1] * 0.5 + k)
    best = values[0]
    for k in range(n):
        if values[k] > best:
            best = values[k]
    return values, best * 2


def test_numbers_that_are_new_keep_the_list() -> None:
    captured(new_ones, np.linspace(0.5, 3, 12), 4)
