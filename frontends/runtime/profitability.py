"""Decides if a segment can pay: a launch costs as much as several operations on numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ...jit.ir.graph import Node
from ...jit.ir.ops import Kind
from ...jit.ir.schema import Applies
from ...jit.ir.types import ArrayType

MANY_NUMBERS = 12
"""Estimated number of scalar operations that take eager as long as a launch."""


def is_worth_it(nodes: Sequence[Node], *, in_loop: bool) -> bool:
    """True if the nodes of a graph compute enough.

    `in_loop`: the segment begins inside a loop, each iteration of which pays for a launch.
    """
    computing = [node for node in nodes if _computes(node) or node.op.loops]
    if not in_loop or not all(map(_is_of_one_number, computing)):
        return bool(computing)
    numbers = sum(_is_element_or_number(node) for node in nodes)
    return bool(computing) and len(computing) + numbers >= MANY_NUMBERS


def _computes(node: Node) -> bool:
    return node.op.makes or node.op.kind is Kind.STORE


def _is_element_or_number(node: Node) -> bool:
    """True if a node reads an element of an array, or applies a function of numbers."""
    return node.op.kind is Kind.SCALAR and (node.op.indexes or node.op.applies is Applies.NUMBERS)


def _is_of_one_number(node: Node) -> bool:
    if node.op.loops:
        return False
    values = node.inputs[:1] if node.op.overwrites else (*node.inputs, *node.outputs)
    return not any(isinstance(value.type, ArrayType) and value.type.ndim for value in values)
