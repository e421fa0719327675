"""Facts about a graph that are computed before its kernel is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ....jit.analysis.conditions import NaturalsAt, naturals_at, tested
from ....jit.analysis.ranges import ranges_of
from ....jit.frozen import dataclass
from ....jit.ir.edges import edges
from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.primitives import of_node
from ....jit.ir.schema import Effect
from ....jit.ir.types import ArrayType
from ..llvm_flags.clearing import beside_clearing
from ..llvm_flags.constant_to_llvm import values_constant_to_llvm
from .no_overflow import is_near, weigh


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about the nodes of one graph."""

    makers: dict[Value, Node]
    """The node that defines each value."""
    constants: dict[Value, Any]
    cannot_overflow: frozenset[Node]
    """Int operations that cannot overflow 64 bits."""
    naturals: frozenset[Value]
    """Ints that are never negative."""
    naturals_by_node: NaturalsAt
    """Further such ints that are known at some nodes, from conditions around these."""
    has_loops: bool
    undoes: bool
    """True if bails may have to restore arrays."""
    has_checkpoints: bool
    handed: Counter[Value]
    """The number of times that a region or an exit is handed each value."""
    constant_to_llvm: frozenset[Value]
    """Floats, and arrays of them, that LLVM may partly know at compile time."""
    nans: frozenset[Value]
    """Those that LLVM may know to be NaN, which makes results of operations on them known."""
    beside_clearing: frozenset[Node]
    """Floating-point operations that LLVM could reorder across code that clears flags."""
    written_only: frozenset[Value]
    """Views that are stored to but never read."""
    shortened: frozenset[Value]
    """Arrays with an axis of 0 or 1 item that a region hands over from one of another length."""

    def naturals_at(self, node: Node) -> frozenset[Value]:
        """Return the ints that are known not to be negative at a node."""
        found = self.naturals_by_node.get(node)
        return self.naturals if found is None else self.naturals | found

    def are_constant_to_llvm(self, values: Collection[Value]) -> bool:
        """True if LLVM might evaluate an operation on these values at compile time.

        A complex quotient contains operations on parts of the divisor alone.
        """
        known = [v.type.dtype.kind not in "fc" or v in self.constant_to_llvm for v in values]
        return any(known) if any(v.type.dtype.kind == "c" for v in values) else all(known)


def handed_over(blocks: Iterable[Block], *more: Effect) -> Iterator[Value]:
    """Yield values that blocks hand over, including those of nested blocks."""
    for block in blocks:
        yield from block.results
        for node in block.nodes:
            if (node.op.hands_over and not node.op.branches) or node.op.effect in more:
                yield from node.inputs
            yield from handed_over(node.blocks, *more)


def _written_only(nodes: Sequence[Node], handed: Container[Value]) -> frozenset[Value]:
    read = {value for node in nodes for value in node.inputs[node.op.overwrites :]}
    targets = {node.inputs[0] for node in nodes if node.op.overwrites}
    return frozenset(value for value in targets - read if value not in handed)


def _shortened(graph: Graph) -> frozenset[Value]:
    return frozenset(
        target
        for edge in edges(graph.body)
        for target, value in edge
        if isinstance(target.type, ArrayType)
        and isinstance(value.type, ArrayType)
        and any(
            isinstance(dim, int) and dim <= 1 and dim != given
            for dim, given in zip(target.type.dims, value.type.dims, strict=True)
        )
    )


def known_of(graph: Graph) -> Known:
    """Compute the facts."""
    nodes = list(graph.nodes())
    makers = {value: node for node in nodes for value in node.outputs}
    constants = {v: node.constant for v, node in makers.items() if node.op.is_constant}
    undoes = any(node.op.effect is Effect.UNDO for node in nodes)
    checks = any(node.op.effect is Effect.CHECKPOINT for node in nodes)
    handed = Counter(handed_over((graph.body,), Effect.LEAVE))
    weights = weigh(graph)
    constant_to_llvm, nans = values_constant_to_llvm(graph, weights, constants)
    beside = beside_clearing(graph, constants)
    written = _written_only(nodes, handed)
    shortened = _shortened(graph)
    has_loops = any(node.op.loops for node in nodes)
    if not has_loops and not any(of_node(node).overflows for node in nodes):
        nothing: frozenset[Any] = frozenset()
        return Known(
            *(makers, constants, nothing, nothing, {}, False, undoes, checks, handed),
            *(constant_to_llvm, nans, beside, written, shortened),
        )
    by_node = naturals_at(graph, makers)
    ranges = ranges_of(graph, partial(is_near, weights), by_node, tested(graph, makers))
    cannot_overflow = frozenset(node for node in nodes if is_near(weights, node, ranges))
    naturals = frozenset(
        value
        for value, interval in ranges.items()
        if interval.is_natural and (value.type.dtype.kind != "u" or value.type.dtype.itemsize <= 4)
    )
    return Known(
        *(makers, constants, cannot_overflow, naturals, by_node, has_loops, undoes, checks, handed),
        *(constant_to_llvm, nans, beside, written, shortened),
    )
