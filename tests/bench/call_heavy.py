"""A program of calls and nothing else: what `python -m framejit run` costs where there is no array.

Run by test_run.py, plain and under framejit; with an argument it imports NumPy first, so that its
functions are looked at. It takes most of a second, so that a start costs little beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

if len(sys.argv) > 1:
    import numpy

    assert numpy


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    @property
    def norm(self) -> int:
        return self.x * self.x + self.y * self.y

    def moved(self, dx: int, dy: int = 0) -> Point:
        return Point(self.x + dx, self.y + dy)

    def __lt__(self, other: Point) -> bool:
        return self.norm < other.norm

    def __getitem__(self, index: int) -> int:
        return self.y if index else self.x


def counted(n: int) -> Iterator[int]:
    yield from range(n)


def adder(k: int) -> Callable[[int], int]:
    def add(n: int) -> int:
        return n + k

    return add


def words(n: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for k in range(n):
        word = f"{k % 97:x}".upper().strip()
        counts[word] = counts.get(word, 0) + len(word)
    return counts


def star(*args: Any, **kwargs: Any) -> int:
    return len(args) + len(kwargs)


def main(rounds: int) -> int:
    total = 0
    for turn in range(rounds):
        total += fib(18)
        point = Point(0, 0)
        for k in range(1500):
            point = point.moved(1, k % 3)
            total += point.norm + point[0] + point[1]
        points = [Point(k * 37 % 101, k) for k in range(300)]
        total += sorted(points)[0].x + min(points, key=lambda one: one.y).x
        total += sum(n for n in counted(1500))
        add = adder(turn)
        for k in range(2000):
            total += add(k)
            total += adder(k)(turn)
        total += sum(map(lambda n: n + 1, range(1500)))  # noqa: C417 (a call from C)
        total += len(words(1500))
        for k in range(800):
            total += star(k, turn, one=k)
    return total


print(main(200))
