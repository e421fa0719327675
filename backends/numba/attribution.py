"""Attributes floating point flags to nodes, in the attributing kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...jit.checks import Check
from ...jit.ir.graph import Node, Value
from .native import ignored_flags
from .source import Source

if TYPE_CHECKING:
    from .writer import KernelWriter


class Attribution:
    """Variables in the text for the flags of single nodes.

    It does not refer to the writer, which holds user objects that must die once the kernel is
    written.
    """

    def __init__(self, source: Source, makers: Mapping[Value, Node]) -> None:
        """Create it; `makers` has the node that defines each value."""
        self._source = source
        self._makers = makers
        self.located: list[Node] = []
        """Nodes whose flags are logged; the log refers to them by position."""
        self._flags: dict[Node, str] = {}
        self.variables: set[str] = set()
        """Names of all variables made so far."""

    def declare(self, node: Node) -> None:
        """Emit a variable for the flags of one node."""
        if self._reporting(node) is node:
            variable = self._flags[node] = self._source.name("flags")
            self.variables.add(variable)
            self._source.line(f"{variable} = 0")

    def _reporting(self, node: Node) -> Node:
        """Return the node to blame: the ufunc for the cast of its result to the dtype of `out`."""
        if node.attrs.get("within") is not None:
            maker = self._makers.get(node.inputs[0])
            if maker in self._flags:
                return maker
        return node

    def keep(self, node: Node, raised: str) -> None:
        """Emit code that adds flags to those of a node."""
        variable = self._flags[self._reporting(node)]
        self._source.line(f"{variable} |= {raised} & {~ignored_flags(node)}")

    def log(self, writer: KernelWriter) -> None:
        """Emit code that logs the flags of the nodes so far, in program order.

        The kernel bails for flags at places outside the user's code, which only eager can report.
        """
        for node in [node for node in self._flags if node.location is None]:
            variable = self._flags.pop(node)
            said = f"{variable} != 0 and reported(w, {variable}) != 0"
            with writer.spots.of(node):
                writer.bail_if(said, Check.LIBRARY)
        for node in writer.graph.nodes():
            if node in self._flags:
                variable = self._flags.pop(node)
                with self._source.indented(f"if {variable} != 0:"):
                    self._log(node, variable)

    def tell(self, nodes: Iterable[Node], leaves: str) -> None:
        """Log the flags of some nodes in a kernel that then lets eager continue: sets `leaves`.

        Otherwise a later equal operation, merged in this kernel, would not be reported separately.
        """
        for node in nodes:
            if node in self._flags:
                variable = self._flags.pop(node)
                with self._source.indented(f"if {variable} and reported(w, {variable}) != 0:"):
                    self._log(node, variable)
                    self._source.line(f"{leaves} = True")

    def _log(self, node: Node, variable: str) -> None:
        self._source.line(f"log_flags(w, {len(self.located)}, {variable})")
        self.located.append(node)
