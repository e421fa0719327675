"""Solves data flow over the values of a graph, forward or backward, to a fixpoint.

Graphs have one definition for each value, so facts belong to values and not to places in the
program. Facts pass from operands to results, and along the edges between regions
(`jit/ir/edges.py`). An analysis defines facts, the transfer function of nodes, and the meet of
several facts (Kildall, POPL 1973; on single assignment form as Wegman and Zadeck, TOPLAS 1991).
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
        """Return whether the analysis has facts for values like this one."""

    def initial(self, value: Value) -> Fact:
        """Return the fact of a parameter of the graph."""

    def transfer(self, node: Node, value: Value, facts: Facts[Fact]) -> Fact | None:
        """Return the fact of a value that a node defines; None if an operand has no fact yet.

        `value` is a result of the node, or a parameter of its block that no edge reaches.
        """

    def meet(
        self, value: Value, incoming: list[tuple[Value, Fact]], before: Fact | None, sweep: int
    ) -> Fact:
        """Return the fact of a value at the end of edges between regions.

        `incoming` has the values at the other ends that have a fact already, and these facts;
        `before` is the value's own fact so far. `sweep` counts the passes over the graph from 1:
        an analysis in which facts might change for ever has to widen them in later sweeps.
        """


def forward(graph: Graph, analysis: Forward[Fact]) -> dict[Value, Fact]:
    """Return the fact of each value that control can reach."""
    facts = {value: analysis.initial(value) for value in graph.params if analysis.covers(value)}
    sources: dict[Value, list[Value]] = {}
    for edge in edges(graph.body):
        for target, value in edge:
            if analysis.covers(target):
                sources.setdefault(target, []).append(value)
    steps = [step for step in _steps(graph.body) if analysis.covers(step[1])]
    changed, sweep = True, 0
    while changed:
        changed, sweep = False, sweep + 1
        for node, value in steps:
            given, before = sources.get(value), facts.get(value)
            if given is None:
                found = analysis.transfer(node, value, facts)
            else:
                reached = [(one, facts[one]) for one in given if one in facts]
                found = analysis.meet(value, reached, before, sweep) if reached else None
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
    """Return the roots and all values that `leads_to` reaches from them."""
    found: set[Value] = set()
    waiting = [*roots]
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting += leads_to(value)
    return found
