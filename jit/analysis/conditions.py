"""Ints that conditions show not to be negative: in branches, and in loops that test their state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..ir.edges import conditions_at, rounds_of
from ..ir.graph import Graph, Node, Value
from ..ir.ops import CONST, LOOP
from ..ir.primitives import of_node
from ..ir.types import ScalarType

Makers = Mapping[Value, Node]
NaturalsAt = Mapping[Node, frozenset[Value]]
"""For some nodes, ints that an enclosing branch has found to be at least 0."""
Tested = frozenset[tuple[Value, Value]]
"""Pairs of a value and the state of a loop that it is handed to, always after a test."""


def naturals_at(graph: Graph, makers: Makers) -> NaturalsAt:
    """Return, for nodes in branches, the ints known not to be negative there."""
    found: dict[Node, frozenset[Value]] = {}
    known: dict[frozenset[Value], frozenset[Value]] = {}
    for node, held in conditions_at(graph.body):
        if held not in known:
            known[held] = frozenset().union(*(_naturals(one, makers) for one in held))
        if known[held]:
            found[node] = known[held]
    return found


def tested(graph: Graph, makers: Makers) -> Tested:
    """Return what `while` loops test to be at least 0 before each iteration: `j >= 0`."""
    loops = (node for node in graph.nodes() if node.op is LOOP)
    return frozenset(pair for loop in loops for pair in _tested(loop, makers))


def _tested(loop: Node, makers: Makers) -> Iterator[tuple[Value, Value]]:
    """Yield the pairs of one loop.

    The same number may be handed over in several places and initially: all of them must be tested.
    """
    open_ = set(zip(loop.initial, loop.state, strict=True))
    asked: set[tuple[Value, Value]] = set()
    for node, held in rounds_of(loop.blocks[0]):
        known: set[Value] = set().union(*(_naturals(condition, makers) for condition in held))
        for pair in zip(node.inputs, loop.state, strict=True):
            (asked if pair[0] in known else open_).add(pair)
    yield from asked - open_


def _naturals(condition: Value, makers: Makers) -> set[Value]:
    """Return the ints that a true condition shows to be at least 0."""
    node = makers.get(condition)
    compares = None if node is None else of_node(node).compares
    if node is None or compares is None:
        return set()
    one, other = node.inputs
    limit = makers.get(other)
    if limit is None or limit.op is not CONST or not _is_int(one):
        return set()
    least = {">=": 0, ">": -1}.get(compares.sign)
    return {one} if least is not None and int(limit.attrs["value"]) >= least else set()


def _is_int(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.dtype.kind in "bi"
