"""Sets from outside (arguments, attributes, globals) that loops read and change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()


RNG = np.random.default_rng(0)


N = RNG.integers(-6, 6, 40)


MANY = RNG.integers(-(2**62), 2**62, 200)


X = RNG.normal(size=30)


FEW = {int(v) for v in N[:5]}


LARGE = {int(v): k for k, v in enumerate(MANY)}


# ---- sets ----------------------------------------------------------------------------------------


@PROGRAMS.runs((N, FEW), (MANY, {int(v) for v in MANY[::3]}), (N[:0], {1}), (N, {7}))
def members(x: Any, chosen: set[int]) -> Any:
    found = 0
    for v in x.tolist():
        if v in chosen:
            found += 1
        if v + 1 not in chosen:
            found += 100
    return found, len(chosen)


@PROGRAMS.runs((N,))
def members_of_a_global(x: Any) -> Any:
    return sum(1 for v in x.tolist() if v in FEW)


@PROGRAMS.runs((N, set()), (N, {1, 2, 40}), (MANY, {1}), (MANY, set(range(-100, 100))))
def added(x: Any, seen: set[int]) -> Any:
    new = 0
    for k in range(len(x)):
        v = int(x[k])
        if v not in seen:
            seen.add(v)
            new += v % 7
    return new, seen, len(seen)


@PROGRAMS.runs(({(0, 0)}, 5), ({(2, 1), (-1, 0)}, 8), (set(), 4))
def places(walls: set[tuple[int, int]], n: int) -> Any:
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if (i, j - 1) in walls:
                walls.add((i, j))
            elif (i - 1, j) in walls or (j, i) not in walls:
                out[i, j] = i - j
    return out, len(walls)


def in_order(x: Any, seen: set[int]) -> Any:
    return added(x, seen), list(seen)


def left_early(x: Any, seen: set[int]) -> Any:
    for v in x.tolist():
        if v in seen:
            return v, list(seen)
        seen.add(v)
    return None


def shown_on_the_way(x: Any, seen: set[int]) -> Any:
    for k in range(len(x)):
        seen.add(k % 7)
        if k == 9:
            print(sorted(seen))
    return list(seen)


def fails_on_the_way(x: Any, seen: set[int], counts: dict[int, int]) -> Any:
    for k in range(len(x)):
        seen.add(int(x[k]))
        counts[k] = len(seen)
        x[k + 1] += 1
    return seen


def two_names(x: Any, one: set[int], other: set[int]) -> Any:
    found = 0
    for v in x.tolist():
        one.add(v)
        if v in other:
            found += 1
    return found, one is other, list(one), list(other)


def twice_the_same(x: Any, one: set[int]) -> Any:
    return two_names(x, one, one)


def discarded(x: Any, seen: set[int]) -> Any:
    for v in x.tolist():
        seen.add(v)
        seen.discard(v - 1)
    return list(seen)


def of_numpys_ints(x: Any, seen: set[int]) -> Any:
    found = 0
    for v in x:
        if v in seen:
            found += 1
    for v in x:
        seen.add(v)
    return found, [type(v).__name__ for v in seen]


def of_other_things(x: Any, seen: set[int]) -> Any:
    found = 0
    for k in range(len(x)):
        found += 1.0 in seen
        found += "a" in seen
        found += True in seen
        found += k / 2 in seen
    return found


def handed_on(x: Any, seen: set[int]) -> Any:
    held = [seen]
    for v in x.tolist():
        seen.add(v)
    return held, held[0] is seen, seen, isinstance(seen, set), type(seen) is set


def bound_before(x: Any, seen: set[int]) -> Any:
    for k in range(len(x)):
        add = seen.add
        print(end="")
        add(k)
    return list(seen), add == seen.add


# ---- deques --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_they_are_captured_whole(program: Any, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


D = {k: k / 3 for k in range(-6, 7)}


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (in_order, (N, {100})),
        (in_order, (MANY, {1, 2, 3})),
        (left_early, (N, {100})),
        (left_early, (np.arange(9), {8})),
        (shown_on_the_way, (X, {50, 1})),
        (fails_on_the_way, (N[:9], {1}, {1: 2})),
        (two_names, (N, {1, 2}, {2, 3})),
        (twice_the_same, (N, {1, 2})),
        (discarded, (N, {1, 2})),
        (of_numpys_ints, (N, {1, 2})),
        (of_other_things, (N, {1, 2})),
        (of_other_things, (N, {"a", 2, 1.5})),
        (handed_on, (N, {1, 2})),
        (bound_before, (N, {1, 2})),
        (members, (N, {1, 2.0, None})),
        (members, (N, {True, 2})),
        (members, (N, {2**70, 2})),
        (members, (N, frozenset({1, 2}))),
        (added, (N, {"a"})),
    ],
)
def test_what_else_is_done_is_as_in_eager(program: Any, args: tuple[Any, ...]) -> None:
    check(program, *args)


def _of_other_kinds() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)
    kinds: list[set[Any]] = [{1, 2}, {"a"}, set(), {1.5}, {(1, 2)}, {3}, {2**65}]

    def program(x: Any) -> Any:
        chosen = kinds[held.calls % len(kinds)]
        held.calls += 1
        return searched(x, chosen)

    return program, (N,)


def searched(x: Any, chosen: set[Any]) -> Any:
    found = 0
    for v in x.tolist():
        if v in chosen:
            found += 1
    return found


def test_contents_of_other_kinds_at_later_calls() -> None:
    check(setup=_of_other_kinds, calls=9)
