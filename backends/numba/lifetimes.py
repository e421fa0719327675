"""Finds where each array of a block is read last, so that its memory can be reused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...jit.ir.graph import Block, Node, Value
from ...jit.ir.ops import (
    Kind,
)
from ...jit.ir.types import ArrayType
from ...jit.passes.clusters import Cluster, Step, free_values


def last_uses(steps: Sequence[Step], block: Block) -> list[list[Value]]:
    """Return for each step the arrays made in this block that it is the last to read."""
    owner: dict[Value, Value] = {}
    last: dict[Value, int] = {}
    held: set[Value] = set()
    for place, step in enumerate(steps):
        for node in _nodes(step):
            for value in (*node.inputs, *_inner_values(node)):
                root = owner.get(value, value)
                if root in last:
                    last[root] = place
                if node.op.holds:
                    held.add(root)
            for value in node.outputs:
                if node.op.kind is Kind.VIEW:
                    owner[value] = owner.get(node.inputs[0], node.inputs[0])
                elif isinstance(value.type, ArrayType):
                    last[value] = place
    held |= {owner.get(value, value) for value in block.results}
    dying: list[list[Value]] = [[] for _ in steps]
    for value, place in last.items():
        if value not in held:
            dying[place].append(value)
    return dying


def _nodes(step: Step) -> Sequence[Node]:
    return step.nodes if isinstance(step, Cluster) else (step,)


def _inner_values(node: Node) -> Iterator[Value]:
    for block in node.blocks:
        yield from free_values(block)
