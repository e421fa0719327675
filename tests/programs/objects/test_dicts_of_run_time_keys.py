"""Dicts that the function makes, whose keys are ints or tuples of ints that only running tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
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
