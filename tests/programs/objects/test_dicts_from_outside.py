"""Dicts from outside (arguments, attributes, globals) that loops read and change."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()


RNG = np.random.default_rng(0)


N = RNG.integers(-6, 6, 40)


MANY = RNG.integers(-(2**62), 2**62, 200)


WEIGHTS = {k: 0.5 + k for k in range(-3, 4)}


COSTS = {(i, j): 3 * i - j for i in range(-2, 3) for j in range(-3, 3)}


LARGE = {int(v): k for k, v in enumerate(MANY)}


# ---- dicts ---------------------------------------------------------------------------------------


@PROGRAMS.runs((N,))
def looked_up(x: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += WEIGHTS.get(int(x[k]), 0.25)
    return total


@PROGRAMS.runs((N,), (N[:0],))
def looked_up_if_there(x: Any) -> Any:
    total = 0.0
    for v in x.tolist():
        if v in WEIGHTS:
            total += WEIGHTS[v]
    return total


@PROGRAMS.runs(
    (N, 2),
)
def costs(x: Any, j: int) -> Any:
    total = 0
    for k in range(len(x)):
        total += COSTS.get((int(x[k]), j), 1)
    return total


@PROGRAMS.runs((MANY,))
def of_far_keys(x: Any) -> Any:
    return sum(LARGE[v] for v in x.tolist())


@PROGRAMS.runs((N, {}), (N, {1: 2, 5: 3, -77: 1}), (MANY, dict.fromkeys(range(40), 1)))
def counted(x: Any, counts: dict[int, int]) -> Any:
    for k in range(len(x)):
        v = int(x[k])
        counts[v] = counts.get(v, 0) + 1
    return counts, list(counts.items()), len(counts)


@PROGRAMS.runs((N, {k: k / 7 for k in range(-6, 6)}))
def weighted(x: Any, weights: dict[int, float]) -> Any:
    for k in range(len(x)):
        weights[int(x[k])] *= 1.5
    return weights, sum(weights.values()) + 1


@PROGRAMS.runs(({(0, 0): 1}, 6), ({(2, 2): 5, (0, 1): 3}, 7))
def paths(table: dict[tuple[int, int], int], n: int) -> Any:
    for i in range(n):
        for j in range(n):
            if (i, j) not in table:
                table[i, j] = table.get((i - 1, j), 0) + table.get((i, j - 1), 0)
    return table[n - 1, n - 1], table, sum(table.values())


def items_of_paths(table: dict[tuple[int, int], int], n: int) -> Any:
    return paths(table, n), list(table.items()), list(table)


def missing(x: Any, weights: dict[int, float]) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += weights[int(x[k])]
        x[k] = 0
    return total


def of_an_item(x: Any, weights: dict[int, float]) -> Any:
    last = None
    for k in range(len(x)):
        last = weights.get(int(x[k]), last)
    return last, any(last is one for one in weights.values())


def put_twice(x: Any, weights: dict[int, float]) -> Any:
    for k in range(len(x)):
        v = float(k) / 3
        weights[2 * k] = v
        weights[2 * k + 1] = v
    return all(weights[2 * k] is weights[2 * k + 1] for k in range(len(x)))


def moved(x: Any, weights: dict[int, float]) -> Any:
    for v in x.tolist():
        weights[v] = weights.get(v + 1, 0.5)
    return [id(one) == id(other) for one in weights.values() for other in weights.values()]


def of_an_argument(x: Any, weights: dict[int, float], w: float) -> Any:
    for v in x.tolist():
        weights[v] = w
    return [one is w for one in weights.values()]


def changed_before(x: Any, counts: dict[int, int]) -> Any:
    counts[3] = 30
    counts[100] = len(x)
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    counts[4] = 7
    return list(counts.items())


def removed_afterwards(x: Any, counts: dict[int, int]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    del counts[int(x[0])]
    return list(counts.items()), counts.pop(12345, None)


def gone_through(x: Any, counts: dict[int, int]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    total = 0
    for key, value in counts.items():
        total += key * value
    return total, max(counts.values()), sorted(counts)


def of_objects(x: Any, counts: dict[Any, Any]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    return list(counts.items()), [type(one).__name__ for one in counts.values()]


@PROGRAMS.runs((N, {}), (N, {3: 1.5, 90: 2.5}))
def remembered(x: Any, memo: dict[int, float]) -> Any:
    total = 0.0
    for v in x.tolist():
        if v in memo:
            total += memo[v]
        else:
            memo[v] = v * 0.25
            total += 100.0
    return total + 0.5, len(memo)


@PROGRAMS.runs((N, {}), (N, dict(pairwise(N[:6]))))
def of_numpys_numbers(x: Any, counts: dict[Any, Any]) -> Any:
    total = 0
    for v in x:
        if v in counts:
            total += 1
        counts[v] = v * 2
    return total


def looked_into_first(x: Any, memo: dict[int, float]) -> Any:
    found = 0
    for v in x.tolist():
        found += v in memo
    keys = memo.keys()
    for v in x.tolist():
        if v not in memo:
            memo[v] = v * 0.25
    return found, len(keys), list(memo.items())


# ---- deques --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_they_are_captured_whole(program: Any, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


D = {k: k / 3 for k in range(-6, 7)}


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (looked_into_first, (N, {})),
        (looked_into_first, (N, {1: 2.5})),
        (remembered, (N, {1: 2})),
        (of_numpys_numbers, (N, {1: 2})),
        (of_numpys_numbers, (N, dict.fromkeys(N, 2.5))),
        (items_of_paths, ({(0, 0): 1}, 6)),
        (missing, (N, WEIGHTS)),
        (missing, (N, D)),
        (of_an_item, (N, dict(D))),
        (put_twice, (N, dict(D))),
        (moved, (N, dict(D))),
        (of_an_argument, (N, dict(D), 2.5)),
        (changed_before, (N, {1: 2})),
        (removed_afterwards, (N, {1: 2})),
        (gone_through, (N, {1: 2})),
        (of_objects, (N, {1: True, 2: 5})),
        (of_objects, (N, {1: 1.5, 2: 5})),
        (of_objects, (N, {"a": 1, 2: 5})),
        (of_objects, (N, {1: 2**63, 2: 5})),
        (of_objects, (N, {True: 2, 2: 5})),
        (of_objects, (N, {1.0: 2, 2: 5})),
    ],
)
def test_what_else_is_done_is_as_in_eager(program: Any, args: tuple[Any, ...]) -> None:
    check(program, *args)
