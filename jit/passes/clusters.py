"""Clusters: elementwise nodes, and reductions of them, that one pass over memory computes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.graph import Block, Node, Value
from ..ir.types import Dim
from .common import merged


@dataclass(eq=False, slots=True)
class Cluster:
    """Elementwise nodes over one iteration space, and reductions of it, in program order."""

    dims: tuple[Dim, ...]
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    """Values that something outside the cluster reads: these are written to memory."""
    order: tuple[int, ...] | None = None
    """The order in which the axes have to be walked; None where any will do."""
    merged: int = 0
    """Nodes that were equal to others and are not among them any more."""
    remade: int = 0
    """Nodes that another cluster has too: made again rather than read from memory."""

    def merge(self) -> None:
        """Computes equal nodes once, where only the cluster reads them."""
        before = len(self.nodes)
        self.nodes = merged(self.nodes, self.outputs)
        self.merged += before - len(self.nodes)

    def record(self) -> Fused:
        """What it computes, reads and writes."""
        made = {value for node in self.nodes for value in node.outputs}
        read = (value for node in self.nodes for value in node.inputs if value not in made)
        return Fused(
            tuple(node.op.name for node in self.nodes),
            tuple(dict.fromkeys(read)),
            tuple(self.outputs),
            self.merged,
            self.remade,
        )


@dataclass(frozen=True, slots=True)
class Fused:
    """One cluster, for reports."""

    operations: tuple[str, ...]
    reads: tuple[Value, ...]
    writes: tuple[Value, ...]
    merged: int
    remade: int


Step = Cluster | Node
"""What a backend computes one after the other."""


def free_values(block: Block) -> list[Value]:
    """Values that a region reads and does not make."""
    own = {value for node in block.nodes for value in node.outputs} | set(block.params)
    read: list[Value] = list(block.results)
    for node in block.nodes:
        read += node.inputs
        for inner in node.blocks:
            read += free_values(inner)
    return [value for value in read if value not in own]
