"""What is known of a graph before its kernel is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.ops import BREAK, CHECKPOINT, CONST, CONTINUE, FOR, LEAVE, LOOP, STORE, UNDO, Op
from .clearing import beside_clearing
from .counters import is_near, weigh
from .foreseen import foreseen_values
from .signs import Asked, asked_at, natural_numbers
from .sizes import sizes_of


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about the nodes of one graph."""

    makers: dict[Value, Node]
    """The nodes that make its values."""
    constants: dict[Value, Any]
    near: frozenset[Node]
    """Operations on ints that leave no 64 bits anywhere."""
    naturals: frozenset[Value]
    """Ints that are never negative."""
    asked: Asked
    has_loops: bool
    undoes: bool
    """Whether a bail has to put arrays back."""
    has_checkpoints: bool
    handed: Counter[Value]
    """How often each value is handed over by a way, or to where the kernel leaves."""
    foreseen: frozenset[Value]
    """Floats, and arrays of such, of which LLVM may know some before the kernel runs."""
    nans: frozenset[Value]
    """Those of which it may know that they are NaN, and with them what comes of other operands."""
    beside_clearing: frozenset[Node]
    """Nodes that LLVM may move over one that clears flags."""
    written_only: frozenset[Value]
    """Windows into which something is stored, and that nothing reads."""

    def naturals_at(self, node: Node) -> frozenset[Value]:
        """The ints that are not negative where a node stands."""
        asked = self.asked.get(node)
        return self.naturals if asked is None else self.naturals | asked

    def is_foreseen(self, values: Collection[Value]) -> bool:
        """Whether LLVM may compute with these numbers before the kernel runs.

        In quotients of complex numbers there are some of parts of the divisor alone.
        """
        known = [v.type.dtype.kind not in "fc" or v in self.foreseen for v in values]
        return any(known) if any(v.type.dtype.kind == "c" for v in values) else all(known)


_HAND_OVER = (CONTINUE, BREAK, FOR, LOOP)


def handed_over(blocks: Iterable[Block], *more: Op) -> Iterator[Value]:
    """What the ways of some blocks hand over, in blocks within as well."""
    for block in blocks:
        yield from block.results
        for node in block.nodes:
            if node.op in (*_HAND_OVER, *more):
                yield from node.inputs
            yield from handed_over(node.blocks, *more)


def _written_only(nodes: Sequence[Node], handed: Container[Value]) -> frozenset[Value]:
    read = {value for node in nodes for value in node.inputs[node.op is STORE :]}
    targets = {node.inputs[0] for node in nodes if node.op is STORE}
    return frozenset(value for value in targets - read if value not in handed)


def known_of(graph: Graph) -> Known:
    """The facts."""
    nodes = list(graph.nodes())
    makers = {value: node for node in nodes for value in node.outputs}
    constants = {v: node.attrs["value"] for v, node in makers.items() if node.op is CONST}
    undoes = any(node.op is UNDO for node in nodes)
    checks = any(node.op is CHECKPOINT for node in nodes)
    handed = Counter(handed_over((graph.body,), LEAVE))
    weights = weigh(graph)
    foreseen, nans = foreseen_values(graph, weights, constants)
    beside = beside_clearing(graph, constants)
    written = _written_only(nodes, handed)
    if not any(node.op in (FOR, LOOP) for node in nodes):
        nothing: frozenset[Any] = frozenset()
        return Known(
            *(makers, constants, nothing, nothing, {}, False, undoes, checks, handed),
            *(foreseen, nans, beside, written),
        )
    sizes = sizes_of(graph, weights)
    near = frozenset(node for node in nodes if is_near(weights, sizes, node))
    asked = asked_at(graph, weights)
    naturals = natural_numbers(graph, weights, near, asked)
    return Known(
        *(makers, constants, near, naturals, asked, True, undoes, checks, handed),
        *(foreseen, nans, beside, written),
    )
