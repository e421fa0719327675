"""Edges between regions: which values the ends of blocks, jumps and loops hand over to which.

A result of an IF is what one of its branches hands over, the state of a loop is the initial one or
what a CONTINUE hands over, and results of loops are the last state or what a BREAK hands over. All
code that follows values through regions uses this module.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..frozen import dataclass
from .graph import Block, Node, Value
from .schema import Jump


@dataclass(frozen=True, slots=True)
class Edge:
    """Values that are handed over together."""

    node: Node
    """The IF, loop or jump that hands them over."""
    targets: tuple[Value, ...]
    values: tuple[Value, ...]

    def __iter__(self) -> Iterator[tuple[Value, Value]]:
        """Yield each target with its value."""
        return zip(self.targets, self.values, strict=True)


def edges(block: Block, loop: Node | None = None, left_out: Container[Node] = ()) -> Iterator[Edge]:
    """Yield the edges in a block and in nested blocks, in program order; `loop` encloses the block.

    Nodes in `left_out`, and the nodes in their regions, are skipped.
    """
    for node in block.nodes:
        if not node.op.hands_over or node in left_out:
            continue
        if node.op.branches:
            for branch in node.blocks:
                yield from edges(branch, loop, left_out)
                if branch.falls_through:
                    yield Edge(node, node.outputs, branch.results)
        elif node.op.loops:
            yield from around(node)
            yield from edges(node.blocks[0], node, left_out)
        elif loop is not None:
            yield jump(node, loop)


def around(loop: Node) -> Iterator[Edge]:
    """Yield the edges into and out of a loop other than those of its jumps."""
    yield Edge(loop, loop.state, loop.initial)
    if loop.op.counted:
        yield Edge(loop, loop.outputs[: len(loop.state)], loop.state)


def jump(node: Node, loop: Node) -> Edge:
    """Return the edge of a CONTINUE or BREAK."""
    assert node.op.jump is not None
    receivers = loop.state if node.op.jump is Jump.CONTINUE else loop.break_results
    return Edge(node, receivers, node.inputs)


# ---- conditions ----------------------------------------------------------------------------------

Conditions = frozenset[Value]
"""Bools that are true whenever control reaches a place."""


def conditions_at(
    block: Block, known: Conditions = frozenset(), *, in_loops: bool = True
) -> Iterator[tuple[Node, Conditions]]:
    """Yield each node, in nested blocks too, with the conditions that are true when it runs.

    `known` are true before the block. Without `in_loops`, nodes in loops are skipped.
    """
    for node in block.nodes:
        yield node, known
        if node.op.branches:
            then, other = node.blocks
            in_then = known | {node.inputs[0]}
            yield from conditions_at(then, in_then, in_loops=in_loops)
            yield from conditions_at(other, known, in_loops=in_loops)
            if not other.falls_through:
                known = in_then
        elif in_loops:
            for inner in node.blocks:
                yield from conditions_at(inner, known)


def continues_of(body: Block) -> Iterator[tuple[Node, Conditions]]:
    """Yield each CONTINUE of a loop's body, with the conditions that are true when it runs."""
    for node, known in conditions_at(body, in_loops=False):
        if node.op.jump is Jump.CONTINUE:
            yield node, known
