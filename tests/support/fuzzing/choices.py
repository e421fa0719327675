"""Choices that a seed makes: equal seeds write equal programs, on every machine and version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Made by a seed."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(str(seed))

    def number(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return self._random.randint(low, high)

    def one(self, options: Sequence[T]) -> T:
        """One of these; an option that stands there several times is as much more likely."""
        return self._random.choice(options)

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """Return so many of the options, none twice."""
        return self._random.sample(options, min(count, len(options)))

    def chance(self, percent: int) -> bool:
        """Yes in so many of a hundred cases."""
        return self._random.randrange(100) < percent


def weighted(**weights: int) -> tuple[str, ...]:
    """Words, each so many times, the first one first."""
    return tuple(word for word, weight in weights.items() for _ in range(weight))
