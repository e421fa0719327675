"""Finds nodes next to code that reads or clears floating point flags.

LLVM sees no dependence between a division and instructions that access the status register. In the
vicinity of such code, a number's operands and result are both pinned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.ops import (
    Kind,
)
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType
from ..clusters.lower import lower, lower_as_ufunc
from ..native import Flags, trapped_flags
from ..numbers.scalars import scalar_row


def beside_clearing(graph: Graph, constants: Mapping[Value, Any]) -> frozenset[Node]:
    """Return floating-point operations that LLVM could reorder across code that clears flags.

    These are the nodes in loops with such code and, if it occurs anywhere in the kernel, nodes that
    are loop-invariant, because LLVM computes them before the loop.
    """
    clearing = {node for node in graph.nodes() if may_clear_flags(node, constants)}
    found: set[Node] = set()
    if clearing:
        _collect(graph.body, clearing, found)
    return frozenset(found)


def _collect(block: Block, clearing: set[Node], found: set[Node]) -> None:
    """Collect such nodes in the body of the graph or of a loop."""
    nodes = list(block.nodes_of_iteration())
    if not clearing.isdisjoint(block.every_node()):
        found.update(nodes)
    else:
        made = {*block.params, *(value for node in nodes for value in node.outputs)}
        found.update(node for node in nodes if made.isdisjoint(node.inputs))
    for node in nodes:
        if node.op.loops:
            _collect(node.blocks[0], clearing, found)


def may_clear_flags(node: Node, constants: Mapping[Value, Any]) -> bool:
    """True if the code of a node reads, saves or clears the flags that are set."""
    if trapped_flags(node):
        return True
    if node.op.moves:
        return False
    if node.op.overwrites:
        return node.inputs[1].type.dtype != node.inputs[0].type.dtype
    if node.op.applies is Applies.NUMBERS and scalar_row(node, constants) is not None:
        return False
    of_numbers = node.op.applies is Applies.NUMBERS
    if of_numbers or node.op.kind is Kind.ELEMENTWISE:
        computed = lower_as_ufunc(node) if of_numbers else lower(node)
        if computed is None or computed.loop is not None or computed.holds:
            return True
        if computed.flags is Flags.SILENT and isinstance(node.outputs[0].type, ArrayType):
            return True
        pairs = zip(node.inputs, computed.operands, strict=True)
        return any(value.type.dtype.itemsize > dtype.itemsize for value, dtype in pairs)
    return node.op.kind is not Kind.SCALAR
