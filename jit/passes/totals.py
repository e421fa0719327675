"""Merges full reductions of an array that differ in `keepdims` only.

`x.std()` needs the mean as an array of one item, for broadcasting, and `x.mean()` as a number. The
pass keeps the reduction that gives an array and reads the number from it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..ir.graph import Block, Graph, Node
from ..ir.indexing import Index
from ..ir.ops import ELEMENT, REDUCE
from ..ir.types import ArrayType
from .uses import may_write


def shared_totals(graph: Graph) -> Graph:
    """Return the graph with fewer reductions; unchanged parts are shared with the given one."""
    return replace(graph, body=_shared(graph.body))


def _shared(block: Block) -> Block:
    left: list[Node] = []
    made: dict[Hashable, Node] = {}
    for node in block.nodes:
        if may_write(node):
            made.clear()
        first = made.setdefault(_key(node), node) if _is_total(node) else node
        if first is node or first.attrs["keepdims"] == node.attrs["keepdims"]:
            blocks = tuple(map(_shared, node.blocks))
            left.append(replace(node, blocks=blocks) if blocks else node)
        elif first.attrs["keepdims"]:
            left.append(_item(first, node))
        else:
            at = next(place for place, one in enumerate(left) if one is first)
            left[at : at + 1] = [node, _item(node, first)]
            made[_key(node)] = node
    return Block(block.params, left, block.results)


def _is_total(node: Node) -> bool:
    plain = node.attrs.keys() == {"ufunc", "axis", "keepdims"}
    return node.op is REDUCE and plain and node.attrs["axis"] is None


def _key(node: Node) -> Hashable:
    modes = node.location.modes if node.location is not None else None
    return node.inputs, node.attrs["ufunc"], modes, node.outputs[0].type.dtype


def _item(array: Node, number: Node) -> Node:
    """Return a node that reads the number as the only item of the array."""
    (made,) = array.outputs
    assert isinstance(made.type, ArrayType)
    index = Index((0,) * made.type.ndim)
    return Node(ELEMENT, (made,), {"index": index}, number.outputs, number.location)
