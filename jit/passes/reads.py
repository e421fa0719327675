"""Reads between writes: in, a graph before and after a pass; out, the first read out of place.

What a node reads of memory, or of a list, depends on the last write before it. A pass keeps each
such node behind the same write, or behind the one before it where that write is gone, and in its
block: the order of the writes themselves is the business of `effects.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import Kind
from ..ir.schema import Effect
from ..ir.types import ScalarType

Key = tuple[int, ...]
_WRITES = frozenset({Effect.WRITE, Effect.LIST, Effect.DRAW})


@dataclass(slots=True)
class Reads:
    """Where the nodes of a graph read, as it stands: passes may change its blocks in place."""

    at: dict[Value, tuple[Node, Key]] = field(default_factory=dict)
    """By the first result of a node: the write that it stands behind, or else its block."""
    before: dict[Key, Key] = field(default_factory=dict)
    """By a write, or a region that writes: the one before it in its block, or else the block."""


def key_of(node: Node) -> Key:
    """Equal for a node and what passes make of it; only while one of them is alive."""
    return id(node.op), id(node.attrs), id(node.place)


def reads_of(graph: Graph) -> Reads:
    """Of a graph; those of one that writes nothing need no place."""
    found = Reads()
    if any(node.op.effect in _WRITES for node in graph.nodes()):
        _collect(graph.body, (), found)
    return found


def _collect(block: Block, key: Key, found: Reads) -> bool:
    """Adds what is in a block; True if it writes."""
    last = key
    for node in block.nodes:
        writes = node.op.effect in _WRITES
        for place, inner in enumerate(node.blocks):
            writes |= _collect(inner, (*key_of(node), place), found)
        if writes:
            found.before[key_of(node)] = last
            last = key_of(node)
        elif _reads(node):
            found.at[node.outputs[0]] = node, last
    return last != key


def _reads(node: Node) -> bool:
    if node.op.effect is not None or node.op.kind is Kind.VIEW or not node.op.reads:
        return False
    return any(type(value.type) is not ScalarType for value in node.inputs)


def first_moved(before: Reads, after: Reads) -> Node | None:
    """The first node that reads behind another write than it did."""
    for value, (node, behind) in after.at.items():
        if value not in before.at:
            continue
        expected = before.at[value][1]
        while expected in before.before and expected not in after.before:
            expected = before.before[expected]
        if behind != expected:
            return node
    return None
