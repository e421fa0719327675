"""Finds ints that conditions show not to be negative, in branches and in `while` loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..ir.edges import conditions_at, continues_of
from ..ir.graph import Graph, Node, Value
from ..ir.primitives import of_node
from ..ir.types import ScalarType

Makers = Mapping[Value, Node]
NaturalsAt = Mapping[Node, frozenset[Value]]
"""For nodes in branches, the ints that are at least 0 there, by the branches' conditions."""
Tested = frozenset[tuple[Value, Value]]
"""Pairs (value, loop state) where the value is at least 0 whenever it is handed to the state."""


def naturals_at(graph: Graph, makers: Makers) -> NaturalsAt:
    """Return, for nodes in branches, the ints known not to be negative there."""
    found: dict[Node, frozenset[Value]] = {}
    known: dict[frozenset[Value], frozenset[Value]] = {}
    for node, conditions in conditions_at(graph.body):
        if conditions not in known:
            known[conditions] = frozenset().union(*(_naturals(one, makers) for one in conditions))
        if known[conditions]:
            found[node] = known[conditions]
    return found


def tested(graph: Graph, makers: Makers) -> Tested:
    """Return what `while` loops test to be at least 0 before each iteration: `j >= 0`."""
    loops = (node for node in graph.nodes() if node.op.loops and not node.op.counted)
    return frozenset(pair for loop in loops for pair in _tested(loop, makers))


def _tested(loop: Node, makers: Makers) -> Iterator[tuple[Value, Value]]:
    """Yield the pairs of one loop.

    A value may be handed to the same state by several CONTINUEs, and initially: a pair counts only
    if the value is tested before each of them.
    """
    untested = set(zip(loop.initial, loop.state, strict=True))
    after_test: set[tuple[Value, Value]] = set()
    for node, conditions in continues_of(loop.blocks[0]):
        known: set[Value] = set().union(*(_naturals(one, makers) for one in conditions))
        for pair in zip(node.inputs, loop.state, strict=True):
            (after_test if pair[0] in known else untested).add(pair)
    yield from after_test - untested


def _naturals(condition: Value, makers: Makers) -> set[Value]:
    """Return the ints that a true condition shows to be at least 0."""
    node = makers.get(condition)
    compares = None if node is None else of_node(node).compares
    if node is None or compares is None:
        return set()
    one, other = node.inputs
    limit = makers.get(other)
    if limit is None or not limit.op.is_constant or not _is_int(one):
        return set()
    least = {">=": 0, ">": -1}.get(compares.sign)
    return {one} if least is not None and int(limit.constant) >= least else set()


def _is_int(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.dtype.kind in "bi"
