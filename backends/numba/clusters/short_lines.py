"""Sums of lines with few items, computed together with the summands.

NumPy adds fewer than eight numbers one by one, so no block of summands is needed. Points in the
plane and in space have two and three coordinates: if LLVM sees these lengths, it puts several lines
into a vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....jit.ir.graph import Value
from ..library.pairwise_blocks import LANES
from ..writer import KernelWriter
from .items import Item, Stage
from .reduced import Reduced, reduced_of_one_stage

_LENGTHS = (2, 3)
"""Lengths that get a loop of their own."""


def may_be_short(
    writer: KernelWriter, stages: Sequence[Stage], reductions: Mapping[Item, Reduced]
) -> bool:
    """True if a cluster consists of one stage of LLVM code and sums of its results."""
    others = reduced_of_one_stage(writer, stages)
    return bool(others) and all(
        one.items[0] in reductions and _adds(one.items[0], reductions) for one in others
    )


def _adds(item: Item, reductions: Mapping[Item, Reduced]) -> bool:
    return reductions[item].is_by_halves and isinstance(item.operands[0], Item)


def lengths_of(writer: KernelWriter, length: str) -> Iterator[str]:
    """Emit a branch for each of these lengths, and one for all other short lines."""
    keyword = "if"
    for short in (*map(str, _LENGTHS), length):
        condition = f"< {LANES}" if short == length else f"== {short}"
        with writer.source.indented(f"{keyword} {length} {condition}:"):
            yield short
        keyword = "elif"


class ShortSums:
    """The sums of one short line, in variables."""

    def __init__(self, reductions: Mapping[Item, Reduced]) -> None:
        self._reductions = reductions
        self._totals: dict[Item, str] = {}

    def is_left_out(self, item: Item) -> bool:
        """True if an item is read by sums only and needs no memory."""
        return all(reader in self._reductions for reader in item.readers)

    def begin(self) -> None:
        """Write the initial values before a line's items."""
        for item, one in self._reductions.items():
            self._totals[item] = one.source.name("sum")
            one.source.line(f"{self._totals[item]} = {one.kind}(-0.0)")

    def add(self, names: Mapping[Item | Value, str]) -> None:
        """Add one item to each sum; `names` has the variables of items."""
        for item, one in self._reductions.items():
            total, operand = self._totals[item], item.operands[0]
            assert isinstance(operand, Item)
            one.source.line(f"{total} = {one.kind}({total} + {names[operand]})")

    def finish(self, row: str) -> None:
        """Store the sums after a line's items."""
        for item, one in self._reductions.items():
            one.set_sum(row, self._totals[item])
