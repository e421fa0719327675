"""Chooses at run time the axis along which a loop nest is split among threads."""

from __future__ import annotations

from collections.abc import Sequence

from ..parallel import Iterations
from ..source import Source
from .items import BLOCK

Bounds = dict[int, tuple[str, str]]
"""For each axis, the bounds of its loop."""
MANY = 16
"""An axis with at least this many iterations is split, even if a faster one has more."""
LINE = 256
"""Lines are split at multiples of this many items, so that NumPy's vector loops see whole vectors.
"""


def lines_at_once(length: str) -> str:
    """Return an expression: the number of lines of this length that make up one block."""
    return f"max(1, {BLOCK} // max(1, {length}))"


def range_of(bounds: tuple[str, str]) -> str:
    """Return the range of a loop."""
    low, high = bounds
    return f"range({high})" if low == "0" else f"range({low}, {high})"


class Cut:
    """Splits the first axis that has many iterations, or else the fastest one."""

    def __init__(
        self,
        source: Source,
        axes: Sequence[int],
        lengths: dict[int, str],
        total: str,
        rows: int,
        whole_rows: bool,
    ) -> None:
        """Emit the variables on which the choice depends.

        Args:
            source: The text.
            axes: Axes that may be split, from slowest to fastest.
            lengths: Lengths of all axes.
            total: The number of items.
            rows: The axis along which several lines are taken together; -1 for none.
            whole_rows: True if all lines along that axis are taken together.
        """
        self._source, self._axes, self._lengths = source, axes, lengths
        self._cut = source.name("cut") if len(axes) > 1 else ""
        if self._cut:
            source.line(f"{self._cut} = {self._choice()}")
        self.iterations, self.step, self.size = map(source.name, ("iterations", "unit", "items"))
        self.at_once = source.name("at_once") if rows >= 0 else ""
        """Variable: number of lines taken together."""
        inner = [*lengths][-1]
        if rows >= 0:
            few = self._if_cut(inner, "1", lines_at_once(lengths[inner]))
            source.line(f"{self.at_once} = {lengths[rows] if whole_rows else few}")
        source.line(f"{self.iterations} = {self._of_cut(lengths)}")
        steps = dict.fromkeys(axes, "1") | {inner: str(LINE)}
        if rows in axes:
            steps[rows] = self.at_once
        source.line(f"{self.step} = {self._of_cut(steps)}")
        source.line(f"{self.size} = {total} // max(1, {self.iterations})")

    def _choice(self) -> str:
        *others, last = self._axes
        text = str(last)
        for axis in reversed(others):
            text = f"({axis} if {self._lengths[axis]} >= {MANY} else {text})"
        return text[1:-1]

    def _if_cut(self, axis: int, this: str, other: str) -> str:
        """Return an expression: `this` if the axis is split, else `other`."""
        if axis not in self._axes or this == other:
            return other
        return f"{this} if {self._cut} == {axis} else {other}" if self._cut else this

    def _of_cut(self, texts: dict[int, str]) -> str:
        """Return an expression that selects the text of the axis that is split."""
        *others, last = self._axes
        text = texts[last]
        for axis in reversed(others):
            text = f"({self._if_cut(axis, texts[axis], text)})"
        return text

    def bounds(self, iterations: Iterations) -> Bounds:
        """Emit the loop bounds in the function that runs some of the iterations."""
        found: Bounds = {axis: ("0", length) for axis, length in self._lengths.items()}
        for axis in self._axes:
            low, high = iterations.begin, iterations.end
            if self._cut:
                low, high = self._source.name("low"), self._source.name("high")
                self._source.line(f"{low} = {iterations.begin} if {self._cut} == {axis} else 0")
                length = self._lengths[axis]
                last = f"{iterations.end} if {self._cut} == {axis} else {length}"
                self._source.line(f"{high} = {last}")
            found[axis] = low, high
        return found
