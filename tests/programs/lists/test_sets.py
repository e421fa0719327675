"""Sets of ints, and of tuples of ints, that the function makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
FEW = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 300)
FAR_APART = np.arange(200) * 2**40
X = RNG.normal(size=12)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,), (FEW[:0],))
def different(x: Any) -> Any:
    seen: set[Any] = set()
    count = 0
    for v in x:
        if v not in seen:
            seen.add(v)
            count += 1
    return count, len(seen)


@PROGRAMS.runs((FEW,), (MANY,), (FEW[:1],))
def first_ones(x: Any) -> Any:
    seen: set[int] = set()
    places = []
    for k in range(len(x)):
        v = int(x[k])
        if v in seen:
            continue
        seen.add(v)
        places.append(k)
    return places


@PROGRAMS.runs((FEW,), (MANY,))
def visited(x: Any) -> Any:
    place = (0, 0)
    seen = {place}
    for k in range(len(x)):
        way = x[k] % 4
        if way == 0:
            place = (place[0] + 1, place[1])
        elif way == 1:
            place = (place[0] - 1, place[1])
        elif way == 2:
            place = (place[0], place[1] + 1)
        else:
            place = (place[0], place[1] - 1)
        seen.add(place)
    return len(seen), (0, 1) in seen, place in seen


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def handed_over(x: Any) -> Any:
    seen = set()
    for v in x:
        seen.add(int(v) // 3)
    return seen, [v for v in (1, 2, 3) if v in seen], x * 2


@PROGRAMS.runs((FEW,), (MANY,))
def of_iterables(x: Any) -> Any:
    all_of_them = set(x.tolist())
    remainders = set(int(v) % 7 for v in x)  # noqa: C401
    squares = {int(v) % 5 for v in x}
    given = set([3, 1, 2])  # noqa: C405
    given.update((7, 3))
    return len(all_of_them), len(remainders), len(squares), len(given), bool(given), 7 in given


@PROGRAMS.runs((FEW,), (MANY,))
def in_order(x: Any) -> Any:
    seen = set()
    for v in x:
        seen.add(int(v))
    return sorted(seen), sorted(seen, reverse=True)[0]


@PROGRAMS.runs((20,))
def spread(n: int) -> Any:
    burning = {(n // 2, n // 2)}
    board = np.zeros((n, n))
    for k in range(3 * n):
        i, j = (k * 7) % n, (k * 5) % n
        if (i - 1, j) in burning or (i, j - 1) in burning or k % 3 == 0:
            burning.add((i, j))
            board[i, j] += 1
    return board, len(burning)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_sets_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def of_other_things(x: Any) -> Any:
    names, numbers, mixed = set(), set(), set()
    for k in range(len(x)):
        names.add("a" if x[k] > 0 else "b")
        numbers.add(x[k] * 2)
        mixed.add(k if x[k] > 0 else (k, k))
    return names, numbers, mixed, {None, 1}, {(1, 2.5)}, {True}


def of_both_kinds_of_ints(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k % 5)
        seen.add(np.int64(k % 7))
    return seen, 3 in seen, 3.0 in seen, "a" in seen, (3,) in seen


def changed_in_other_ways(x: Any) -> Any:
    y = x * 2
    seen = {5, 3, 9, 1}
    seen.discard(3)
    seen.remove(9)
    try:
        seen.remove(77)
    except KeyError:
        y += 1
    one = seen.pop()
    seen |= {4, 5}
    seen.update([8], {9})
    return seen, one, seen & {4}, seen - {4}, seen ^ {4}, seen | {40}, seen.copy(), y


def compared(x: Any) -> Any:
    y = x * 2
    one, other = {1, 2}, {2, 1}
    return one == other, one != other, one is other, one <= other, one.issubset([1, 2, 3]), y


def gone_through(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add((k * 37) % 101)
    total = 0
    for v in seen:
        total = total * 3 + v
    return total, list(seen), max(seen), sum(seen), x * 2


def shown_on_the_way(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k % 5)
        if k == 7:
            print(seen)
    return seen


def of_which_class(x: Any) -> Any:
    seen = {1, 2}
    kinds = isinstance(seen, set), isinstance(seen, frozenset), isinstance(seen, list)
    try:
        hash(seen)
    except TypeError:
        return kinds, type(seen) is set, hasattr(seen, "keys"), hasattr(seen, "add"), x * 2
    return None


def unhashable(x: Any) -> Any:
    seen = {1}
    y = x * 2
    try:
        seen.add([1])
    except TypeError:
        y += 1
    try:
        y += [1] in seen
    except TypeError:
        y += 1
    return y


def large_numbers(x: Any) -> Any:
    seen = {1}
    for k in range(len(x)):
        seen.add(2**62 + k)
        seen.add(-(2**63) + k)
        seen.add(-1)
        seen.add(-2)
    return seen, 2**64 in seen, x * 2


@pytest.mark.parametrize(
    "program",
    [
        of_other_things,
        of_both_kinds_of_ints,
        changed_in_other_ways,
        compared,
        gone_through,
        shown_on_the_way,
        of_which_class,
        unhashable,
        large_numbers,
    ],
)
def test_what_else_sets_do_is_as_in_eager(program: Any) -> None:
    check(program, X)
