"""Reads lengths from parameters instead of computed arrays of the same length.

`np.mean(d * d)` divides by the length of the product. Read from `d`, it does not require that the
product is in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import DIM
from ..ir.types import ArrayType, Dim, Sym

Homes = Mapping[Dim, tuple[Value, int]]
"""For each dim a parameter and an axis that has it."""


def lengths_of_parameters(graph: Graph) -> Graph:
    """Return the rewritten graph; unchanged parts are shared with the given one."""
    homes: dict[Dim, tuple[Value, int]] = {}
    for param in graph.params:
        if isinstance(param.type, ArrayType):
            for axis, dim in enumerate(param.type.dims):
                if isinstance(dim, Sym):
                    homes.setdefault(dim, (param, axis))
    return replace(graph, body=_rewritten(graph.body, homes))


def _rewritten(block: Block, homes: Homes) -> Block:
    nodes = [_rewritten_node(node, homes) for node in block.nodes]
    return Block(block.params, nodes, block.results)


def _rewritten_node(node: Node, homes: Homes) -> Node:
    if node.op is DIM and isinstance(node.inputs[0].type, ArrayType):
        home = homes.get(node.inputs[0].type.dims[node.attrs["axis"]])
        if home is not None and home[0] is not node.inputs[0]:
            param, axis = home
            return replace(node, inputs=(param,), attrs={**node.attrs, "axis": axis})
    if node.blocks:
        return replace(node, blocks=tuple(_rewritten(block, homes) for block in node.blocks))
    return node
