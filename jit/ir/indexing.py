"""Basic indices (integers, slices, newaxis) and how they map axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class Ref:
    """A number known only at run time: input `position` of the node."""

    position: int

    def __str__(self) -> str:
        return f"#{self.position}"


Number = int | Ref
LEAST_STEP = 2
"""Smallest magnitude of a step known only at run time: step 1 would have another layout class."""


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of one axis; a step unknown at capture is at least 2."""

    start: Number | None = None
    stop: Number | None = None
    step: Number = 1

    @property
    def least_step(self) -> int:
        """Return the step, or the smallest magnitude that it may have."""
        return LEAST_STEP if isinstance(self.step, Ref) else self.step

    @property
    def whole(self) -> bool:
        """True if the slice takes the whole axis."""
        return self == Span()

    def __str__(self) -> str:
        start = "" if self.start is None else str(self.start)
        stop = "" if self.stop is None else str(self.stop)
        return f"{start}:{stop}" + ("" if self.step == 1 else f":{self.step}")


@dataclass(frozen=True, slots=True)
class NewAxis:
    """`None` in an index."""

    def __str__(self) -> str:
        return "None"


Part = Number | Span | NewAxis


@dataclass(frozen=True, slots=True)
class Index:
    """A basic index: one part for each axis of the array, plus new axes; without an ellipsis."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.parts))}]"

    __repr__ = __str__

    def python(self, numbers: Sequence[Any]) -> tuple[Any, ...]:
        """Return the index as NumPy takes it; `numbers` are the node's inputs after the array.

        It ends in an ellipsis, so that NumPy returns an array instead of a scalar.
        """

        def value(number: Number | None) -> Any:
            return numbers[number.position] if isinstance(number, Ref) else number

        made: list[Any] = []
        for part in self.parts:
            if isinstance(part, Span):
                made.append(slice(value(part.start), value(part.stop), value(part.step)))
            else:
                made.append(None if isinstance(part, NewAxis) else value(part))
        return (*made, Ellipsis)

    def of_axis(self, axis: int) -> Part:
        """Return the part for an axis of the array."""
        return [part for part in self.parts if not isinstance(part, NewAxis)][axis]

    def axes(self) -> list[int | None]:
        """Map each axis of the result to the array's axis that it comes from.

        None for a new axis.
        """
        result: list[int | None] = []
        axis = 0
        for part in self.parts:
            if isinstance(part, NewAxis):
                result.append(None)
                continue
            if isinstance(part, Span):
                result.append(axis)
            axis += 1
        return result
