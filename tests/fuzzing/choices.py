"""Choices of Hypothesis, as cheap as they can be: a program takes some hundred of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def _below(limit: int) -> st.SearchStrategy[int]:
    return st.integers(0, limit - 1)


class Choices:
    """Drawn by Hypothesis; a smaller program takes earlier options and says no."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        drawn: int = self._draw(_below(high - low + 1))
        return low + drawn

    def one(self, options: Sequence[T]) -> T:
        """One of these; an option that stands there several times is as much more likely."""
        return options[self._draw(_below(len(options)))]

    def chance(self, percent: int) -> bool:
        """Yes in so many of a hundred cases."""
        return bool(self._draw(_below(100)) >= 100 - percent)


def weighted(**weights: int) -> tuple[str, ...]:
    """Words, each so many times, the first one first."""
    return tuple(word for word, weight in weights.items() for _ in range(weight))
