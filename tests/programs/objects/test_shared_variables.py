"""Variables that inner functions share, which loops and branches assign."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured

X = np.linspace(0.5, 3, 12)
Y = np.linspace(2, 1, 12)


def in_a_generator(x: Any, y: Any, n: int) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = sum(y[k] * x[i] for k in range(4))
    return out


def in_a_function_of_each_iteration(x: Any, y: Any, n: int) -> Any:
    total = 0.0
    for i in range(len(x)):
        weigh = lambda v: v * i  # noqa: E731, B023
        total += weigh(x[i])
    return total


def carried(x: Any, y: Any, n: int) -> Any:
    total = 0.0

    def scaled(v: Any) -> Any:
        return v * total

    for i in range(len(x)):
        total = scaled(x[i]) + 1
    return total, scaled(2.0)


def on_one_of_two_ways(x: Any, y: Any, n: int) -> Any:
    t = y * 2
    scaled = lambda v: v * t  # noqa: E731
    if x[0] > y[0]:
        t = y + 1
    first = scaled(x)
    t = t - 1 if x[1] > 0 else t + first
    return first, scaled(x)


def assigned_by_the_inner_function(x: Any, y: Any, n: int) -> Any:
    count = 0

    def more() -> None:
        nonlocal count
        count += 1

    for v in x:
        if v > 1:
            more()
        if v > 2:
            count *= 2
    return count


def with_ends_of_all_kinds(x: Any, y: Any, n: int) -> Any:
    t = x * 0

    def scaled(v: Any) -> Any:
        return v * t

    for k in range(n):
        t = scaled(x) + y
        if t[0] > k + 1:
            t = t - 1
            continue
        if t[1] > 50:
            break
    else:
        t = t + 1
    return t, scaled(t)


def loops_in_loops(x: Any, y: Any, n: int) -> Any:
    rows = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            best = x[i]
            above = any(v > best + j for v in y)
            rows[i, j] = above * i + best
    return rows


PROGRAMS = [in_a_generator, in_a_function_of_each_iteration, carried, on_one_of_two_ways]
PROGRAMS += [assigned_by_the_inner_function, with_ends_of_all_kinds, loops_in_loops]


@pytest.mark.parametrize("function", PROGRAMS)
def test_captured_whole(function: Any) -> None:
    captured(function, X, Y, 4)
    check(function, X[::-1], Y, 1, calls=3)
    check(function, X[:5], X[1:6], 0, calls=3)


def unbound_on_some_ways(x: Any, n: int) -> Any:
    def last() -> Any:
        return found

    for k in range(n):
        if x[k] > 2:
            found = x * k
    return last()


def deleted(x: Any, n: int) -> Any:
    t = 1.0
    scaled = lambda v: v * t  # noqa: E731
    for k in range(n):
        t = x[k]
        if t > 2:
            del t
            break
    return scaled(x)


def the_function_is_handed_over(x: Any, n: int) -> Any:
    t = x * 2

    def scaled(v: Any) -> Any:
        return v * t

    for _ in range(n):
        t = t + 1
    return scaled, scaled(x), t


def functions_of_all_iterations(x: Any, n: int) -> Any:
    made = []
    for k in range(n):
        made.append(lambda v: v * k)  # noqa: B023
    return [one(x) for one in made]


def left_behind_a_break(x: Any, n: int) -> Any:
    for k in range(n):
        s = x[k]
        weigh = lambda v: v + s  # noqa: E731, B023
        if s > 1:
            break
    return weigh(x), s


def assigned_behind_a_condition(x: Any, n: int) -> Any:
    count = 0

    def look_at(v: Any) -> None:
        nonlocal count
        if v > 1:
            count += 1

    for v in x[:n]:
        look_at(v)
    return count


def seen_in_between(x: Any, n: int) -> Any:
    t = 0.0
    scaled = lambda v: v * t  # noqa: E731
    for k in range(n):
        t = t + x[k]
        if k == 1:
            print(scaled(2.0))
    return t


def divides(x: Any, n: int) -> Any:
    t = x * 1
    scaled = lambda v: v / t  # noqa: E731
    for k in range(n):
        t = t - x[0] * k
        x[1] = scaled(x)[2]
        if k > 2:
            t = t * 0
    return scaled(x), x


def another_cell(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total += sum([(lambda: i * k)() for k in range(3)]) * x[i]
        total += sum([sum(x[j] * i for j in range(k)) for k in range(n)])
    return total


@pytest.mark.parametrize(
    "function",
    [
        *(unbound_on_some_ways, deleted, functions_of_all_iterations, left_behind_a_break),
        *(assigned_behind_a_condition, seen_in_between, divides, another_cell),
    ],
)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_as_eager(function: Any, n: int) -> None:
    check(function, X.copy(), n, calls=3)
    check(function, X[::-1].copy(), n, calls=2)


def test_a_function_that_is_handed_over() -> None:
    def program(x: Any, n: int) -> Any:
        scaled, product, t = the_function_is_handed_over(x, n)
        t += 1
        return product, scaled(x), t

    check(program, X, 3, calls=3)


def rows(x: Any, y: Any) -> Any:
    return np.array([x[0] * y[1], x[1] * y[2] - 1.0]), np.array([[x[2], y[1]], [1.0, 2.0]])


def test_a_display_is_worth_a_kernel() -> None:
    captured(rows, X, Y)
