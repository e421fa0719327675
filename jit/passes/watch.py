"""Strict mode: verifies a graph, its effects and its reads after each pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.graph import Graph
from ..ir.text import print_node
from ..ir.verify import Checked, MalformedGraphError, verify
from .effects import effects_of, first_fault
from .reads import first_moved, reads_of

if TYPE_CHECKING:
    from .pass_manager import Pass


class Watch:
    """Compares the graph after each pass with the graph before."""

    def __init__(self, graph: Graph) -> None:
        self._checked: Checked = {}
        self._effects, self._reads = effects_of(graph), reads_of(graph)
        if not graph.runs:
            verify(graph, "capture", self._checked)

    def check(self, made_by: Pass, graph: Graph) -> None:
        """Check the graph that a pass has returned; raises MalformedGraphError."""
        name = f"the pass {made_by.name!r}"
        verify(graph, name, self._checked)
        effects, reads = effects_of(graph), reads_of(graph)
        fault = first_fault(self._effects, effects, made_by.removes, made_by.adds)
        if fault is not None:
            text = print_node(graph, fault.node)
            raise MalformedGraphError(name, text, "effects", fault.said)
        moved = first_moved(self._reads, reads)
        if moved is not None:
            said = "expected it after the same write, in the same block"
            raise MalformedGraphError(name, print_node(graph, moved), "reads", said)
        self._effects, self._reads = effects, reads
