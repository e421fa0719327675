"""Effects of nodes and of the nodes in their regions: which may be dropped, which write."""

from __future__ import annotations

from ..ir.graph import Node
from ..ir.ops import Kind
from ..ir.schema import Numbers
from ..ir.types import ArrayType


def may_write(node: Node) -> bool:
    """True if a node, or one in its regions, may change the memory of arrays."""
    if node.blocks:
        return any(may_write(inner) for block in node.blocks for inner in block.nodes)
    return node.op.effect is not None and node.op.kind is not Kind.CONTROL


def reads_memory(node: Node) -> bool:
    """True if the node's result depends on the items of arrays."""
    takes_arrays = any(isinstance(value.type, ArrayType) for value in node.inputs)
    return takes_arrays and node.op.reads and node.op.kind is not Kind.VIEW


def is_removable(node: Node) -> bool:
    """True for nodes that make numbers, and branches of such nodes, without any other effect.

    False for all nodes that make arrays, see `is_silent`.
    """
    if node.op.branches:
        return all(is_removable(inner) for block in node.blocks for inner in block.nodes)
    return is_silent_number(node) or (
        node.op.kind is Kind.SCALAR
        and node.op.silent_if is not None
        and node.op.silent_if(node, {})
    )


def is_silent_number(node: Node) -> bool:
    """True if a node makes a number and never raises, warns or leaves, whatever its inputs are."""
    return node.op.silent and node.op.kind in (Kind.SCALAR, Kind.CONTROL)


def is_silent(node: Node, known: Numbers) -> bool:
    """True if a node that makes numbers or arrays has no observable effect besides its results.

    Its operations raise no exception and no reported flag; `known` has the constants, which decide
    if Python numbers fit the dtypes of arrays.
    """
    if node.op.silent or is_removable(node):
        return True
    return node.op.silent_if is not None and node.op.silent_if(node, known)
