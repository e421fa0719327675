"""Generators that write into the array that they yield, for tests of iterators."""

from __future__ import annotations

from typing import Any


def running(x: Any) -> Any:
    """Yield the same array, each time with other items."""
    for i in range(3):
        x += i
        yield x


def views(x: Any) -> Any:
    """Yield views of an array that is written to in between."""
    for i in range(2):
        x += 1
        yield x[i : i + 1]
