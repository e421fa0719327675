"""Ranges, and the iterators over them."""

from __future__ import annotations

import operator
from collections.abc import Hashable
from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.types import PY_INT
from .expected import Expected
from .value_kind import OfParts, RecipeOf, live_in


@live_in
@dataclass(frozen=True, eq=False, slots=True)
class Range(OfParts):
    """A `range` object (start, stop, step), made here or a live-in."""

    words = "a range"
    stands_for = range
    part_names = ("start", "stop", "step")
    are_parts_realised = True

    @classmethod
    def expected(cls, parts: tuple[Any, ...]) -> range | None:
        """Return a range; an unknown start, as in a running loop, is the first number."""
        start, stop, step = map(_int, parts)
        return None if stop is None or not step else range(start or 0, stop, step)


def _int(part: Any) -> int | None:
    if type(part) is Expected:
        return part.hint if part.type == PY_INT else None
    return part if type(part) is int else None


@dataclass(frozen=True, eq=False, slots=True)
class RangeIterator(OfParts):
    """An iterator over a range: start, stop and step of the remaining numbers."""

    words = "an iterator"
    taken: bool = False
    """True if the start has been handed out already."""

    @property
    def distinction(self) -> Hashable:
        """Tell an iterator whose start is still to be handed out from others."""
        return self.taken

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Make an iterator over the range of the remaining numbers."""
        start, stop, step = map(of, self.parts)
        if self.taken:
            start = ir.Call(operator.add, (start, step))
        return ir.Call(iter, (ir.Call(range, (start, stop, step)),))

    @classmethod
    def expected(cls, parts: tuple[Any, ...]) -> Any:
        """Return an iterator, if the range is known."""
        numbers = Range.expected(parts)
        return None if numbers is None else iter(numbers)
