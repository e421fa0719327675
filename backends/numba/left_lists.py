"""Copies of lists that exits hand on: the ways out of a graph copy the same lists over and over.

A kernel is left once: copies of one list may stand in the same array at each exit, and what one
exit copies is a table for one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...jit.ir.graph import Block, Node, Value
from ...jit.ir.ops import LEAVE, LISTED


def runs_of_copies(block: Block) -> dict[Node, Sequence[Node]]:
    """By the last of them, the copies that stand together before a way out; in all regions."""
    found: dict[Node, Sequence[Node]] = {}
    for each in _blocks(block):
        run: list[Node] = []
        for node in each.nodes:
            if node.op is LISTED:
                run.append(node)
                continue
            if node.op is LEAVE and run:
                found[run[-1]] = run
            run = []
    return found


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for node in block.nodes:
        for each in node.blocks:
            yield from _blocks(each)


class LeftLists:
    """The arrays and tables that the exits of one kernel share."""

    def __init__(self, block: Block) -> None:
        self._runs = runs_of_copies(block)
        self._copied = {node for run in self._runs.values() for node in run}
        self.arrays: dict[tuple[Value, Any], tuple[int, int, int]] = {}
        """By list and dtype: number for `alloc`, slot, first word."""
        self.tables: dict[tuple[int, ...], int] = {}
        """By what stands in it, the first word of a table."""

    def has(self, node: Node) -> bool:
        """True for a copy that is made with others."""
        return node in self._copied

    def ends(self, node: Node) -> Sequence[Node]:
        """The copies that are made here."""
        return self._runs.get(node, ())
