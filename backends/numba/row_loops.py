"""Runs the loops of several steps on the same rows, one strip of rows after the other.

`x - x.mean(axis=1, keepdims=True)` sums each row, and then goes over it again. A loop over rows
waits until the last step of its group (clusters/row_groups.py) is written. Then one loop goes over
strips of rows, and calls the function of each step for a strip, which stays in the cache between
two of them. Each function does what it would do for all rows at once, in the same order within a
row, so that no bit changes. Threads share the strips: they are called once, not once for each step.

What steps write ahead of their loops (allocations, converted numbers) precedes all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...jit.frozen import dataclass
from ...jit.ir.types import Dim
from ...jit.threads import EVERYWHERE
from .lines import NAME, Line
from .source import Source
from .statements import KNOWN

STRIP = 1 << 13
"""Number of items of an array in a strip: a few arrays fit in an L2 cache of 512 KiB."""


@dataclass(frozen=True, slots=True)
class RowLoop:
    """A loop over rows, in expressions."""

    rows: str
    """Their number."""
    per_row: str
    """Iterations for each of them."""
    unit: str
    """Strips have a multiple of this number of rows."""
    items: str
    """Items of a row."""
    weight: int = 1
    """Cost of an item, in items of simple arithmetic."""
    name: str = ""
    """Its function: `name(w, begin, end, ...)`."""
    handed: Sequence[str] = ()
    """The other arguments."""

    @property
    def work(self) -> str:
        """Return the cost of a row, in items of simple arithmetic."""
        return self.items if self.weight == 1 else f"{self.items} * {self.weight}"

    def call(self, low: str, high: str) -> str:
        """Return the text of the call for some rows."""
        if self.per_row != "1":
            low, high = f"{low} * ({self.per_row})", f"{high} * ({self.per_row})"
        return f"{self.name}({', '.join(['w', low, high, *self.handed])})"


class RowLoops:
    """The loops that wait at one point of a kernel's text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.rows: Dim | None = None
        """The rows of the present step's group; None if it is in none."""
        self._waiting: list[tuple[RowLoop, Sequence[str]]] = []

    @property
    def are_waiting(self) -> bool:
        """True if arrays are not computed yet that the text so far treats as being there."""
        return bool(self._waiting)

    def add(self, loop: RowLoop, flags: Sequence[str]) -> None:
        """Let a loop wait; `flags` are the variables that its results are combined with."""
        self._waiting.append((loop, flags))

    def flush(self) -> None:
        """Write the loops that wait."""
        if not self._waiting:
            return
        source, waiting = self._source, self._waiting
        self._waiting = []
        loops = [loop for loop, _ in waiting]
        unit, items, strip = (source.name(name) for name in ("unit", "items", "strip"))
        units = dict.fromkeys(loop.unit for loop in loops if loop.unit != "1")
        row = " + ".join(dict.fromkeys(loop.items for loop in loops))
        source.line(f"{unit} = {' * '.join(units) or '1'}")
        source.line(f"{items} = {' + '.join(one.work for one in loops)}")
        few = f"max({unit}, {STRIP} // max(1, {row}) // {unit} * {unit})"
        source.line(f"{strip} = {unit if EVERYWHERE else few}")
        flags = any(flags for _, flags in waiting)
        name, begin, end, step, size, low, high = (
            source.name(name) for name in ("rows", "begin", "end", "step", "size", "low", "high")
        )
        handed = [strip, *_variables(loops)]
        source.parts[name] = [
            Line("@parallel"),
            Line(f"def {name}({', '.join(['w', begin, end, step, size, *handed])}):"),
            Line("raised = 0", 1),
            Line(f"for {low} in range({begin}, {end}, {strip}):", 1),
            Line(f"{high} = min({low} + {strip}, {end})", 2),
            *(
                Line(f"{'raised |= ' if flags else ''}{loop.call(low, high)}", 2)
                for loop, flags in waiting
            ),
            Line("return raised", 1),
        ]
        call = f"{name}({', '.join(['w', '0', loops[0].rows, unit, items, *handed])})"
        source.line(f"raised |= {call}" if flags else call)


def _variables(loops: Iterable[RowLoop]) -> list[str]:
    """Return the variables that calls of some loops name."""
    found = dict.fromkeys(
        name
        for loop in loops
        for text in (*loop.handed, loop.per_row)
        for name in NAME.findall(text)
    )
    return [name for name in found if name not in KNOWN]
