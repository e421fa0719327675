"""Edges between regions: which values the ends of blocks, jumps and loops hand over to which.

A result of an IF is what one of its branches hands over, the state of a loop is the initial one or
what a CONTINUE hands over, and results of loops are the last state or what a BREAK hands over.
Whoever follows values through regions asks here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..frozen import dataclass
from .graph import Block, Node, Value
from .ops import BREAK, CONTINUE, FOR, IF


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
    """Yield the edges of a block in `loop` and of the blocks in it, in program order.

    Nodes that are `left_out`, and what is in them, hand over nothing.
    """
    for node in block.nodes:
        if not node.op.hands_over or node in left_out:
            continue
        if node.op is IF:
            for arm in node.blocks:
                yield from edges(arm, loop, left_out)
                if arm.goes_on:
                    yield Edge(node, node.outputs, arm.results)
        elif node.op.loops:
            yield from around(node)
            yield from edges(node.blocks[0], node, left_out)
        elif loop is not None:
            yield jump(node, loop)


def around(loop: Node) -> Iterator[Edge]:
    """Yield the edges into and out of a loop that are no jumps."""
    yield Edge(loop, loop.state, loop.initial)
    if loop.op is FOR:
        yield Edge(loop, loop.outputs[: len(loop.state)], loop.state)


def jump(node: Node, loop: Node) -> Edge:
    """Return the edge of a CONTINUE or BREAK."""
    assert node.op in (CONTINUE, BREAK)
    return Edge(node, loop.state if node.op is CONTINUE else loop.left, node.inputs)


# ---- conditions ----------------------------------------------------------------------------------

Held = frozenset[Value]
"""Conditions that are true wherever control passes."""


def conditions_at(
    block: Block, held: Held = frozenset(), *, in_loops: bool = True
) -> Iterator[tuple[Node, Held]]:
    """Yield each node, in nested blocks too, with the conditions that hold at it.

    Without `in_loops` nodes in the loops of the block are left out.
    """
    for node in block.nodes:
        yield node, held
        if node.op is IF:
            then, other = node.blocks
            asked = held | {node.inputs[0]}
            yield from conditions_at(then, asked, in_loops=in_loops)
            yield from conditions_at(other, held, in_loops=in_loops)
            if not other.goes_on:
                held = asked
        elif in_loops:
            for inner in node.blocks:
                yield from conditions_at(inner, held)


def rounds_of(body: Block) -> Iterator[tuple[Node, Held]]:
    """Yield each CONTINUE of a loop's body, with the conditions that hold at it."""
    for node, held in conditions_at(body, in_loops=False):
        if node.op is CONTINUE:
            yield node, held
