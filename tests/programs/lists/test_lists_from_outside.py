"""Loops that append to lists of the program's: attributes, items of dicts, arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script

X = np.linspace(-0.5, 1.0, 7)


class Recorder:
    """An object with lists that a loop appends to."""

    def __init__(self) -> None:
        self.n = 1
        self.x = np.linspace(0, 1, 5)
        self.history: list[Any] = []
        self.mixed: list[Any] = [1, "a"]
        self.by_name: dict[str, list[Any]] = {"a": [], "b": []}

    def log(self, value: Any) -> None:
        self.history.append(value)
        self.n += 1


def begun_here(s: Any, x: Any, n: Any) -> Any:
    s.history = []
    for i in range(n):
        s.history.append(x[i % 7] * 2)
        s.n += 1
    return s.history


def arrays(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.x = s.x * 0.9 + i
        s.history.append(s.x)
    return s.x


def in_several_loops(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.mixed.append(i)
    s.mixed.append("end")
    for i in range(n):
        if x[i % 7] > 0:
            s.mixed.append(x[i % 7])
    return x * 2


def read_behind(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.history.append(i * x[0])
        if i == 9:
            return s.history
    return len(s.history), np.array(s.history)


def two_lists(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.by_name["a"].append(x[i % 7])
        s.by_name["b"].append(i)
    return x + 1


def copies_of_what_changes(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.history.append(s.x.copy())
        s.x[i % 5] += 1
        s.x += s.history[-1]
    return s.x


def windows(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.history.append(x[:3])
        s.history.append(x[i:])
    x += 1
    return x


def an_index_error(s: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        s.history.append(x[i])
    return x


def seen_by_eager(s: Any, x: Any, n: Any) -> Any:
    history = s.history
    for i in range(n):
        history.append(x[i % 7])
        if i == 11:
            print(len(s.history))
    return x


def one_number_again(s: Any, x: Any, n: Any) -> Any:
    value = x[3]
    for _ in range(n):
        s.history.append(value)
    return value, x * 2


def itself(s: Any, x: Any, n: Any) -> Any:
    for _ in range(n):
        s.history.append(s.history)
    return x


def by_a_function(s: Any, x: Any, n: Any) -> Any:
    y = x
    while s.n < n:
        y = y * 0.5
        s.log(y.sum())
    return y


PROGRAMS = [
    begun_here,
    arrays,
    in_several_loops,
    read_behind,
    two_lists,
    copies_of_what_changes,
    windows,
    an_index_error,
    seen_by_eager,
    one_number_again,
    itself,
    by_a_function,
]
IN_ONE = [arrays, two_lists, windows, by_a_function]


@pytest.mark.parametrize("n", [0, 1, 20])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program(program: Any, n: int) -> None:
    """The list holds what it holds in eager, and is the same list."""
    jitted = check(program, Recorder(), X, n)
    if program in IN_ONE and n == 20:
        assert_counts(jitted, breaks=0, bails=0, eager_calls=0, segments=1)


def test_an_argument() -> None:
    """A list that has items already, and is one with another argument at times."""

    def f(out: Any, other: Any, x: Any) -> Any:
        for i in range(len(x)):
            out.append(x[i] * i)
            other.append(x[i])
        return x * 2

    def script(jit: Any, x: Any) -> Any:
        one, other, f_ = [1.5], [], jit(f)  # type: ignore[var-annotated]
        return [(f_(*both, x), *both) for both in ((one, other), (one, one), (other, one))]

    check_script(script, X)


def test_items_and_appends() -> None:
    """A loop changes an item of a list that it, or the next one, appends to."""

    def in_one_loop(items: Any, x: Any) -> Any:
        for i in range(30):
            items[0] += 1
            items.append(i)
        return x * 2

    def in_two_loops(items: Any, x: Any) -> Any:
        for _ in range(30):
            items[0] += 1
        for i in range(30):
            items.append(i)
        return x * 2

    for program in (in_one_loop, in_two_loops):
        check(program, [0], X)


def test_a_list_that_only_a_way_with_a_break_extends() -> None:
    """A break ends the path before its append; the attribute holds an object, no list."""

    def script(jit: Any, x: Any) -> Any:
        class Box:
            def __init__(self, value: Any) -> None:
                self.value = value

            def __iadd__(self, other: Any) -> None:
                self.value += other

        class Other(Box):
            def __getattr__(self, name: str) -> None:
                """Reading an attribute is a graph break."""

        @jit
        def f(x: Any, n: int, o: Any) -> Any:
            for k in range(n, 4):
                last, value = k, o.value
            match (last, value):
                case [0 | 1, _]:
                    o += value
                case [_, _]:
                    pass
            total = 0.0
            for item in x + value:
                total += item
            return total

        seen: list[Any] = []
        one, list_ = Other(X[:4]), Box([1, 2])
        for o, n in ((one, 4), (list_, 4), (one, 7), (Other(3), 7), (Box(()), 4)):
            try:
                seen.append((f(x[:n], 1, o), o.value))
            except (TypeError, ValueError) as error:
                seen.append((str(error), o.value))
        return seen

    check_script(script, X)
