"""Ints that are another value plus a constant: `i + 1` in a loop over `i`.

The lattice has three levels: no fact yet, an offset from another value, and the value itself plus
0. Branches keep an offset that all of them hand over. So does a loop for state that starts with it
and that no iteration changes; other state begins anew, as the base of an offset must not be of the
iteration before. Hence a fact is true of the base's last value.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..frozen import dataclass
from ..ir.graph import Graph, Node, Value
from ..ir.primitives import Linear, of_node
from ..ir.types import ScalarType
from .solver import Facts, forward


@dataclass(frozen=True, slots=True)
class Offset:
    """A number written as a base plus a constant."""

    base: Value
    added: int


def offsets_of(graph: Graph, makers: Mapping[Value, Node]) -> Mapping[Value, Offset]:
    """Return the offsets of the 64-bit ints of a graph."""
    ended = frozenset(node.outputs[-1] for node in graph.nodes() if "ended" in node.attrs)
    return forward(graph, _Offsets(makers, ended))


def operand_and_constant(node: Node, makers: Mapping[Value, Node]) -> tuple[Value, int] | None:
    """Write the result of a sum or difference as (operand, constant that is added to it)."""
    linear = of_node(node).linear
    if linear not in (Linear.SUM, Linear.DIFFERENCE):
        return None
    one, other = node.inputs
    if linear is Linear.SUM and is_int_constant(one, makers):
        one, other = other, one
    if not is_int_constant(other, makers):
        return None
    added = makers[other].constant
    return one, added if linear is Linear.SUM else -added


def is_int_constant(value: Value, makers: Mapping[Value, Node]) -> bool:
    """True if a value is an int that is known at capture."""
    node = makers.get(value)
    return node is not None and isinstance(node.constant, int)


@dataclass(eq=False, slots=True)
class _Offsets:
    makers: Mapping[Value, Node]
    ended: frozenset[Value]
    """Results of FOR loops that tell how they ended; no edge hands over the number for an exhausted
    range."""

    def covers(self, value: Value) -> bool:
        """Return whether a value is an int of 64 bits."""
        return isinstance(value.type, ScalarType) and value.type.dtype.char == "l"

    def initial(self, value: Value) -> Offset:
        """Return the offset of a number that is passed in."""
        return Offset(value, 0)

    def transfer(self, node: Node, value: Value, facts: Facts[Offset]) -> Offset | None:
        """Return the offset of a result, or of the index of a loop."""
        found = operand_and_constant(node, self.makers) if value in node.outputs else None
        if found is None or not self.covers(found[0]):
            return Offset(value, 0)
        before = facts.get(found[0])
        return None if before is None else Offset(before.base, before.added + found[1])

    def meet(
        self,
        value: Value,
        incoming: list[tuple[Value, Offset]],
        before: Offset | None,
        sweep: int,
    ) -> Offset:
        """Return the offset that all incoming values have.

        The solver terminates: when the initial state of a loop changes, its next state has the old
        offset still, so each state changes once at most.
        """
        own = Offset(value, 0)
        met = {offset for _, offset in incoming}
        return own if value in self.ended or before == own or len(met) > 1 else met.pop()
