"""`heapq` on lists that the function makes: numbers, and tuples of numbers."""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.random.default_rng(0).normal(size=12)
ROADS = np.random.default_rng(1).random((6, 6))


@PROGRAMS.runs(
    (X,), (X[:1],), (X[:2],), (np.repeat(X, 3),), (np.array([1.0, np.nan, 0.5, -0.0, 0.0]),)
)
def in_order(x: Any) -> Any:
    heap: list[Any] = []
    for k in range(len(x)):
        heapq.heappush(heap, x[k])
    total = 0.0
    while heap:
        total = total * 0.5 + heapq.heappop(heap)
    return total


@PROGRAMS.runs((X, 5), (np.arange(7) % 3, 5))
def smallest(x: Any, n: int) -> Any:
    heap: list[Any] = []
    for k in range(len(x)):
        heapq.heappush(heap, (x[k], k))
    order = np.zeros(n, int)
    for k in range(n):
        _, place = heapq.heappop(heap)
        order[k] = place
    return order, len(heap), heap[0][1]


@PROGRAMS.runs((X,), (X[:1],), (X[:0],), (np.repeat(X, 3),), (np.array([1.0, np.nan, 0.5, 2.0]),))
def made_a_heap(x: Any) -> Any:
    heap = [v * 2 for v in x]
    heapq.heapify(heap)
    total = 0.0
    while len(heap) > 0:
        total = total * 0.5 + heapq.heappop(heap)
    return total


@PROGRAMS.runs((X, 4), (np.repeat(X, 2), 4))
def greatest(x: Any, n: int) -> Any:
    heap: list[Any] = []
    for k in range(len(x)):
        if len(heap) < n:
            heapq.heappush(heap, (x[k], k))
        elif x[k] > heap[0][0]:
            heapq.heapreplace(heap, (x[k], k))
    total = 0.0
    for v, k in heap:
        total = total * 0.5 + v + k
    return total


@PROGRAMS.runs((X,))
def pushed_and_popped(x: Any) -> Any:
    heap: list[Any] = []
    total = 0.0
    for k in range(len(x)):
        if k < 3:
            heapq.heappush(heap, x[k])
        else:
            total = total * 0.5 + heapq.heappushpop(heap, x[k])
    return total, len(heap)


@PROGRAMS.runs((ROADS, 0), (ROADS, 3))
def shortest_ways_from_a_float(roads: Any, start: int) -> Any:
    n = len(roads)
    distance = np.full(n, math.inf)
    distance[start] = 0.0
    done = set()
    heap = [(0.0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v in range(n):
            further = d + roads[u, v]
            if further < distance[v]:
                distance[v] = further
                heapq.heappush(heap, (further, v))
    return distance, len(done)


@PROGRAMS.runs((ROADS, 0), (ROADS, 3))
def shortest_ways(roads: Any, start: int) -> Any:
    n = len(roads)
    distance = np.full(n, math.inf)
    distance[start] = 0.0
    heap = [(np.float64(0.0), start)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v in range(n):
            further = d + roads[u, v]
            if further < distance[v]:
                distance[v] = further
                heapq.heappush(heap, (further, v))
    return distance


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the heap."""
    check_whole(program, arguments)


def pushed(x: Any, items: Any) -> Any:
    heap: list[Any] = []
    for item in items:
        heapq.heappush(heap, item)
    first = heapq.heappop(heap)
    return x * 2, first, heap


NAN = math.nan
ITEMS = [
    [3, 1, 2, 1, 0, 5, -1],
    [2.5, 1, True, 0.5, 1.0],
    ["b", "a", "c"],
    [(1, 2.0), (1, 1.0), (0, 5.0), (1, 1.0)],
    [(1.0, "b"), (1.0, "a"), (0.5, "c")],
    [(NAN, 1), (NAN, 0), (1.0, 2), (float("nan"), 0)],
    [(1,), (0, 1), ()],
    [(0.0, 1), (-0.0, 0), (0.0, 0)],
    [NAN, 1.0, float("nan"), 0.0],
    [],
    [1, "a"],
    [None, None],
    [X, X],
    [[2, 1], [1, 2]],
    [1j, 2j],
    [(1, X), (0, X)],
]


@pytest.mark.parametrize("items", ITEMS, ids=lambda items: str(items)[:40])
def test_all_kinds(items: list[Any]) -> None:
    """Items of all kinds keep their identity and order in a heap; unordered ones raise."""
    check(pushed, X, items)
    check(pushed, X, tuple(items[:1]))


@pytest.mark.parametrize("first", [0, 1, 5])
def test_heaps_that_are_handed_over(first: int) -> None:
    """The heap that is returned, its numbers and its tuples have eager's identities."""

    def handed(x: Any, first: int) -> Any:
        heap: list[Any] = []
        pairs: list[Any] = []
        for k in range(first, len(x)):
            heapq.heappush(heap, x[k] * 2)
            heapq.heappush(pairs, (x[k], k))
        least, pair = heapq.heappop(heap), heapq.heappop(pairs)
        return heap, least, pairs, pair

    check(handed, X, first)


def test_heaps_from_outside() -> None:
    """A heap that is an argument has eager's items afterwards."""

    def outside(x: Any, heap: Any) -> Any:
        heapq.heappush(heap, 0.5)
        return heapq.heappop(heap), x * 2

    check(outside, X, [1.0, 2.0])
    check(outside, X, [])


def test_empty_heaps() -> None:
    """Eager raises."""

    def popped(x: Any, n: int) -> Any:
        heap: list[Any] = []
        for k in range(n):
            heapq.heappush(heap, x[k])
        for _ in range(3):
            x = x + heapq.heappop(heap)
        return x

    for n in (2, 3, 4):
        check(popped, X, n)
