"""Solves data flow over the values of a graph, forward or backward, to a fixpoint.

Graphs have one definition for each value, so facts belong to values and not to places in the
program. Facts pass from operands to results, and along the edges between regions
(`jit/ir/edges.py`). An analysis says what a fact is, how a node changes it, and how facts meet
(Kildall, POPL 1973; on single assignment form as Wegman and Zadeck, TOPLAS 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from ..ir.edges import edges
from ..ir.graph import Block, Graph, Node, Value

Fact = TypeVar("Fact")
Facts = Mapping[Value, Fact]


class Forward(Protocol[Fact]):
    """An analysis from operands to results."""

    def covers(self, value: Value) -> bool:
        """Return whether a value has a fact; without one it has not been reached yet."""

    def starts(self, value: Value) -> Fact:
        """Return the fact of a parameter of the graph."""

    def flows(self, node: Node, value: Value, facts: Facts[Fact]) -> Fact | None:
        """Return the fact of a value that a node makes; None if an operand is not reached yet."""

    def meets(
        self, value: Value, ways: list[tuple[Value, Fact]], before: Fact | None, number: int
    ) -> Fact:
        """Return the fact of a value that regions hand over.

        `ways` are the values that are handed to it, as far as they are reached, `before` is its
        fact so far and `number` that of the round. In late rounds facts must stop to change.
        """


def forward(graph: Graph, analysis: Forward[Fact]) -> dict[Value, Fact]:
    """Return the fact of each value that is reached."""
    facts = {value: analysis.starts(value) for value in graph.params if analysis.covers(value)}
    ways: dict[Value, list[Value]] = {}
    for edge in edges(graph.body):
        for target, value in edge:
            if analysis.covers(target):
                ways.setdefault(target, []).append(value)
    steps = [step for step in _steps(graph.body) if analysis.covers(step[1])]
    changed, number = True, 0
    while changed:
        changed, number = False, number + 1
        for node, value in steps:
            given, before = ways.get(value), facts.get(value)
            if given is None:
                found = analysis.flows(node, value, facts)
            else:
                reached = [(one, facts[one]) for one in given if one in facts]
                found = analysis.meets(value, reached, before, number) if reached else None
            if found is not None and found != before:
                facts[value] = found
                changed = True
    return facts


def _steps(block: Block) -> Iterator[tuple[Node, Value]]:
    """Yield each value with the node that makes it or gives it a region, operands first."""
    for node in block.nodes:
        for inner in node.blocks:
            for value in inner.params:
                yield node, value
            yield from _steps(inner)
        for value in node.outputs:
            yield node, value


def backward(roots: Iterable[Value], leads_to: Callable[[Value], Iterable[Value]]) -> set[Value]:
    """Return the values that a fact reaches from its roots: each value hands it to others."""
    found: set[Value] = set()
    waiting = [*roots]
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting += leads_to(value)
    return found
