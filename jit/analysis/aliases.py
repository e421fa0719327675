"""Alias analysis: which arrays of a graph may share memory.

The roots of an array are the arrays that it may be, or be a view of, through views, branches and
loops. Two arrays are disjoint if each pair of their roots differs and at least one root of the pair
was allocated by the graph; two arrays passed in may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..frozen import dataclass
from ..ir.graph import Graph, Node, Value
from ..ir.ops import STORE, Kind
from ..ir.schema import Effect
from ..ir.types import ArrayType
from .solver import Facts, forward


@dataclass(frozen=True, slots=True)
class Origin:
    """The arrays from which an array may have its memory."""

    roots: frozenset[Value]
    """The arrays whose memory it may refer to."""
    picked: bool = False
    """True if a run-time index occurs among the views through which it is derived."""

    def __or__(self, other: Origin) -> Origin:
        """Return what is known of an array that is one of two."""
        return Origin(self.roots | other.roots, self.picked or other.picked)


class _Origins:
    """The analysis: views have the origin of their array, others are roots themselves."""

    def covers(self, value: Value) -> bool:
        """Return whether a value is an array."""
        return isinstance(value.type, ArrayType)

    def starts(self, value: Value) -> Origin:
        """Return the origin of an array that is passed in."""
        return Origin(frozenset((value,)))

    def flows(self, node: Node, value: Value, facts: Facts[Origin]) -> Origin | None:
        """Return the origin of a result."""
        if node.op.kind is not Kind.VIEW:
            return Origin(frozenset((value,)))
        base = facts.get(node.inputs[0])
        return None if base is None else Origin(base.roots, base.picked or len(node.inputs) > 1)

    def meets(
        self, value: Value, ways: list[tuple[Value, Origin]], before: Origin | None, number: int
    ) -> Origin:
        """Return the origin of an array that is one of several."""
        met = before or ways[0][1]
        for _, origin in ways:
            met |= origin
        return met


class Aliases:
    """The roots of the arrays of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._outside = frozenset(graph.params)
        self._fresh = frozenset(
            value
            for node in graph.nodes()
            if node.op.makes or node.attrs.get("owned")
            for value in node.outputs
        )
        self._origins = forward(graph, _Origins())

    def roots(self, value: Value) -> frozenset[Value]:
        """Return the arrays whose memory the value may refer to."""
        return self._origin(value).roots

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
        return self._origin(value).picked

    def _origin(self, value: Value) -> Origin:
        """Return what is known of a value; numbers, and arrays that no way reaches, are roots."""
        return self._origins.get(value) or Origin(frozenset((value,)))

    def _differ(self, one: Value, other: Value) -> bool:
        known = self._fresh | self._outside
        return {one, other} <= known and not {one, other} <= self._outside


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
