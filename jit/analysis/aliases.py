"""Alias analysis: which arrays of a graph may share memory.

The roots of an array are the arrays that it may be, or be a view of, through views, branches and
loops. Two arrays are disjoint if each pair of their roots differs and at least one root of the pair
was allocated by the graph; two arrays passed in may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..frozen import dataclass
from ..ir.graph import Graph, Node, Value
from ..ir.ops import Kind
from ..ir.schema import Effect, Writes
from ..ir.types import ArrayType
from .solver import Facts, forward


@dataclass(frozen=True, slots=True)
class Origin:
    """The possible origins of an array's memory."""

    roots: frozenset[Value]
    """The arrays whose memory it may refer to."""
    at_run_time: bool = False
    """True if it is derived through a view whose index contains numbers of the graph."""

    def __or__(self, other: Origin) -> Origin:
        """Return what is known of an array that is one of two."""
        return Origin(self.roots | other.roots, self.at_run_time or other.at_run_time)


class _Origins:
    """The analysis: views have the origin of their array, others are roots themselves."""

    def covers(self, value: Value) -> bool:
        """Return whether a value is an array."""
        return isinstance(value.type, ArrayType)

    def initial(self, value: Value) -> Origin:
        """Return the origin of an array that is passed in."""
        return Origin(frozenset((value,)))

    def transfer(self, node: Node, value: Value, facts: Facts[Origin]) -> Origin | None:
        """Return the origin of a result."""
        if node.op.kind is not Kind.VIEW:
            return Origin(frozenset((value,)))
        base = facts.get(node.inputs[0])
        return (
            None if base is None else Origin(base.roots, base.at_run_time or len(node.inputs) > 1)
        )

    def meet(
        self, value: Value, incoming: list[tuple[Value, Origin]], before: Origin | None, sweep: int
    ) -> Origin:
        """Return the origin of an array that is one of several."""
        met = before or incoming[0][1]
        for _, origin in incoming:
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
        """True if the memory of the array was certainly allocated by the graph."""
        return self.roots(value) <= self._fresh

    def are_disjoint(self, one: Value, other: Value) -> bool:
        """True if two arrays certainly share no memory."""
        return all(
            root is not second and self._differ(root, second)
            for root in self.roots(one)
            for second in self.roots(other)
        )

    def has_run_time_index(self, value: Value) -> bool:
        """True if the value is derived through a view whose index contains numbers of the graph."""
        return self._origin(value).at_run_time

    def _origin(self, value: Value) -> Origin:
        """Return what is known of a value; those without a fact are their own roots."""
        return self._origins.get(value) or Origin(frozenset((value,)))

    def _differ(self, one: Value, other: Value) -> bool:
        """True if two different roots share no memory: both are known, not both passed in."""
        known = self._fresh | self._outside
        return {one, other} <= known and not {one, other} <= self._outside


def order_is_observable(graph: Graph) -> bool:
    """True if another thread could see the kernel's writes in an order that eager never has.

    The kernel writes items of arrays from outside while it runs, but stores attributes, list items
    and names only at its exits, even if the program does that first. Such kernels keep the GIL.
    """
    if not any(exit_.effects for exit_ in graph.exits):
        return False
    aliases = Aliases(graph)
    return any(
        not aliases.is_fresh(value)
        for node in graph.nodes()
        if node.op.effect is Effect.WRITE
        for value in (node.inputs[:1] if node.op.writes is Writes.FIRST else arrays_read(node))
    )


def arrays_read(node: Node) -> Iterator[Value]:
    """Yield the arrays among a node's inputs."""
    return (value for value in node.inputs if isinstance(value.type, ArrayType))
