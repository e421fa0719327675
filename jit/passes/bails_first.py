"""Moves branches that only bail, and overlap checks, as far to the front as possible.

`x.std()` bails if there are too few items. A branch is an effect, and fusion moves nothing across
effects, so it would separate elementwise nodes that could be in one cluster. If it depends on
lengths and numbers only, it can come before them.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import Kind
from ..ir.schema import Effect


def bails_first(graph: Graph) -> Graph:
    """Return a graph with early bails; unchanged parts are shared with the given one."""
    return replace(graph, body=_bailing_first(graph.body))


def _bailing_first(block: Block) -> Block:
    nodes: list[Node] = []
    begin = 0
    """Position after the last effect: a bail before it would leave that effect to eager."""
    for node in block.nodes:
        if node.blocks:
            node = replace(node, blocks=tuple(map(_bailing_first, node.blocks)))
        nodes.append(node)
        if _only_bails(node) or node.op.effect is Effect.COMPARE:
            first = _needed(nodes[begin:])
            if all(one.op.of_numbers or one.op.kind is Kind.VIEW for one in first[:-1]):
                rest = [one for one in nodes[begin:] if one not in first]
                nodes[begin:] = [*first, *rest]
                begin += len(first)
                continue
        if node.op.effect:
            begin = len(nodes)
    return Block(block.params, nodes, block.results)


def _only_bails(node: Node) -> bool:
    if not node.op.branches or node.outputs:
        return False
    return all(one.op.effect is Effect.BAIL for block in node.blocks for one in block.nodes)


def _needed(nodes: list[Node]) -> list[Node]:
    """Return the last node and the earlier nodes that it depends on."""
    needed: set[Value] = set(nodes[-1].inputs)
    taken = [nodes[-1]]
    for node in reversed(nodes[:-1]):
        if not needed.isdisjoint(node.outputs):
            taken.append(node)
            needed.update(node.inputs)
    return taken[::-1]
