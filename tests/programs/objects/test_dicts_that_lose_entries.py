"""Dicts with keys that only running tells: entries that are removed, copies, and `==`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
FEW = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 60)
X = RNG.normal(size=40)


@PROGRAMS.runs((FEW, 5), (FEW, 1), (MANY, 7))
def most_different_in_a_window(x: Any, width: int) -> Any:
    count: dict[int, int] = {}
    most = 0
    for k in range(len(x)):
        v = int(x[k])
        count[v] = count.get(v, 0) + 1
        if k >= width:
            old = int(x[k - width])
            count[old] -= 1
            if count[old] == 0:
                del count[old]
        most = max(most, len(count))
    return most, count


@PROGRAMS.runs((FEW, 3), (MANY, 8), (FEW, 100))
def least_recently_used(x: Any, size: int) -> Any:
    cache: dict[int, int] = {}
    hits = 0
    for k in range(len(x)):
        v = int(x[k])
        if v in cache:
            hits += cache.pop(v) - k
        elif len(cache) >= size:
            oldest = min(cache, key=cache.get)
            del cache[oldest]
        cache[v] = k
    return hits, cache, list(cache)


@PROGRAMS.runs((FEW,), (MANY,))
def pairs_that_cancel(x: Any) -> Any:
    waiting: dict[int, int] = {}
    found = 0
    for k in range(len(x)):
        v = int(x[k])
        at = waiting.pop(-v, -1)
        if at >= 0:
            found += k - at
        else:
            waiting[v] = k
    return found, waiting


@PROGRAMS.runs((FEW,), (MANY,))
def taken_from_the_end(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[int(x[k]) // 3] = k
    total = 0
    while held:
        key, value = held.popitem()
        total = total * 3 % 1000003 + key % 11 * value
    return total, held


@PROGRAMS.runs((X, FEW), (X[:3], FEW[:3]))
def floats_move_up(x: Any, keys: Any) -> Any:
    sums: dict[int, float] = {}
    for k in range(len(x)):
        sums[int(keys[k])] = sums.get(int(keys[k]), 0.0) + float(x[k])
    gone = 0.0
    for key in range(-3, 3):
        gone += sums.pop(key, 0.5)
    return gone, sums


@PROGRAMS.runs(
    (X,),
)
def cells_that_die(x: Any) -> Any:
    alive: dict[tuple[int, int], int] = {}
    for k in range(len(x) - 1):
        cell = (int(x[k] * 2), int(x[k + 1] * 2))
        if cell in alive:
            del alive[cell]
        else:
            alive[cell] = k
    return len(alive), (0, 0) in alive


@PROGRAMS.runs((FEW,), (MANY,))
def counts_before_and_after(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        count[int(v)] = count.get(int(v), 0) + 1
    before = count.copy()
    plain = dict(count)
    for v in x[::2]:
        count[int(v) + 1] = count.get(int(v) + 1, 0) + 1
    return before, count, before == count, before == plain, plain != before, len(plain)


@PROGRAMS.runs((FEW, FEW[::-1]), (FEW, FEW + 1), (FEW, FEW[:-1]), (MANY, MANY))
def same_items(x: Any, y: Any) -> Any:
    first: dict[int, int] = {}
    second: dict[int, int] = {}
    for v in x:
        first[int(v)] = first.get(int(v), 0) + 1
    for v in y:
        second[int(v)] = second.get(int(v), 0) + 1
    return first == second


@PROGRAMS.runs((FEW,))
def emptied_with_known_entries(x: Any) -> Any:
    seen = {0: 5, 1: 7}
    other = {3: 4}
    other.clear()
    total = 0
    for k in range(len(x)):
        total += len(seen)
        if x[k] > 3:
            seen.clear()
        seen[int(x[k])] = k
    return total, seen, other


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_dicts_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def emptied_in_each_iteration(x: Any) -> Any:
    seen: dict[int, int] = {}
    lengths = np.zeros(5, dtype=int)
    for start in range(5):
        seen.clear()
        for v in x[start:]:
            seen[int(v * 3)] = start
        lengths[start] = len(seen)
    return lengths, seen


def a_missing_key(x: Any) -> Any:
    y = x * 2
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 7] = k
    try:
        for k in range(9):
            y[k] += held.pop(k)
    except KeyError as error:
        return y, held, error.args
    return None


def a_key_that_is_deleted_twice(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 7] = k
    try:
        for k in range(9):
            del held[k % 5]
    except KeyError as error:
        return held, error.args, x * 2
    return None


def emptied_too_often(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 3] = k
    try:
        for _ in range(9):
            held.popitem()
    except KeyError as error:
        return held, error.args, x * 2
    return None


def deleted_in_a_loop_over_it(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 5] = k
    try:
        for k in held:
            if k == 3:
                del held[k]
    except RuntimeError as error:
        return held, error.args, x * 2
    return held


def deleted_in_a_loop_that_ends(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 5] = k
    for k in held:
        if k == 3:
            del held[k]
            break
    return held, x * 2


def deleted_by_a_function_in_a_loop(x: Any) -> Any:
    held: dict[int, int] = {}

    def drop(k: int) -> None:
        del held[k]

    for k in range(len(x)):
        held[k % 5] = k
    for k in list(held):
        if k > 2:
            drop(k)
    try:
        for k in held:
            drop(k)
    except RuntimeError as error:
        return held, error.args, x * 2
    return held


def large_dicts(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(2000):
        held[k * 7] = k
    total = 0
    for k in range(0, 2000, 3):
        total += held.pop(k * 7)
    while len(held) > 900:
        total += held.popitem()[1]
    return total, held, x * 2


def which_objects_stay(x: Any) -> Any:
    held: dict[int, Any] = {}
    first = x[0]
    for k in range(len(x)):
        held[k % 5] = x[k]
    held[9] = first
    taken = held.pop(2)
    other = held.copy()
    return held, taken, first, held[9] is first, other[9] is first, other[1] is held[1], other


def not_a_number(x: Any) -> Any:
    nan = float(x[0] * np.nan)
    one: dict[int, float] = {}
    other: dict[int, float] = {}
    for k in range(len(x)):
        one[k] = nan
        other[k] = nan
    return one == other, one == one.copy(), x * 2


def of_other_dicts(x: Any) -> Any:
    held: dict[int, int] = {}
    for k in range(len(x)):
        held[k % 5] = k
    known = {0: 35, 1: 36, 2: 37, 3: 38, 4: 39}
    floats: dict[int, float] = {}
    for k in range(len(x)):
        floats[k % 5] = float(k)
    return held == known, known == held, held == {}, held == 3, held == floats, held != known, x * 2


def of_numpys_numbers(x: Any) -> Any:
    one: dict[int, Any] = {}
    other: dict[int, Any] = {}
    counts: Counter[int] = Counter()
    zeros: dict[int, int] = {}
    for k in range(len(x)):
        one[k % 5] = x[k]
        other[k % 5] = x[k]
        zeros[k % 3] = 0
        counts[7] += 0
    return one == other, one != other, type(one == other), zeros == counts, counts == zeros


def reached_by_two_names(x: Any) -> Any:
    held: dict[int, int] = {}
    other = held
    items = held.items()
    for k in range(len(x)):
        held[k % 5] = k
    del other[2]
    other.pop(3, None)
    numbered = iter(held)
    other.pop(4)
    try:
        next(numbered)
    except RuntimeError as error:
        return held, other is held, items, error.args
    return None


SURROUNDINGS = {k: k * k for k in range(6)}


def of_the_surroundings(x: Any) -> Any:
    total = 0
    for k in range(len(x)):
        if k % 8 in SURROUNDINGS:
            total += SURROUNDINGS[k % 8]
            taken = SURROUNDINGS.pop(k % 8)
            SURROUNDINGS[k % 8] = taken
    return total, SURROUNDINGS, x * 2


def given(held: Any, x: Any) -> Any:
    total = 0
    for k in range(len(x)):
        total += held.get(k % 7, 0)
    for k in range(3):
        total += held.pop(k)
    last = held.popitem()
    copied = held.copy()
    held.clear()
    return total, last, held, copied, x * 2


@pytest.mark.parametrize(
    "program",
    [
        a_key_that_is_deleted_twice,
        a_missing_key,
        deleted_by_a_function_in_a_loop,
        deleted_in_a_loop_over_it,
        deleted_in_a_loop_that_ends,
        emptied_in_each_iteration,
        emptied_too_often,
        large_dicts,
        not_a_number,
        of_other_dicts,
        of_the_surroundings,
        of_numpys_numbers,
        reached_by_two_names,
        which_objects_stay,
    ],
)
def test_what_else_dicts_do_is_as_in_eager(program: Any) -> None:
    check(program, X)


def test_dicts_that_are_given() -> None:
    check(given, {k: k + 1 for k in range(9)}, X)
