"""Clusters: elementwise nodes and reductions of them that one pass over memory computes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.graph import Block, Node, Value
from ..ir.types import Dim
from .common import merged


@dataclass(eq=False, slots=True)
class Cluster:
    """Elementwise nodes over one iteration space, with reductions of it, in program order."""

    dims: tuple[Dim, ...]
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    """Values read outside the cluster; these are written to memory."""
    order: tuple[int, ...] | None = None
    """Order in which the axes have to be traversed; None if any order will do."""
    merged: int = 0
    """Number of nodes that were merged with equal ones."""
    remade: int = 0
    """Number of nodes that another cluster also computes, instead of reading results from memory.
    """

    def merge(self) -> None:
        """Merge equal nodes whose results only this cluster reads."""
        before = len(self.nodes)
        self.nodes = merged(self.nodes, self.outputs)
        self.merged += before - len(self.nodes)

    def record(self) -> Fused:
        """Return what the cluster computes, reads and writes, for reports."""
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
    """The description of one cluster for reports."""

    operations: tuple[str, ...]
    reads: tuple[Value, ...]
    writes: tuple[Value, ...]
    merged: int
    remade: int


Step = Cluster | Node
"""A unit that backends compute as a whole, in order."""


def free_values(block: Block) -> list[Value]:
    """Return the values that a region reads but does not define."""
    own = {value for node in block.nodes for value in node.outputs} | set(block.params)
    read: list[Value] = list(block.results)
    for node in block.nodes:
        read += node.inputs
        for inner in node.blocks:
            read += free_values(inner)
    return [value for value in read if value not in own]
