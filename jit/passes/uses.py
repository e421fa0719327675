"""Who reads values: what a pass asks before it puts one value in the place of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import STORE, Kind
from ..ir.types import ArrayType

_COMPUTES = frozenset((Kind.ELEMENTWISE, Kind.REDUCE, Kind.SCALAR))


def private_values(graph: Graph, *, written: bool = False) -> set[Value]:
    """Values that nodes only compute with: which object, or which memory it is, nobody can tell.

    With `written` also those that stores read, and write through: which memory it is they tell.
    """
    made = {value for node in graph.nodes() for value in node.outputs}
    for node in graph.nodes():
        if node.op.kind not in _COMPUTES and not (written and node.op is STORE):
            made.difference_update(node.inputs)
        for block in node.blocks:
            made.difference_update(block.results)
    return made.difference(graph.body.results)


def read_values(graph: Graph) -> set[Value]:
    """Values that anything reads."""
    read = {value for node in graph.nodes() for value in node.inputs}
    for node in graph.nodes():
        for block in node.blocks:
            read.update(block.results)
    return read.union(graph.body.results)


def may_write(node: Node) -> bool:
    """Whether a node, or one in its regions, may change the memory of arrays."""
    if node.blocks:
        return any(may_write(inner) for block in node.blocks for inner in block.nodes)
    return node.op.effect is not None and node.op.kind is not Kind.CONTROL


def reads_memory(node: Node) -> bool:
    """Whether what a node gives depends on the items of arrays."""
    return node.op.kind is not Kind.VIEW and any(
        isinstance(value.type, ArrayType) for value in node.inputs
    )


def with_inputs(node: Node, instead: Mapping[Value, Value]) -> Node:
    """The node, and those in its regions, reading other values."""
    if not instead:
        return node
    inputs = tuple(instead.get(value, value) for value in node.inputs)
    blocks = tuple(block_with(block, instead) for block in node.blocks)
    return replace(node, inputs=inputs, blocks=blocks)


def block_with(block: Block, instead: Mapping[Value, Value]) -> Block:
    """The block reading other values."""
    nodes = [with_inputs(node, instead) for node in block.nodes]
    results = tuple(instead.get(value, value) for value in block.results)
    return Block(block.params, nodes, results)
