"""What is known of a graph before its kernel is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...jit.ir.graph import Graph, Node, Value
from ...jit.ir.ops import CONST, FOR, LOOP, UNDO
from .counters import near_operations


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about the nodes of one graph."""

    makers: dict[Value, Node]
    """The nodes that make its values."""
    constants: dict[Value, Any]
    near: frozenset[Node]
    """Operations on ints that leave no 64 bits anywhere."""
    has_loops: bool
    undoes: bool
    """Whether a bail has to put arrays back."""


def known_of(graph: Graph) -> Known:
    """The facts."""
    nodes = list(graph.nodes())
    makers = {value: node for node in nodes for value in node.outputs}
    constants = {v: node.attrs["value"] for v, node in makers.items() if node.op is CONST}
    has_loops = any(node.op in (FOR, LOOP) for node in nodes)
    undoes = any(node.op is UNDO for node in nodes)
    return Known(makers, constants, near_operations(graph), has_loops, undoes)
