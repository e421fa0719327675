"""Dead code: in, a graph; out, the same graph without arrays that nobody reads.

What may raise a flag stays, as eager reports it: the square that nobody reads may overflow.
`prune` does the same for numbers, and for what loops and branches carry.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import CAST, COPY, PART, TRANSPOSE, UFUNC, WHERE
from ..ir.types import ArrayType, ScalarType
from .prune import is_removable
from .uses import read_values

_OF_BITS = frozenset(
    {
        *(np.negative, np.positive, np.absolute, np.fabs, np.conjugate, np.signbit, np.copysign),
        *(np.isnan, np.isinf, np.isfinite, np.logical_not, np.logical_and, np.logical_or),
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
        *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.maximum, np.minimum),
    }
)
"""Ufuncs that report nothing, whatever the real numbers are."""
_OF_INTS = frozenset({np.add, np.subtract, np.multiply, np.square, np.left_shift, np.right_shift})
"""Ufuncs that report nothing for ints: these wrap."""


def without_dead(graph: Graph) -> Graph:
    """The graph with fewer nodes, which shares with it what is the same."""
    while True:
        body = _without(graph.body, read_values(graph))
        if body is graph.body:
            return graph
        graph = replace(graph, body=body)


def _without(block: Block, read: set[Value]) -> Block:
    nodes = []
    for node in block.nodes:
        if read.isdisjoint(node.outputs) and node.outputs and is_silent(node):
            continue
        blocks = tuple(_without(inner, read) for inner in node.blocks)
        changed = any(new is not old for new, old in zip(blocks, node.blocks, strict=True))
        nodes.append(replace(node, blocks=blocks) if changed else node)
    same = len(nodes) == len(block.nodes) and all(map(lambda a, b: a is b, nodes, block.nodes))
    return block if same else Block(block.params, nodes, block.results)


def is_silent(node: Node) -> bool:
    """Whether nobody can tell that a node has not run whose results nobody reads."""
    if node.op in (COPY, WHERE, TRANSPOSE, PART) or is_removable(node):
        return True
    if not isinstance(node.outputs[0].type, ArrayType):
        return False
    if node.op is CAST:
        return np.can_cast(node.inputs[0].type.dtype, node.outputs[0].type.dtype, "safe")
    if node.op is not UFUNC or not all(map(_is_plain, node.inputs)):
        return False
    ufunc, kinds = node.attrs["ufunc"], {value.type.dtype.kind for value in node.inputs}
    return ufunc in _OF_BITS or (ufunc in _OF_INTS and "f" not in kinds)


def _is_plain(value: Value) -> bool:
    """Whether it is real, and no number that overflows where it is cast to a smaller float."""
    type_ = value.type
    if isinstance(type_, ScalarType) and type_.python and type_.dtype.kind == "f":
        return False
    return type_.dtype.kind in "biu" or type_.dtype.char in "fd"
