"""Alias analysis: which arrays of a graph may share memory.

The roots of an array are the arrays that it may be, or be a view of, through views, branches and
loops. Two arrays are disjoint if each pair of their roots differs and at least one root of the pair
was allocated by the graph; two arrays passed in may overlap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..ir.edges import edges
from ..ir.graph import Graph, Node, Value
from ..ir.ops import STORE, Kind
from ..ir.schema import Effect
from ..ir.types import ArrayType


class Aliases:
    """The roots of the arrays of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._outside = frozenset(graph.params)
        self._fresh: set[Value] = set()
        self._from: dict[Value, set[Value]] = defaultdict(set)
        """For each value, the arrays that it may be or be a view of, one step back."""
        self._picked: set[Value] = set()
        """Views whose index has numbers that are known only at run time."""
        self._walk(graph)

    def roots(self, value: Value) -> frozenset[Value]:
        """Return the arrays whose memory the value may refer to."""
        found: set[Value] = set()
        waiting, seen = [value], {value}
        while waiting:
            one = waiting.pop()
            before = self._from.get(one)
            if before is None:
                found.add(one)
                continue
            waiting += before - seen
            seen |= before
        return frozenset(found)

    def is_fresh(self, value: Value) -> bool:
        """True if the graph has surely made the memory of the array."""
        return self.roots(value) <= self._fresh

    def are_apart(self, one: Value, other: Value) -> bool:
        """True if two arrays certainly share no memory."""
        return all(
            root is not beside and self._differ(root, beside)
            for root in self.roots(one)
            for beside in self.roots(other)
        )

    def is_picked(self, value: Value) -> bool:
        """True if a run-time index occurs among the views through which the value is derived."""
        waiting, seen = [value], {value}
        while waiting:
            one = waiting.pop()
            if one in self._picked:
                return True
            before = self._from.get(one, set())
            waiting += before - seen
            seen |= before
        return False

    def _differ(self, one: Value, other: Value) -> bool:
        known = self._fresh | self._outside
        return {one, other} <= known and not {one, other} <= self._outside

    def _walk(self, graph: Graph) -> None:
        for edge in edges(graph.body):
            self._hand_over(edge.targets, edge.values)
        for node in graph.nodes():
            if node.op.kind is Kind.VIEW:
                self._hand_over(node.outputs, node.inputs[:1])
                self._picked.update(node.outputs if len(node.inputs) > 1 else ())
            elif node.op.makes or node.attrs.get("owned"):
                self._fresh.update(node.outputs)

    def _hand_over(self, targets: tuple[Value, ...], values: tuple[Value, ...]) -> None:
        for target, value in zip(targets, values, strict=True):
            if isinstance(target.type, ArrayType):
                self._from[target].add(value)


def shows_an_order(graph: Graph) -> bool:
    """True if others could see, while the kernel runs, what eager never leaves.

    Items of arrays from outside are written as the kernel goes on; attributes, lists and names
    are stored at its exits, where the program may have done that first.
    """
    if not any(exit_.effects for exit_ in graph.exits):
        return False
    aliases = Aliases(graph)
    return any(
        not aliases.is_fresh(value)
        for node in graph.nodes()
        if node.op.effect is Effect.WRITE
        for value in (node.inputs[:1] if node.op is STORE else arrays_read(node))
    )


def arrays_read(node: Node) -> Iterator[Value]:
    """Return the arrays among a node's inputs."""
    return (value for value in node.inputs if isinstance(value.type, ArrayType))
