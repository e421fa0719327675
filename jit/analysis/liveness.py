"""Liveness: the values that something needs.

A value is needed if it is read by a node that has an effect, may raise, warn or leave, or has a
result that is needed. Values pass through regions along their edges.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from ..ir.edges import edges
from ..ir.graph import Block, Graph, Node, Value
from .side_effects import is_removable
from .solver import backward


class Needs:
    """For each value the values that it is computed from, and the values needed in any case."""

    def __init__(self, graph: Graph, left_out: Container[Node] = ()) -> None:
        """Analyse a graph; nodes in `left_out`, and those in their regions, are skipped."""
        self._reads: dict[Value, list[Value]] = {}
        self._roots = list(graph.body.results)
        for edge in edges(graph.body, left_out=left_out):
            for target, value in edge:
                self._reads.setdefault(target, []).append(value)
        self._collect(graph.body, left_out)

    def live(self) -> set[Value]:
        """Return the values that are needed."""
        return self.of(self._roots)

    def of(self, values: Iterable[Value]) -> set[Value]:
        """Return values and all that they are computed from."""
        return backward(values, lambda value: self._reads.get(value, ()))

    def _collect(self, block: Block, left_out: Container[Node]) -> None:
        for node in block.nodes:
            if node in left_out:
                continue
            if node.op.branches:
                for output in node.outputs:
                    self._reads.setdefault(output, []).append(node.inputs[0])
                if not is_removable(node):
                    self._roots.append(node.inputs[0])
            elif node.op.loops:
                self._roots += node.inputs[: len(node.inputs) - len(node.initial)]
                if "ended" in node.attrs:
                    self._roots.append(node.outputs[-1])
            elif node.op.hands_over:
                continue
            elif is_removable(node):
                for output in node.outputs:
                    self._reads.setdefault(output, []).extend(node.inputs)
            else:
                self._roots += node.inputs
            for inner in node.blocks:
                self._collect(inner, left_out)
