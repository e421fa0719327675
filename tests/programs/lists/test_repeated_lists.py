"""`[0.0] * n` where only running tells n."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

from framejit import jit

PROGRAMS = Programs()
X = np.linspace(0.5, 2.0, 7)


@PROGRAMS.runs((X, 7), (X, 8))
def filled(x: Any, n: int) -> Any:
    sums = [0.0] * n
    for k in range(len(x)):
        sums[k] = x[k].item() * 2 + sums[k - 1]
    return np.array(sums)


@PROGRAMS.runs((30,), (31,))
def sieve(n: int) -> Any:
    prime = [True] * (n + 1)
    for k in range(2, n + 1):
        if prime[k]:
            for other in range(k * k, n + 1, k):
                prime[other] = False
    return np.nonzero(np.array(prime))[0]


@PROGRAMS.runs(
    (X, 4),
)
def made_of_a_result(x: Any, n: int) -> Any:
    table = n * [x[0].item()]
    for k in range(n):
        table[k] += k
    return x * sum(table), len(table)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the list."""
    check_whole(program, arguments)


def repeated(x: Any, items: Any, n: Any) -> Any:
    made = items * n
    for k in range(min(len(made), 3)):
        made[k] = x[k]
    return made, x * 2


@pytest.mark.parametrize("n", [0, -1, 1, 5, True, 2.0, np.int64(3), np.float64(2.0), "a"], ids=repr)
@pytest.mark.parametrize(
    "items", [[0], [0.5], [None], ["a"], [X], [], [1, 2], [[1]], (1,)], ids=str
)
def test_all_kinds(items: Any, n: Any) -> None:
    """Items of all types, and counts that are no int."""
    check(repeated, X, items, n)
    check(lambda x, n: (repeated(x, [0.0], n), repeated(x, [1], n)), X, n)


def test_items_are_one_object() -> None:
    """Each item is the object that the list had."""

    def held(x: Any, n: int, number: float) -> Any:
        made = [number] * n
        other = [x[0]] * n
        return made, made[0] is made[-1], other, x * 2

    check(held, X, 4, 1e9)


@pytest.mark.parametrize("count", [1 << 60, sys.maxsize, -(1 << 60)])
def test_more_than_there_is_memory_for(count: int) -> None:
    """CPython refuses such a list before it makes an item of it; a loop would go on for ever."""

    def program(x: Any, n: Any) -> Any:
        items = [0.5]
        try:
            items = items * n
        except MemoryError as error:
            return repr(error), x * 2
        return len(items), x * 3

    check(program, X, 3, calls=3)
    check(program, X, count, calls=3)
    function = jit(program, backend="numpy")
    expected = program(X, count)[0]
    assert [function(X, n)[0] for n in (3, 4, count, count)] == [3, 4, expected, expected]
