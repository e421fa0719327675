"""Values that may be replaced by equal ones, values that are read, and the replacement itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..ir.graph import Block, Graph, Node, Value
from ..ir.schema import Effect
from ..ir.types import ArrayType, ScalarType


def private_values(graph: Graph, *, written: bool = False, handed_out: bool = False) -> set[Value]:
    """Return values that only arithmetic reads, so that their identity and memory do not matter.

    Numbers may also be the bounds, lengths and items of arrays, which keep no number's object.
    With `written`, include values that a STORE reads or writes, so that their memory does matter.
    With `handed_out`, include those that the program gets when the segment ends.
    """
    made = {value for node in graph.nodes() for value in node.outputs}
    for node in graph.nodes():
        is_allowed = (written and node.op.overwrites) or (
            handed_out and node.op.effect is Effect.LEAVE
        )
        if not node.op.only_reads and not is_allowed:
            made.difference_update(_not_taken_as_numbers(node))
        for block in node.blocks:
            made.difference_update(block.results)
    return made.difference(graph.body.results)


def _not_taken_as_numbers(node: Node) -> Iterable[Value]:
    """Return the inputs that may be seen again, as objects or as memory."""
    are_arrays = all(isinstance(value.type, ArrayType) for value in node.outputs)
    if not node.outputs or not are_arrays or node.op.holds:
        return node.inputs
    return [value for value in node.inputs if not isinstance(value.type, ScalarType)]


def read_values(graph: Graph) -> set[Value]:
    """Return all values that anything reads."""
    read = {value for node in graph.nodes() for value in node.inputs}
    for node in graph.nodes():
        for block in node.blocks:
            read.update(block.results)
    return read.union(graph.body.results)


def with_inputs(node: Node, replacements: Mapping[Value, Value]) -> Node:
    """Return the node with inputs replaced, in its regions too."""
    if not replacements:
        return node
    inputs = tuple(replacements.get(value, value) for value in node.inputs)
    blocks = tuple(block_with(block, replacements) for block in node.blocks)
    return replace(node, inputs=inputs, blocks=blocks)


def block_with(block: Block, replacements: Mapping[Value, Value]) -> Block:
    """Return the block with values replaced."""
    nodes = [with_inputs(node, replacements) for node in block.nodes]
    results = tuple(replacements.get(value, value) for value in block.results)
    return Block(block.params, nodes, results)
