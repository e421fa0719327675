"""Loop-invariant code motion: moves numbers that do not change out of loops.

LLVM would hoist them too, but too late. The bounds of an inner loop, as of `for j in range(1, m -
1)` inside a loop over rows, must be known before the outer loop when the text of the kernel is
written: then iterations are counted and indices checked there.
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
            nodes += _hoisted_from(node.blocks[0])
        nodes.append(node)
    block.nodes[:] = nodes


def _hoisted_from(body: Block) -> list[Node]:
    """Remove and return the nodes of a body that compute the same in each iteration.

    Only nodes without observable effects move, since the loop may have no iterations. If it has
    none and the node computes an int that leaves 64 bits, the kernel bails unnecessarily.
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
