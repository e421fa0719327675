"""What is known of a graph before its kernel is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...jit.ir.graph import Graph, Node, Value
from ...jit.ir.ops import CONST, FOR, LOOP, UNDO
from .counters import is_near, weigh
from .signs import natural_numbers
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
    has_loops: bool
    undoes: bool
    """Whether a bail has to put arrays back."""


def known_of(graph: Graph) -> Known:
    """The facts."""
    nodes = list(graph.nodes())
    makers = {value: node for node in nodes for value in node.outputs}
    constants = {v: node.attrs["value"] for v, node in makers.items() if node.op is CONST}
    undoes = any(node.op is UNDO for node in nodes)
    if not any(node.op in (FOR, LOOP) for node in nodes):
        nothing: frozenset[Any] = frozenset()
        return Known(makers, constants, nothing, nothing, False, undoes)
    weights = weigh(graph)
    sizes = sizes_of(graph, weights)
    near = frozenset(node for node in nodes if is_near(weights, sizes, node))
    naturals = natural_numbers(graph, weights, near)
    return Known(makers, constants, near, naturals, True, undoes)
