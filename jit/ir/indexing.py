"""Basic indices: integers, slices, newaxis; what they make of dims and memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class Ref:
    """A number that is an input of the node: input `position`, known only at run time."""

    position: int

    def __str__(self) -> str:
        return f"#{self.position}"


Number = int | Ref
LEAST_STEP = 2
"""Of a step that only running the program tells: memory without gaps has another layout class."""


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of one axis; a step that is not known at capture is 2 or more."""

    start: Number | None = None
    stop: Number | None = None
    step: Number = 1

    @property
    def least_step(self) -> int:
        """The step, or the least that it may be."""
        return LEAST_STEP if isinstance(self.step, Ref) else self.step

    @property
    def whole(self) -> bool:
        """Whether it takes the axis as it is."""
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
    """One entry for each axis of the array, plus the new axes; no ellipsis is left."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.parts))}]"

    __repr__ = __str__

    def python(self, numbers: Sequence[Any]) -> tuple[Any, ...]:
        """The index as NumPy takes it; `numbers` are the node's inputs after the array.

        It ends in an ellipsis, so that NumPy gives an array and no scalar.
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

    def axes(self) -> list[int | None]:
        """For each axis of the result the axis of the array it comes from, None for a new one."""
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
