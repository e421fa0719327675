"""Parts of one long line that threads share, each reduced by itself: NumPy's own tree, cut across.

The line is halved as pairwise summation halves it, until its parts are short. The results of the
parts are then joined as they would have been: sums have the same bits on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....jit.native import WORDS
from ..parallel import parallel
from ..writer import KernelWriter

MOST, LONGEST = 256, 1 << 14
"""Parts, and the items of one that is not halved once more."""
HALVES = 8
"""A half has a multiple of so many items, as in pairwise.py."""


def sum_of(kind: str, one: str, other: str) -> str:
    """The text of a sum of two numbers; ints wrap."""
    return f"{one} + {other}" if kind.startswith("float") else f"wrapped_add({one}, {other})"


class Leaves:
    """The parts of one line; `length` is an expression."""

    def __init__(self, writer: KernelWriter, length: str) -> None:
        source = self.source = writer.source
        self._writer, self._length = writer, length
        self.count = source.name("leaves")
        """Variable: how many there are, a power of two."""
        source.line(f"{self.count} = 1")
        more = f"{self.count} < {MOST} and {length} // {self.count} > {LONGEST}"
        with source.indented(f"while {more}:"):
            source.line(f"{self.count} *= 2")

    def room(self, kind: str) -> str:
        """Memory for one number of each part: the variable of its address."""
        name = self.source.name("totals")
        offset = self._writer.tables.new_scratch(8 * MOST)
        self.source.line(f"{name} = w[{WORDS['SCRATCH']}] + {offset}  # {kind}[{MOST}]")
        return name

    @contextmanager
    def turns(self) -> Iterator[tuple[str, str, str]]:
        """Around what is done with a part: its number, its first item, how many it has."""
        source, length = self.source, self._length
        size = source.name("size")
        source.line(f"{size} = {length} // {self.count}")
        with parallel(self._writer, self.count, "1", size) as turns:
            names = ("leaf", "low", "m", "bit", "half")
            leaf, low, count, bit, half = (source.name(name) for name in names)
            with source.indented(f"for {leaf} in range({turns.begin}, {turns.end}):"):
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
        """Adds up the numbers of all parts, neighbours first; the first one is then the sum."""
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
