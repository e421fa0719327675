"""Loops and branches that change attributes, items and shared variables from outside of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script
from simulations import Sim

X = np.linspace(-0.5, 1.0, 7)


@dataclass
class Mean:
    """Made inside of the function."""

    n: int = 0
    mean: float = 0.0
    m2: float = 0.0
    largest: Any = None
    by_sign: dict[str, int] = field(default_factory=lambda: {"+": 0, "-": 0})

    def add(self, value: Any) -> None:
        self.n += 1
        delta = value - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (value - self.mean)
        if self.largest is None or value > self.largest:
            self.largest = value
        self.by_sign["+" if value > 0 else "-"] += 1


def a_method(s: Any, x: Any, n: Any) -> Any:
    return s.run(0.01, n)


def until(s: Any, x: Any, n: Any) -> Any:
    while s.t < n * 0.01:
        s.step(0.01)
    return s.t


def set_before(s: Any, x: Any, n: Any) -> Any:
    s.t, s.n = -1.0, 3
    for i in range(n):
        s.t += x[i % 7]
    return s.t * x


def set_behind(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.n += i
    s.n = s.n * 2
    s.t = 7.0
    return x * s.n


def the_best(s: Any, x: Any, n: Any) -> Any:
    s.best = -1.0
    for i in range(n):
        value = x[i % 7] * i
        if value > s.best:
            s.best, s.n = value, i
    return s.n


def in_a_branch(s: Any, x: Any, n: Any) -> Any:
    y = x * n
    if y.sum() > 5:
        s.best = y
        s.n += 1
    return y


def in_both_branches(s: Any, x: Any, n: Any) -> Any:
    if x.sum() * n > 8:
        s.best, s.n = x * 2, 1.5
    else:
        s.best, s.t = "none", x
    return s.n


def ended_by_a_return(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.n += 1
        s.x = s.x * 0.5
        if s.x.sum() < 0.3:
            return i
    return s.x


def ended_by_a_break(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.t += x[i % 7]
        if s.t > 2:
            s.n = i
            break
    else:
        s.n = -1
    return s.t


def ended_by_an_error(s: Any, x: Any, n: Any) -> Any:
    try:
        for i in range(n):
            s.n += 1
            s.t += x[i]
    except IndexError:
        s.t = -s.t
    return s.n, s.t


def with_eager_sides(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.n += 1
        s.t += x[i % 7]
        if s.n % 20 == 0:
            s.seen["last"] = sorted(str(s.n))
    return s.t


def items_of_a_list(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.items[2] += x[i % 7]
        if x[i % 7] > 0.5:
            s.items[0] += 1
    return s.items[-2]


def nested(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.n = 0
        while s.n < i % 5:
            s.n += 1
            s.t += x[s.n]
        for j in range(3):
            if x[j] > 0:
                s.seen["n"] += 1
            s.x = s.x + j
    return s.x


def in_place(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.x += i
        s.x[i % 5] *= 0.5
        s.t = s.x[0]
    return s.x


def two_names(s: Any, x: Any, n: Any) -> Any:
    other = s
    for _ in range(n):
        s.n += 1
        other.t += s.n
        other.n -= 2
    return s.t, x + s.n


def arrays_that_change_places(s: Any, x: Any, n: Any) -> Any:
    s.best = s.x * 0
    for _ in range(n):
        s.best, s.x = s.x, s.best + s.x * 0.25
    return s.x - s.best


def of_a_new_attribute(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.made_here = x[i % 7]
    return x * 2


def deleted_behind(s: Any, x: Any, n: Any) -> Any:
    for _ in range(n):
        s.n += 1
    y = x * s.n
    del s.n
    return y


def made_here(s: Any, x: Any, n: Any) -> Any:
    mean = Mean()
    for i in range(n):
        mean.add(x[i % 7] * i)
    return mean


def made_here_and_used(s: Any, x: Any, n: Any) -> Any:
    mean = Mean()
    for i in range(n):
        mean.add(x[i % 7] * i)
    return x * mean.mean, mean.n, mean.largest


def made_in_the_loop(s: Any, x: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        mean = Mean()
        for value in x:
            mean.add(value * i)
        total += mean.mean
    return total


def a_dict_made_here(s: Any, x: Any, n: Any) -> Any:
    counts = {"low": 0, "high": 0, "sum": 0.0}
    for i in range(n):
        counts["low" if x[i % 7] < 0.3 else "high"] += 1
        counts["sum"] += x[i % 7]
    return counts


def shared_variables(s: Any, x: Any, n: Any) -> Any:
    total, rejected = 0.0, 0

    def add(value: Any) -> None:
        nonlocal total, rejected
        if value > 0:
            total += value
        else:
            rejected += 1

    for i in range(n):
        add(x[i % 7])
    return total, rejected


def asked_for_all_keys(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.seen["n"] += i
    return list(s.seen), x * s.seen["n"]


def off_in_a_loop(s: Any, x: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        s.on = True
        while s.on:
            total += x[i % 7]
            s.on = total < i and total > 0
    return total


def by_name(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        setattr(s, "t", getattr(s, "t") + x[i % 7])  # noqa: B009, B010
    return s.t


PROGRAMS = [
    a_method,
    until,
    set_before,
    set_behind,
    the_best,
    in_a_branch,
    in_both_branches,
    ended_by_a_return,
    ended_by_a_break,
    ended_by_an_error,
    with_eager_sides,
    items_of_a_list,
    nested,
    in_place,
    two_names,
    arrays_that_change_places,
    of_a_new_attribute,
    deleted_behind,
    made_here,
    made_here_and_used,
    made_in_the_loop,
    a_dict_made_here,
    shared_variables,
    asked_for_all_keys,
    off_in_a_loop,
    by_name,
]


IN_ONE = [
    a_method,
    until,
    the_best,
    set_behind,
    in_a_branch,
    ended_by_a_return,
    ended_by_a_break,
    items_of_a_list,
    nested,
    made_here_and_used,
    made_in_the_loop,
    a_dict_made_here,
    shared_variables,
    by_name,
]
"""Programs that are one kernel, or two where others may end the loop."""


@pytest.mark.parametrize("n", [0, 1, 30])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program(program: Any, n: int) -> None:
    """After the call the object has eager's attributes, in eager's order."""
    jitted = check(program, Sim(), X, n)
    if program in IN_ONE and n == 30:
        assert_counts(jitted, breaks=0, bails=0, eager_calls=0)


@pytest.mark.parametrize("n", [3, 30])
def test_other_calls(n: int) -> None:
    """An entry serves other objects of the class; attributes of other types need another entry."""

    def script(jit: Any, program: Any, x: Any, n: Any) -> Any:
        function = jit(program)
        one, other = Sim(), Sim()
        other.x, other.t, other.n = np.arange(4), 2, np.int64(3)  # type: ignore[assignment]
        return [(function(s, x, n), vars(s)) for s in (one, one, other, other, one)]

    for program in (a_method, until, two_names, ended_by_a_break, nested):
        check_script(script, program, X, n)
