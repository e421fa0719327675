"""Fusion: in, the nodes of a block in program order; out, steps, some of them clusters.

A cluster is a set of elementwise nodes with one iteration space, to be computed in one pass over
memory. A node joins the latest cluster of its own dims in which all its inputs are at hand: values
of that same cluster, or values that steps before it have finished. Nothing moves across an effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..ir.graph import Block, Node, Value
from ..ir.ops import Kind
from ..ir.types import ArrayType, Dim


@dataclass(eq=False, slots=True)
class Cluster:
    """Elementwise nodes over one iteration space, in program order."""

    dims: tuple[Dim, ...]
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    """Values that something outside the cluster reads: these are written to memory."""


Step = Cluster | Node


def fuse(block: Block, fusable: Callable[[Node], bool]) -> list[Step]:
    """The steps of a block; `fusable` says which elementwise nodes the backend computes."""
    steps: list[Step] = []
    made_in: dict[Value, int] = {}
    barrier = 0
    for node in block.nodes:
        index = len(steps)
        if _elementwise(node) and fusable(node):
            index = _place(node, steps, made_in, barrier)
        else:
            steps.append(node)
            if node.op.effect:
                barrier = len(steps)
        for value in node.outputs:
            made_in[value] = index
    _mark_outputs(steps, block)
    return steps


def _elementwise(node: Node) -> bool:
    return node.op.kind is Kind.ELEMENTWISE and isinstance(node.outputs[0].type, ArrayType)


def _place(node: Node, steps: list[Step], made_in: dict[Value, int], barrier: int) -> int:
    """Puts the node into a cluster, an old one if possible; returns the index of its step."""
    type_ = node.outputs[0].type
    assert isinstance(type_, ArrayType)
    earliest = barrier
    for value in node.inputs:
        if value in made_in:
            same = isinstance(value.type, ArrayType) and value.type.dims == type_.dims
            inside = same and isinstance(steps[made_in[value]], Cluster)
            earliest = max(earliest, made_in[value] + (0 if inside else 1))
    for index in range(len(steps) - 1, earliest - 1, -1):
        step = steps[index]
        if isinstance(step, Cluster) and step.dims == type_.dims:
            step.nodes.append(node)
            return index
    steps.append(Cluster(type_.dims, [node]))
    return len(steps) - 1


def _mark_outputs(steps: list[Step], block: Block) -> None:
    home = {
        value: step
        for step in steps
        if isinstance(step, Cluster)
        for node in step.nodes
        for value in node.outputs
    }

    def needed(value: Value, reader: Step | None) -> None:
        cluster = home.get(value)
        if cluster is not None and cluster is not reader and value not in cluster.outputs:
            cluster.outputs.append(value)

    for step in steps:
        for node in step.nodes if isinstance(step, Cluster) else [step]:
            for value in node.inputs:
                needed(value, step)
            for inner in node.blocks:
                for value in _free_values(inner):
                    needed(value, None)
    for value in block.results:
        needed(value, None)


def _free_values(block: Block) -> list[Value]:
    """Values that a region reads and does not make."""
    own = {value for node in block.nodes for value in node.outputs} | set(block.params)
    read: list[Value] = list(block.results)
    for node in block.nodes:
        read += node.inputs
        for inner in node.blocks:
            read += _free_values(inner)
    return [value for value in read if value not in own]
