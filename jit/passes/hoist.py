"""Loop-invariant code motion: moves numbers that do not change out of loops.

LLVM would hoist them too, but lengths of inner loops, as in `for j in range(1, m - 1)` inside a
loop over rows, are needed earlier: to count iterations and to check indices.
"""

from __future__ import annotations

from ..analysis.side_effects import is_removable
from ..ir.graph import Block, Graph, Node, Value


def hoist(graph: Graph) -> Graph:
    """Return the same graph, changed in place, with loop-invariant numbers before their loops."""
    _hoist(graph.body)
    return graph


def _hoist(block: Block) -> None:
    nodes: list[Node] = []
    for node in block.nodes:
        for inner in node.blocks:
            _hoist(inner)
        if node.op.loops:
            nodes += _taken_out(node.blocks[0])
        nodes.append(node)
    block.nodes[:] = nodes


def _taken_out(body: Block) -> list[Node]:
    """Remove from a body, and return, the nodes that each iteration would compute alike.

    Only nodes without observable effects move, since the loop may have no iterations. An int that
    then overflows 64 bits makes the segment bail unnecessarily.
    """
    taken, left = [], []
    made: set[Value] = {*body.params}
    for node in body.nodes:
        if node.op.of_numbers and is_removable(node) and made.isdisjoint(node.inputs):
            taken.append(node)
        else:
            left.append(node)
            made.update(node.outputs)
    body.nodes[:] = left
    return taken
