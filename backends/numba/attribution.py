"""Which node has raised a flag: what the attributing kernel keeps apart and hands over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...jit.checks import Check
from ...jit.ir.graph import Node, Value
from ...jit.ir.ops import CAST
from .native import quiet_flags
from .source import Source

if TYPE_CHECKING:
    from .writer import KernelWriter


class Attribution:
    """Variables for the flags of single nodes.

    It does not hold the writer: what that holds of the user's is to go when the kernel is written.
    """

    def __init__(self, source: Source, makers: Mapping[Value, Node]) -> None:
        """`makers` are the nodes that make values."""
        self._source = source
        self._makers = makers
        self.located: list[Node] = []
        """The nodes whose flags are handed over, by number."""
        self._flags: dict[Node, str] = {}
        self.variables: set[str] = set()
        """All variables so far."""

    def declare(self, node: Node) -> None:
        """A variable for the flags of one node."""
        if self._reporting(node) is node:
            variable = self._flags[node] = self._source.name("flags")
            self.variables.add(variable)
            self._source.line(f"{variable} = 0")

    def _reporting(self, node: Node) -> Node:
        """The node that reports what this one raises: a ufunc also casts what goes to its `out`."""
        if node.op is CAST and node.attrs.get("within") is not None:
            maker = self._makers.get(node.inputs[0])
            if maker in self._flags:
                return maker
        return node

    def keep(self, node: Node, raised: str) -> None:
        """Adds flags to those of a node."""
        variable = self._flags[self._reporting(node)]
        self._source.line(f"{variable} |= {raised} & {~quiet_flags(node)}")

    def log(self, writer: KernelWriter) -> None:
        """Hands over the flags of the nodes so far, in program order.

        What eager would say at a line that is not the user's, only eager can say.
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
        """The same for some nodes of another kernel, which eager is to go on for: `leaves` is set.

        Behind what it reports, equal operations are not computed again that eager would report too.
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
