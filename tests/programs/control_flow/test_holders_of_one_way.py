"""Objects that one of several ways has made, held by what is used where the ways have met.

Behind that place nothing of the one way is known: not the object, and not the array in it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, check_script

A, B = np.arange(5.0), np.arange(5.0) + 1


class Keeper:
    """Keeps an array, and hands out its methods."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def add(self, w: Any) -> Any:
        self.v = self.v + w
        return self.v


def cell(v: Any) -> Any:
    count = 0

    def add(w: Any) -> Any:
        nonlocal v, count
        count += 1
        v = v + w
        return v

    return add


def in_a_closure(a: Any, b: Any, m: float) -> Any:
    if m:
        pass
    else:
        add = cell(a)
        add(a)
    print(m)
    return b if m else add(b)


def in_two_closures(a: Any, b: Any, m: float) -> Any:
    if m:
        add = cell(a)
        add(a * 2)
    else:
        add = cell(b)
        add(b + m)
    return add(a)


def in_a_tuple(a: Any, b: Any, m: float) -> Any:
    held = None if m else ([a * 2], b)
    print(m)
    return held if m else held[0][0] + b  # type: ignore[index]


def in_a_tuple_that_grows(a: Any, b: Any, m: float) -> Any:
    held: Any = None
    if not m:
        rows = [a * 2]
        held = (rows,)
        rows.append(a + m)
    print(m)
    return held, b


def in_a_method(a: Any, b: Any, m: float) -> Any:
    add = None
    if not m:
        add = Keeper(a * 2).add
    print(m)
    return add(b) if add else b


def in_a_partial(a: Any, b: Any, m: float) -> Any:
    add = functools.partial(cell(b)) if m else functools.partial(np.concatenate, [a + m])
    print(m)
    return add(b) if m else add()


def in_a_default(a: Any, b: Any, m: float) -> Any:
    if m:

        def shifted(v: Any, rows: Any = [a + 1]) -> Any:  # noqa: B006
            return v + rows[0]

    else:

        def shifted(v: Any, rows: Any = [b * 2]) -> Any:  # noqa: B006
            return v - rows[0]

    return shifted(a) + shifted(b)


def of_one_iteration(a: Any, b: Any, m: float) -> Any:
    kept = None
    for k in range(3):
        add = cell(a * k)
        if kept:
            kept(a)
        if k == m:
            kept = add
    return kept(b) if kept else a


def in_a_tuple_of_one_iteration(a: Any, b: Any, m: float) -> Any:
    kept = None
    for k in range(3):
        rows = [a * k]
        if k == m:
            kept = (rows,)
        rows.append(b)
    return kept


PROGRAMS = [
    *(in_a_closure, in_two_closures, in_a_tuple, in_a_tuple_that_grows, in_a_method, in_a_partial),
    *(in_a_default, of_one_iteration, in_a_tuple_of_one_iteration),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_what_one_way_has_made(program: Any) -> None:
    """One way first and then the other, by one function."""

    def script(jit: Decorator, first: float, second: float) -> Any:
        jitted = jit(program)
        return [jitted(A.copy(), B.copy(), m) for m in (first, second, first)]

    check_script(script, 0.0, 1.0)
    check_script(script, 1.0, 0.0)
