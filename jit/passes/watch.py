"""Strict mode: verifies graphs and the order of effects after each pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.graph import Graph
from ..ir.text import print_node
from ..ir.verify import Checked, MalformedGraphError, verify
from .effects import first_fault, steps_of
from .reads import first_moved, reads_of

if TYPE_CHECKING:
    from .pass_manager import Pass


class Watch:
    """Compares a graph after each pass with its state before."""

    def __init__(self, graph: Graph) -> None:
        self._checked: Checked = {}
        self._steps, self._reads = steps_of(graph), reads_of(graph)
        if not graph.runs:
            verify(graph, "capture", self._checked)

    def look_at(self, made_by: Pass, graph: Graph) -> None:
        """Check the graph that a pass has made; raises MalformedGraphError."""
        name = f"the pass {made_by.name!r}"
        verify(graph, name, self._checked)
        steps, reads = steps_of(graph), reads_of(graph)
        fault = first_fault(self._steps, steps, made_by.removes, made_by.adds)
        if fault is not None:
            text = print_node(graph, fault.node)
            raise MalformedGraphError(name, text, "effects", fault.said)
        moved = first_moved(self._reads, reads)
        if moved is not None:
            said = "expected it behind the same write, in the same block"
            raise MalformedGraphError(name, print_node(graph, moved), "reads", said)
        self._steps, self._reads = steps, reads
