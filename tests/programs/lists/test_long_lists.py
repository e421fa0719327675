"""Lists from outside with more items than are taken apart: loops go through them and read them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(3)
FLOATS = RNG.normal(size=70).tolist()
INTS = RNG.integers(-9, 9, 50).tolist()
EDGES = [(int(i), int(j)) for i, j in RNG.integers(0, 12, (60, 2))]
LOSSES = list(RNG.normal(size=45))
MANY = RNG.normal(size=3000).tolist()
NAN = float("nan")
held = SimpleNamespace(items=FLOATS, ints=INTS)


# ---- read ----------------------------------------------------------------------------------------


@PROGRAMS.runs((FLOATS,), (INTS,), (LOSSES,), (MANY,), ([0.0] * 40,), ([-0.0] * 40,))
def added_up(items: list[Any]) -> Any:
    total = 0.0
    for one in items:
        total += one * one
    return total, len(items)


@PROGRAMS.runs((2.0,))
def of_globals_and_attributes(x: float) -> Any:
    total = 0.0
    for one in FLOATS:
        total += one * x
    for other in held.ints:
        total -= other
    for last in held.items:
        total *= 0.5 + last * 1e-3
    return total


@PROGRAMS.runs((FLOATS,), (INTS,), (LOSSES,))
def comprehended(items: list[Any]) -> Any:
    return [one * 2 for one in items], [k + one * 0.5 for k, one in enumerate(items)]


@PROGRAMS.runs((FLOATS,), (INTS,))
def reduced(items: list[Any]) -> Any:
    return sum(one * 2 for one in items), sum(a * b for a, b in zip(items, items[2:], strict=False))


@PROGRAMS.runs((INTS,), (MANY,), (FLOATS,))
def summed(items: list[Any]) -> Any:
    return sum(items), sum(items, 1), max(one + 0 for one in items)


@PROGRAMS.runs((EDGES, 12), ([*EDGES, (3, 3)], 12))
def edges(pairs: list[tuple[int, int]], n: int) -> Any:
    degree = np.zeros(n)
    for i, j in pairs:
        degree[i] += 1
        degree[j] += 0.5
    return degree


@PROGRAMS.runs((FLOATS, np.arange(50) % 40), (INTS, np.arange(50) - 25), (MANY, np.arange(3000)))
def looked_up(items: list[Any], places: Any) -> Any:
    total = 0.0
    for k in range(len(places)):
        total += items[places[k]] * items[k % 30]
    return total, len(items)


@PROGRAMS.runs((FLOATS, INTS), (INTS, FLOATS))
def nested(items: list[Any], others: list[Any]) -> Any:
    best = 0.0
    for one in items:
        for other in others:
            best = max(best, one * other + 0.0)
    return best


@PROGRAMS.runs((INTS, 5), (INTS, 100), (FLOATS, FLOATS[33]), (FLOATS, 2), (MANY, 0.5), (LOSSES, 1))
def searched(items: list[Any], wanted: Any) -> Any:
    made = []
    for k in range(20):
        if k * k % 11 not in made:
            made.append(k * k % 11)
    return wanted in items, 3 not in items, items.count(wanted), made, 4 in made, 0.5 in made


@PROGRAMS.runs((FLOATS, np.arange(4.0)))
def beside_arrays(items: list[float], x: Any) -> Any:
    for one in items:
        x = x * 0.5 + one
    return x, np.mean(items), np.array(items)[:3]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_loops_read_long_lists(program: Any, args: Any) -> None:
    check_whole(program, args)


# ---- what breaks or bails ------------------------------------------------------------------------


def found_in_order(items: list[Any]) -> Any:
    """Items that are handed over are the very objects."""
    best = items[0]
    for one in items:
        if one > best:
            best = one
    return best, [one for one in items if one > 0], [best is one for one in items]


def doubled_in_place(items: list[Any]) -> Any:
    for k, one in enumerate(items):
        items[k] = one * 2
    return items


def written_behind(items: list[Any]) -> Any:
    total = 0.0
    for one in items:
        total += one
    items.append(total)
    for one in items:
        total -= one
    items[0] = total
    return items, sum(items)


def written_around(items: list[Any]) -> Any:
    for k in range(4):
        total = 0.0
        for one in items:
            total += one
        items[k] = total
        items.append(total * 0.5)
        items.pop(0)
    return items


def grows_on_the_way(items: list[Any]) -> Any:
    count = 0
    for one in items:
        if one > 0 and count < 30:
            items.append(one - 1)
        count += 1
    return count, items


def shown_on_the_way(items: list[Any]) -> Any:
    total = 0.0
    for one in items:
        total += one
        if total > 2:
            print(total)
    return total


def left_early(items: list[Any]) -> Any:
    for k, one in enumerate(items):
        if one < -1:
            return k, one
    return None


def fails_on_the_way(items: list[Any], x: Any) -> Any:
    for k, one in enumerate(items):
        x[k] += one
    return x


def changed_by_a_callee(items: list[Any]) -> Any:
    def put(k: int) -> None:
        items[k % len(items)] = 0.25

    total = 0.0
    for k, one in enumerate(items):
        total += one
        if k % 9 == 4:
            put(k + 2)
    return total, items


def searched_for_other_things(items: list[Any]) -> Any:
    nan = NAN
    found = [nan in items, "a" in items, None in items, (1, 2) in items, True in items]
    items.append(nan)
    try:
        return found, nan in items, items.index(items[40]), items.index(17.5)
    except ValueError as error:
        return found, str(error)


def two_names(items: list[Any], others: list[Any]) -> Any:
    total = 0.0
    for k, one in enumerate(items):
        others[(k + 3) % len(others)] = total
        total += one
    return total, items, others


def iterator_beside(items: list[Any]) -> Any:
    iterator = iter(items)
    first = next(iterator)
    total = first
    for one in iterator:
        total += one
    return total, first, list(iterator)


BREAKING = (
    *(found_in_order, doubled_in_place, written_behind, written_around, grows_on_the_way),
    *(shown_on_the_way, left_early, changed_by_a_callee, iterator_beside),
    searched_for_other_things,
)


@pytest.mark.parametrize("items", [FLOATS, INTS, LOSSES], ids=["floats", "ints", "numpy"])
@pytest.mark.parametrize("program", BREAKING, ids=lambda one: one.__name__)
def test_lists_that_are_changed_or_handed_on(program: Any, items: list[Any]) -> None:
    check(setup=lambda: (program, (list(items),)), calls=3)


def test_an_error_late_in_a_long_list() -> None:
    check(setup=lambda: (fails_on_the_way, (list(FLOATS), np.zeros(60))), calls=3)


@pytest.mark.parametrize("same", [True, False])
def test_two_names_of_one_long_list(same: bool) -> None:
    def setup() -> Any:
        one = list(FLOATS)
        return two_names, (one, one if same else list(FLOATS))

    check(setup=setup, calls=3)


# ---- later calls ---------------------------------------------------------------------------------


def _of_other_kinds() -> Any:
    state = SimpleNamespace(calls=0)
    kinds: list[list[Any]] = [
        FLOATS, INTS, FLOATS[:40], [], FLOATS[:3], [*FLOATS, 1], [*INTS, True], [*INTS, 2**70],
        LOSSES, [*FLOATS, np.float64(1.5)], [np.float32(2)] * 40, INTS * 3, FLOATS,
    ]  # fmt: skip

    def program(x: float) -> Any:
        items = list(kinds[state.calls % len(kinds)])
        state.calls += 1
        return added_up(items), x

    return program, (1.5,)


def test_lists_of_other_kinds_and_lengths_at_later_calls() -> None:
    check(setup=_of_other_kinds, calls=2 * 13)


class Sequence(list[float]):
    """A list with an iterator of its own."""

    def __iter__(self) -> Any:
        return iter([1.0, 2.0])


def test_a_class_of_lists_has_its_own_iterator() -> None:
    check(setup=lambda: (added_up, (Sequence(FLOATS),)), calls=2)
