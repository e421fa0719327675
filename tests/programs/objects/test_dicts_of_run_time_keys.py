"""Dicts that the function makes, whose keys are ints or tuples of ints that only running tells."""

from __future__ import annotations

from time import process_time
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
X = RNG.normal(size=40)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,), (FEW[:0],))
def counted(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        k = int(v)
        count[k] = count.get(k, 0) + 1
    return count


@PROGRAMS.runs((FEW,), (MANY,))
def counted_under_a_condition(x: Any) -> Any:
    count: dict[int, int] = {}
    for k in range(len(x)):
        v = int(x[k])
        if v in count:
            count[v] += 1
        else:
            count[v] = 1
    return max(count.values()), len(count), list(count), sorted(count.items())


@PROGRAMS.runs((300,))
def remembered(n: int) -> Any:
    memo = {0: 0, 1: 1}
    for k in range(2, n):
        memo[k] = (memo[k - 1] + memo[k - 2]) % 1000007
    return memo[n - 1], memo


@PROGRAMS.runs((200,))
def steps_to_one(n: int) -> Any:
    steps = {1: 1}
    best = at = 1
    for start in range(2, n):
        k, more = start, 0
        while k not in steps:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            more += 1
        steps[start] = steps[k] + more
        if steps[start] > best:
            best, at = steps[start], start
    return best, at


@PROGRAMS.runs((FEW, 3), (MANY, -5))
def two_that_sum_to(x: Any, goal: int) -> Any:
    seen: dict[int, int] = {}
    for i in range(len(x)):
        v = int(x[i])
        if goal - v in seen:
            return seen[goal - v], i
        seen[v] = i
    return None


@PROGRAMS.runs((FEW, X), (FEW[:1], X[:1]))
def means_of_groups(keys: Any, x: Any) -> Any:
    totals: dict[int, Any] = {}
    counts: dict[int, int] = {}
    for k, v in zip(keys, x, strict=True):
        group = int(k)
        totals[group] = totals.get(group, 0.0) + v
        counts[group] = counts.get(group, 0) + 1
    return {k: totals[k] / counts[k] for k in totals}


@PROGRAMS.runs((X,), (X[:3],))
def cells(x: Any) -> Any:
    grid: dict[tuple[int, int], int] = {}
    for k in range(len(x) - 1):
        cell = (int(x[k] * 2), int(x[k + 1] * 2))
        grid[cell] = grid.get(cell, 0) + 1
    return grid, len(grid)


@PROGRAMS.runs((FEW,), (MANY,))
def entropy(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x.tolist():
        count[v] = count.get(v, 0) + 1
    total = 0.0
    for c in count.values():
        p = c / len(x)
        total -= p * np.log2(p)
    return total


@PROGRAMS.runs((FEW,))
def numbers_of_numpy_as_keys(x: Any) -> Any:
    last: dict[Any, int] = {}
    for k, v in enumerate(x):
        last[v] = k
    return last


@PROGRAMS.runs((FEW,))
def values_change_in_a_loop_over_the_dict(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        count[int(v)] = count.setdefault(int(v), 10) + 1
    for k in count:
        count[k] *= k
    total = 0
    for k, c in count.items():
        total = total * 3 + k - c
    return total, count


@PROGRAMS.runs((FEW,), (FEW[:7],))
def numbered_and_sorted(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        count[int(v)] = count.get(int(v), 0) + 1
    total = 0
    for i, (k, c) in enumerate(count.items()):
        total += i * (k % 7) - c
    pairs = [k % 5 * w for k, w in zip(count, x.tolist(), strict=False)]
    many = any(c > 3 for c in count.values())
    return total, pairs, many, sorted(count, key=count.get, reverse=True), max(count, key=count.get)


@PROGRAMS.runs((FEW,))
def one_in_each_iteration(x: Any) -> Any:
    found = np.zeros(4, dtype=int)
    for start in range(4):
        seen: dict[int, int] = {}
        for v in x[start:]:
            seen[int(v) % (start + 1)] = start
        found[start] = len(seen)
    return found


@PROGRAMS.runs((FEW,))
def handed_to_a_function(x: Any) -> Any:
    cache: dict[int, int] = {}

    def square(k: int) -> int:
        if k not in cache:
            cache[k] = k * k
        return cache[k]

    total = 0
    for v in x:
        total += square(int(v))
    return total, cache


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_dicts_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def a_missing_key(x: Any) -> Any:
    y = x * 2
    last: dict[int, int] = {}
    for k in range(len(x)):
        last[k * 3 % 7] = k
    try:
        for k in range(9):
            y[k] += last[k]
    except KeyError as error:
        return y, last, error.args
    return None


def counted_by_exceptions(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        try:
            count[int(v * 2)] += 1
        except KeyError:
            count[int(v * 2)] = 1
    return count


def an_exception_half_way(x: Any) -> Any:
    y = x.copy()
    quotients: dict[int, int] = {}
    try:
        for k in range(-5, 5):
            quotients[k] = 100 // k
            y[k] = k
    except ZeroDivisionError:
        return y, quotients
    return None


def keys_of_both_kinds(x: Any) -> Any:
    count: dict[Any, int] = {}
    for k in range(len(x)):
        count[k % 5] = k
        count[np.int64(k % 7)] = k
    return count, 3 in count, 3.0 in count, "a" in count, (3,) in count, True in count


def looked_up_in_other_ways(x: Any) -> Any:
    count: dict[Any, int] = {}
    for k in range(len(x)):
        count[k * k % 11] = k
    found = [count.get(np.int64(k)) for k in range(12)]
    return found, count.get(2.0), count.get("a"), count.get(None, 7), np.int64(4) in count


def keys_of_other_kinds(x: Any) -> Any:
    names: dict[Any, Any] = {}
    numbers: dict[Any, Any] = {}
    mixed: dict[Any, Any] = {"n": 0}
    for k in range(len(x)):
        names["a" if x[k] > 0 else "b"] = k
        numbers[x[k] * 2] = k
        mixed[k] = k
        mixed["n"] += 1
        mixed[k > 3] = k
    return names, numbers, mixed


def changed_in_other_ways(x: Any) -> Any:
    y = x * 2
    held = {}
    for k in range(len(x)):
        held[k * 7 % 13] = k
    del held[3]
    one = held.pop(5)
    none = held.pop(77, None)
    last = held.popitem()
    held.update({4: 5, 99: 1})
    copied = held.copy()
    held |= {1: 0}
    both = held | copied
    same = held == copied, held == both
    copied.clear()
    return held, one, none, last, copied, both, same, y


def changed_while_gone_through(x: Any) -> Any:
    held = {}
    for k in range(len(x)):
        held[k % 5] = k
    try:
        for k in held:
            held[k + 100] = 0
    except RuntimeError as error:
        return held, error.args, x * 2
    return None


def grown_after_the_iterator_was_made(x: Any) -> Any:
    held = {}
    for k in range(len(x)):
        held[k % 5] = k
    iterator = iter(held)
    numbered = enumerate(held.items())
    for _ in range(3):
        for k in zip(held, held.values(), strict=True):
            x[0] += k[0]
    for k in range(len(x)):
        held[k % 7] = k
    try:
        for k in iterator:
            held[k] = -1
    except RuntimeError as error:
        return held, error.args, list(held)
    return list(numbered)


def shown_on_the_way(x: Any) -> Any:
    held: dict[int, Any] = {}
    for k in range(len(x)):
        held[k % 5] = x[k]
        if k == 7:
            print(held)
    return held, list(held.values()), list(held.items()), dict(held), tuple(held)


def reached_by_two_names(x: Any) -> Any:
    held: dict[int, int] = {}
    other = held
    both = [held, (other, 1)]
    for k in range(len(x)):
        held[k % 5] = k
        other[k % 3] = -k
    return held, other, both, other is held, held.items(), held.keys()


def values_are_objects(x: Any) -> Any:
    held: dict[int, Any] = {}
    best = x[0]
    for k in range(len(x)):
        held[k % 5] = x[k]
        if x[k] > best:
            best = x[k]
            held[7] = best
            held[k % 2 + 8] = best
    return held, best, held[7] is best, held[7] is held[8]


def values_of_other_kinds(x: Any) -> Any:
    rows: dict[int, Any] = {}
    lists: dict[int, Any] = {}
    mixed: dict[int, Any] = {}
    pairs: dict[int, Any] = {}
    for k in range(len(x)):
        rows[k % 3] = x[k : k + 2] * 2
        lists.setdefault(k % 3, []).append(x[k])
        mixed[k % 4] = None if x[k] > 1 else k if x[k] > 0 else x[k]
        pairs[k % 5] = (k, x[k])
    return rows, lists, mixed, pairs


def large_keys(x: Any) -> Any:
    held = {1: 0}
    for k in range(len(x)):
        held[2**62 + k] = k
        held[-(2**63) + k] = k
        held[-1] = k
        held[-2] = k
    held[3**k] = 5
    return held, 2**64 in held, x * 2


def both_from_branches(x: Any) -> Any:
    held: dict[int, int] = {}
    if x[0] > 0:
        held = {5: 1}
    for k in range(len(x)):
        held[k % 4] = held.get(k % 4, 0) + k
    return held


def matched_and_unpacked(x: Any) -> Any:
    held = {1: 2}
    for k in range(len(x)):
        held[k % 4] = k
    first, *rest = held
    match held:
        case {1: one}:
            rest.append(one)
    return first, rest, [*held], {**held}, any(held), sum(held), bool(held), max(held, key=held.get)


@pytest.mark.parametrize(
    "program",
    [
        a_missing_key,
        an_exception_half_way,
        both_from_branches,
        changed_in_other_ways,
        changed_while_gone_through,
        counted_by_exceptions,
        grown_after_the_iterator_was_made,
        keys_of_both_kinds,
        keys_of_other_kinds,
        large_keys,
        looked_up_in_other_ways,
        matched_and_unpacked,
        reached_by_two_names,
        shown_on_the_way,
        values_are_objects,
        values_of_other_kinds,
    ],
)
def test_what_else_dicts_do_is_as_in_eager(program: Any) -> None:
    check(program, X)


def test_a_capture_that_does_not_settle_ends() -> None:
    """The greatest key is a tuple that the dict holds, too: captures began anew for ten seconds."""

    def program(x: Any) -> Any:
        kept = x + 1
        count: dict[Any, int] = {}
        for n in range(9):
            count[n % 3, n % 2] = count.get((n % 2, 1), 0) + 1
        best = max(count, key=count.get)  # type: ignore[arg-type]
        x[0] = n
        return kept, best, count

    begun = process_time()
    check(program, X, backends=["numpy"])

    assert process_time() - begun < 8
