"""Checks that a pass keeps each read between the same writes.

What a node reads from memory or from a list depends on the last write before it. A pass must keep
each reader in its block and after the same write, or after the write before that if it removed the
write. The order of the writes themselves is checked by `effects.py`.
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
    """The reads of the nodes of a graph, copied out, as passes may change blocks in place."""

    at: dict[Value, tuple[Node, Key]] = field(default_factory=dict)
    """By the first result of each reader: the node, and the key of the write or block before it."""
    before: dict[Key, Key] = field(default_factory=dict)
    """For each write, or region that writes, the key of the write before it, or of its block."""


def key_of(node: Node) -> Key:
    """Return a key equal for a node and its replacements by passes, valid while one is alive."""
    return id(node.op), id(node.attrs), id(node.place)


def reads_of(graph: Graph) -> Reads:
    """Return the read positions in a graph; none if nothing in it is written."""
    found = Reads()
    if any(node.op.effect in _WRITES for node in graph.nodes()):
        _collect(graph.body, (), found)
    return found


def _collect(block: Block, key: Key, found: Reads) -> bool:
    """Add the reads of a block; return True if it writes."""
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
    """Return the first node that now reads after another write than before, or None."""
    for value, (node, last) in after.at.items():
        if value not in before.at:
            continue
        expected = before.at[value][1]
        while expected in before.before and expected not in after.before:
            expected = before.before[expected]
        if last != expected:
            return node
    return None
