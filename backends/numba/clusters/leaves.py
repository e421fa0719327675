"""Splits one long line into parts for threads, along NumPy's own tree of partial sums.

The line is halved like in pairwise summation until its parts are short. Joining the results of the
parts in the same tree gives sums with the same bits on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....jit.native import WORDS
from ..parallel import parallel
from ..writer import KernelWriter

MOST, LONGEST = 256, 1 << 14
"""Maximum number of parts, and the number of items at which a part is not halved further."""
HALVES = 8
"""The first half has a multiple of this many items, as in pairwise.py."""


def sum_of(kind: str, one: str, other: str) -> str:
    """Return the text of a sum of two numbers; ints wrap around."""
    return f"{one} + {other}" if kind.startswith("float") else f"wrapped_add({one}, {other})"


class Leaves:
    """The parts of one line; `length` is an expression."""

    def __init__(self, writer: KernelWriter, length: str) -> None:
        source = self.source = writer.source
        self._writer, self._length = writer, length
        self.count = source.name("leaves")
        """Variable: number of parts, a power of two."""
        source.line(f"{self.count} = 1")
        more = f"{self.count} < {MOST} and {length} // {self.count} > {LONGEST}"
        with source.indented(f"while {more}:"):
            source.line(f"{self.count} *= 2")

    def room(self, kind: str) -> str:
        """Reserve memory for one number per part; return the variable with its address."""
        name = self.source.name("totals")
        offset = self._writer.tables.new_scratch(8 * MOST)
        self.source.line(f"{name} = w[{WORDS['SCRATCH']}] + {offset}", f"{kind}[{MOST}]")
        return name

    @contextmanager
    def iterations(self) -> Iterator[tuple[str, str, str]]:
        """Write a loop over the parts; yields part number, first item and number of items."""
        source, length = self.source, self._length
        size = source.name("size")
        source.line(f"{size} = {length} // {self.count}")
        with parallel(self._writer, self.count, "1", size) as iterations:
            names = ("leaf", "low", "m", "bit", "half")
            leaf, low, count, bit, half = (source.name(name) for name in names)
            with source.indented(f"for {leaf} in range({iterations.begin}, {iterations.end}):"):
                source.line(f"{low} = 0")
                source.line(f"{count} = {length}")
                source.line(f"{bit} = {self.count} // 2")
                with source.indented(f"while {bit} > 0:"):
                    source.line(f"{half} = {count} // 2 & -{HALVES}")
                    with source.indented(f"if {leaf} & {bit} != 0:"):
                        source.line(f"{low} += {half}")
                        source.line(f"{half} = {count} - {half}")
                    source.line(f"{count} = {half}")
                    source.line(f"{bit} = {bit} // 2")
                yield leaf, low, count

    def join(self, totals: Sequence[tuple[str, str]]) -> None:
        """Sum up the numbers of all parts pairwise; the total replaces the first one."""
        if not totals:
            return
        source = self.source
        width, leaf = source.name("width"), source.name("leaf")
        source.line(f"{width} = 1")
        with source.indented(f"while {width} < {self.count}:"):
            with source.indented(f"for {leaf} in range(0, {self.count}, 2 * {width}):"):
                for name, kind in totals:
                    one, other = (f"{kind}_at({name})[{at}]" for at in (leaf, f"{leaf} + {width}"))
                    source.line(f"{one} = {sum_of(kind, one, other)}")
            source.line(f"{width} *= 2")
