"""Shares the copies of lists that the exits of a kernel hand over.

A kernel is left only once, so the copies of a list at all exits can use one array, and what an exit
copies is described by a table that a single call processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...jit.ir.graph import Block, Node, Value
from ...jit.ir.ops import LISTED
from ...jit.ir.schema import Effect


def runs_of_copies(block: Block) -> dict[Node, Sequence[Node]]:
    """Return runs of adjacent copies before an exit, by their last node, in all regions."""
    found: dict[Node, Sequence[Node]] = {}
    for each in _blocks(block):
        run: list[Node] = []
        for node in each.nodes:
            if node.op is LISTED:
                run.append(node)
                continue
            if node.op.effect is Effect.LEAVE and run:
                found[run[-1]] = run
            run = []
    return found


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for node in block.nodes:
        for each in node.blocks:
            yield from _blocks(each)


class ExitLists:
    """The arrays and tables that the exits of one kernel share."""

    def __init__(self, block: Block) -> None:
        self._runs = runs_of_copies(block)
        self._copied = {node for run in self._runs.values() for node in run}
        self.arrays: dict[tuple[Value, Any], tuple[int, int, int]] = {}
        """By list and dtype: index for `alloc`, slot, first word."""
        self.tables: dict[tuple[int, ...], int] = {}
        """First word of each table, by its contents."""

    def has(self, node: Node) -> bool:
        """True if the copy belongs to a run."""
        return node in self._copied

    def ends(self, node: Node) -> Sequence[Node]:
        """Return the copies of the run that ends at this node, or none."""
        return self._runs.get(node, ())
