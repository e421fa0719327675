"""Dicts, sets, tuples and sorting: a graph and its shortest ways, and a cache of results."""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from functools import cache

Edges = dict[int, dict[int, int]]


def graph(size: int) -> Edges:
    edges: Edges = defaultdict(dict)
    for node in range(size):
        for step in (1, 7, 31):
            edges[node][(node * 3 + step) % size] = node * step % 13 + 1
    return edges


def shortest(edges: Edges, start: int) -> dict[int, int]:
    distances, heap = {start: 0}, [(0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distance > distances[node]:
            continue
        for other, weight in edges[node].items():
            through = distance + weight
            if through < distances.get(other, 1 << 60):
                distances[other] = through
                heapq.heappush(heap, (through, other))
    return distances


def reached(edges: Edges, start: int) -> set[int]:
    seen, queue = {start}, deque([start])
    while queue:
        for other in edges[queue.popleft()]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return seen


@cache
def ways(coins: tuple[int, ...], amount: int) -> int:
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return ways(coins, amount - coins[0]) + ways(coins[1:], amount)


def main(rounds: int) -> int:
    edges, total = graph(400), 0
    for turn in range(rounds):
        total += sum(shortest(edges, turn % 400).values())
        total += len(reached(edges, turn % 400) & {*range(0, 400, 3)})
        ways.cache_clear()
        total += ways((50, 20, 10, 5, 2, 1), 120 + turn % 5)
        records = [{"key": k * 37 % 101, "name": f"n{k % 10}"} for k in range(200)]
        records.sort(key=lambda one: (one["name"], one["key"]))
        groups: dict[object, list[object]] = {}
        for record in records:
            groups.setdefault(record["name"], []).append(record["key"])
        total += sum(len(group) for group in groups.values())
    return total


if __name__ == "__main__":
    print(main(600))
