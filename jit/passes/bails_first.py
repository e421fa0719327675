"""Bails first: in, a graph; out, the same graph with its ways to eager taken as soon as can be.

`x.std()` leaves to eager where there are too few items. Nothing moves across a branch when clusters
are made; one that only bails, and that lengths and numbers decide, comes before the arrays. So does
what asks whether arrays share memory.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import BAIL, CONST, DIM, DISJOINT, IF, OPERATOR, Kind

_OF_NUMBERS = frozenset((CONST, DIM, OPERATOR))


def bails_first(graph: Graph) -> Graph:
    """The graph, which shares with it what is the same."""
    return replace(graph, body=_bailing_first(graph.body))


def _bailing_first(block: Block) -> Block:
    nodes: list[Node] = []
    begin = 0
    """Behind the last effect: what has been done is not done again."""
    for node in block.nodes:
        if node.blocks:
            node = replace(node, blocks=tuple(map(_bailing_first, node.blocks)))
        nodes.append(node)
        if _only_bails(node) or node.op is DISJOINT:
            first = _needed(nodes[begin:])
            if all(one.op in _OF_NUMBERS or one.op.kind is Kind.VIEW for one in first[:-1]):
                rest = [one for one in nodes[begin:] if one not in first]
                nodes[begin:] = [*first, *rest]
                begin += len(first)
                continue
        if node.op.effect:
            begin = len(nodes)
    return Block(block.params, nodes, block.results)


def _only_bails(node: Node) -> bool:
    if node.op is not IF or node.outputs:
        return False
    return all(one.op is BAIL for block in node.blocks for one in block.nodes)


def _needed(nodes: list[Node]) -> list[Node]:
    """The last of the nodes, and those before that it is computed from."""
    needed: set[Value] = set(nodes[-1].inputs)
    taken = [nodes[-1]]
    for node in reversed(nodes[:-1]):
        if not needed.isdisjoint(node.outputs):
            taken.append(node)
            needed.update(node.inputs)
    return taken[::-1]
