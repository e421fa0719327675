"""Ranges of ints: for each int of a graph an interval that contains it.

The rules of operations are in their rows (`jit/ir/primitives/`). The result of an operation that
may leave 64 bits can be any int: kernels may compute it with wrapping arithmetic and check for
overflow only after the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..frozen import dataclass
from ..ir.graph import Graph, Node, Value
from ..ir.intervals import ALL, NATURAL, Interval, hull, up_to
from ..ir.primitives import of_node
from ..ir.types import ScalarType
from .conditions import NaturalsAt, Tested
from .solver import Facts, forward

END = 2**63
MAX_SWEEPS = 4
"""An end of an interval that still moves after so many sweeps is widened to infinity."""

Ranges = Mapping[Value, Interval]


def ranges_of(
    graph: Graph, never_overflows: Callable[[Node], bool], naturals_at: NaturalsAt, tested: Tested
) -> Ranges:
    """Return the intervals of the ints of a graph.

    `never_overflows` is true for operations whose result fits in 64 bits for any operands.
    For `naturals_at` and `tested` see `conditions.py`.
    """
    ended = frozenset(node.outputs[-1] for node in graph.nodes() if "ended" in node.attrs)
    return forward(graph, _Ranges(graph.bounds, never_overflows, naturals_at, tested, ended))


@dataclass(eq=False, slots=True)
class _Ranges:
    bounds: Mapping[Value, int]
    """Magnitudes of live-ins."""
    never_overflows: Callable[[Node], bool]
    naturals_at: NaturalsAt
    tested: Tested
    ended: frozenset[Value]
    """Results of FOR loops that tell how they ended; no edge hands over the number for an exhausted
    range."""

    def covers(self, value: Value) -> bool:
        """Return whether a value is an int."""
        return isinstance(value.type, ScalarType) and value.type.dtype.kind in "biu"

    def initial(self, value: Value) -> Interval:
        """Return the interval of a live-in."""
        found = _of_type(value)
        return found.within(up_to(self.bounds[value])) if value in self.bounds else found

    def transfer(self, node: Node, value: Value, facts: Facts[Interval]) -> Interval | None:
        """Return the interval of a result, or of the index of a loop."""
        if node.op.interval is not None:
            return node.op.interval(node.attrs)
        found = self._index(node, facts) if node.op.counted else self._result(node, facts)
        return None if found is None else _fitting(found, value)

    def meet(
        self,
        value: Value,
        incoming: list[tuple[Value, Interval]],
        before: Interval | None,
        sweep: int,
    ) -> Interval:
        """Return an interval around the incoming ones, widened so that the solver terminates soon.

        It begins at 0 or is symmetric about 0: precise lower ends of loop state would take more
        sweeps.
        """
        if value in self.ended:
            return _of_type(value)
        met = hull(
            interval.within(NATURAL) if (source, value) in self.tested else interval
            for source, interval in incoming
        )
        if before is None:
            low, high = met.low, met.high
        else:
            met = hull((met, before))
            widens = sweep > MAX_SWEEPS
            low = None if widens and met.low != before.low else met.low
            high = None if widens and met.high != before.high else met.high
        merged = Interval(low, high)
        if merged.is_natural:
            merged = Interval(0, high)
        else:
            merged = ALL if merged.size is None else up_to(merged.size)
        return _fitting(merged, value)

    def _operands(self, node: Node, facts: Facts[Interval]) -> list[Interval] | None:
        """Return the intervals of a node's operands; None if one has no fact yet."""
        naturals = self.naturals_at.get(node, ())
        found = []
        for value in node.inputs:
            one = facts.get(value) if self.covers(value) else ALL
            if one is None:
                return None
            found.append(one.within(NATURAL) if value in naturals else one)
        return found

    def _result(self, node: Node, facts: Facts[Interval]) -> Interval | None:
        row = of_node(node)
        if row.interval is None:
            return ALL
        operands = self._operands(node, facts)
        if operands is None:
            return None
        found = row.interval(operands)
        if row.wrapping is not None and (found.size is None or found.size >= END):
            return found if self.never_overflows(node) else ALL
        return found

    def _index(self, node: Node, facts: Facts[Interval]) -> Interval | None:
        """Return the interval of a `for` index; an empty range needs no separate case."""
        operands = self._operands(node, facts)
        if operands is None:
            return None
        start, stop, step = operands[:3]
        if step.low is not None and step.low > 0:
            return Interval(start.low, None if stop.high is None else stop.high - 1)
        if step.high is not None and step.high < 0:
            return Interval(None if stop.low is None else stop.low + 1, start.high)
        size = hull((start, stop)).size
        return ALL if size is None else up_to(size)


def _of_type(value: Value) -> Interval:
    """Return the numbers of a value's type, if it is narrow."""
    dtype = value.type.dtype
    if dtype.kind == "b":
        return Interval(0, 1)
    if dtype.itemsize > 4 or dtype.kind not in "iu":
        return ALL
    bits = 8 * dtype.itemsize
    return Interval(0, 2**bits) if dtype.kind == "u" else up_to(2 ** (bits - 1))


def _fitting(found: Interval, value: Value) -> Interval:
    """Return the interval without ends that the type or 64 bits cannot hold."""
    low = None if found.low is not None and found.low <= -END else found.low
    high = None if found.high is not None and found.high >= END else found.high
    return Interval(low, high).within(_of_type(value))
