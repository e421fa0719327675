"""Hoisting: in, a graph; out, the same graph with numbers that no turn changes before their loops.

`for j in range(1, m - 1)` in a loop over rows: LLVM would find it too, but how long the inner loops
of a nest are is asked here, before their turns are counted and their indices looked at.
"""

from __future__ import annotations

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import CONST, DIM, FOR, LOOP, OPERATOR
from .prune import is_removable


def hoist(graph: Graph) -> Graph:
    """The graph, which is changed, with less in its loops."""
    _hoist(graph.body)
    return graph


def _hoist(block: Block) -> None:
    nodes: list[Node] = []
    for node in block.nodes:
        for inner in node.blocks:
            _hoist(inner)
        if node.op in (FOR, LOOP):
            nodes += _taken_out(node.blocks[0])
        nodes.append(node)
    block.nodes[:] = nodes


def _taken_out(body: Block) -> list[Node]:
    """The nodes of a body that each turn would compute again, which are no longer in it.

    Only what nobody hears of: it may now be computed where there is no turn. An int that leaves 64
    bits then leaves the segment to eager for nothing.
    """
    taken, left = [], []
    made: set[Value] = {*body.params}
    for node in body.nodes:
        may = node.op in (CONST, DIM) or (node.op is OPERATOR and is_removable(node))
        if may and made.isdisjoint(node.inputs):
            taken.append(node)
        else:
            left.append(node)
            made.update(node.outputs)
    body.nodes[:] = left
    return taken
