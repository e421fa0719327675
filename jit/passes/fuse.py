"""Fusion: in, the nodes of a block in program order; out, steps, some of them clusters.

A cluster is a set of elementwise nodes with one iteration space, to be computed in one pass over
memory. Every step has a stage, and clusters stand behind the other steps of their stage: a
constant, a window or an opaque call never parts two clusters that could be one. A node joins the
latest cluster of its own dims in which all its inputs are at hand. Nothing moves across an effect.

A reduction joins the cluster that makes what it reads, and what it makes is at hand behind it.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.graph import Block, Node, Value
from ..ir.ops import REDUCE, Kind
from ..ir.types import ArrayType, Dim
from .clusters import Cluster, Step, free_values
from .recompute import Cheap, recompute

Order = Callable[[Node], "tuple[int, ...] | None"]
Reduced = Callable[[Cluster], "list[Node]"]


def fuse(
    block: Block,
    fusable: Callable[[Node], bool],
    order_of: Order = lambda node: None,
    reduced: Reduced | None = None,
    cheap: Cheap | None = None,
) -> list[Step]:
    """The steps of a block.

    `fusable` says which elementwise nodes, and reductions, the backend computes in clusters,
    `order_of` which order of axes such a node asks for, if it does not take any. `reduced` says of
    a whole cluster which of its reductions stay in it; without it, none are tried. `cheap` says
    what is made again rather than kept in memory; without it, nothing is.
    """
    stages = _Stages(order_of)
    for node in block.nodes:
        joins = reduced is not None and node.op is REDUCE and fusable(node) and stages.join(node)
        if not joins:
            if _elementwise(node) and fusable(node):
                stages.fuse(node)
            else:
                stages.append(node)
    steps = stages.steps(reduced)
    if cheap is not None:
        recompute(steps, block, cheap)
        steps = [step for step in steps if not isinstance(step, Cluster) or step.nodes]
    _mark_outputs(steps, block)
    return steps


def _elementwise(node: Node) -> bool:
    return node.op.kind is Kind.ELEMENTWISE and isinstance(node.outputs[0].type, ArrayType)


def _agree(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> bool:
    return one is None or other is None or one == other


def _dims(value: Value) -> tuple[Dim, ...] | None:
    return value.type.dims if isinstance(value.type, ArrayType) else None


class _Stages:
    """Steps placed so far."""

    def __init__(self, order_of: Order) -> None:
        self._order_of = order_of
        self._placed: list[tuple[int, bool, int, Step]] = []
        """(stage, is it a cluster?, running number, step): sorted, this is the steps' order."""
        self._made: dict[Value, tuple[int, Step]] = {}
        self._joined: list[tuple[int, int, Node]] = []
        """(stage behind its cluster, running number, reduction) of those in clusters."""
        self._first = 0
        """Stage of the last effect: nothing goes before it any more."""
        self._last = 0
        self._count = 0

    def steps(self, reduced: Reduced | None) -> list[Step]:
        """All steps in order; reductions that do not stay in their clusters stand behind them."""
        clusters = [step for *_, step in self._placed if isinstance(step, Cluster)]
        left: set[Node] = set()
        if reduced is not None and self._joined:
            for cluster in clusters:
                stays = reduced(cluster)
                goes = [n for n in cluster.nodes if n.op is REDUCE and n not in stays]
                cluster.nodes = [node for node in cluster.nodes if node not in goes]
                left.update(goes)
        placed = [*self._placed]
        placed += [(stage, False, at, node) for stage, at, node in self._joined if node in left]
        return [step for *_, step in sorted(placed, key=lambda one: one[:3])]

    def join(self, node: Node) -> bool:
        """Into the cluster that makes what the node reduces, if one does."""
        stage, cluster = self._made.get(node.inputs[0], (0, None))
        order = self._order_of(node)
        if (
            not isinstance(cluster, Cluster)
            or cluster.dims != _dims(node.inputs[0])
            or not _agree(cluster.order, order)
            or stage < self._first
        ):
            return False
        cluster.nodes.append(node)
        cluster.order = cluster.order or order
        self._joined.append((stage + 1, self._next(), node))
        # What it makes is at hand in the next stage, as that of a step of its own would be.
        for value in node.outputs:
            self._made[value] = (stage + 1, node)
        self._last = max(self._last, stage + 1)
        return True

    def _next(self) -> int:
        self._count += 1
        return self._count

    def append(self, node: Node) -> None:
        """A step of its own."""
        stage = self._earliest(node, None)
        if node.op.effect:
            stage = self._first = self._last + 1
        self._place(stage, node, node)

    def fuse(self, node: Node) -> None:
        """Into the latest cluster of the same dims that the inputs allow, else into a new one."""
        dims = _dims(node.outputs[0])
        assert dims is not None
        order = self._order_of(node)
        fits = [
            (stage, step)
            for stage, _, _, step in self._placed
            if isinstance(step, Cluster)
            and step.dims == dims
            and _agree(step.order, order)
            and stage >= self._earliest(node, step)
        ]
        if fits:
            stage, cluster = max(fits, key=lambda fit: fit[0])
            cluster.nodes.append(node)
            cluster.order = cluster.order or order
            self._made[node.outputs[0]] = (stage, cluster)
        else:
            self._place(self._earliest(node, None), Cluster(dims, [node], order=order), node)

    def _earliest(self, node: Node, home: Step | None) -> int:
        """The first stage in which all inputs are at hand: behind the clusters that make them.

        What the node's own cluster, `home`, makes is at hand there.
        """
        stage = self._first
        for value in node.inputs:
            if value in self._made:
                at, maker = self._made[value]
                stage = max(stage, at + (isinstance(maker, Cluster) and maker is not home))
        return stage

    def _place(self, stage: int, step: Step, node: Node) -> None:
        self._placed.append((stage, isinstance(step, Cluster), self._next(), step))
        self._last = max(self._last, stage)
        for value in node.outputs:
            self._made[value] = (stage, step)


def _mark_outputs(steps: list[Step], block: Block) -> None:
    home = {
        value: step
        for step in steps
        if isinstance(step, Cluster)
        for node in step.nodes
        for value in node.outputs
    }

    for step in steps:
        if isinstance(step, Cluster):
            step.outputs += [node.outputs[0] for node in step.nodes if node.op is REDUCE]

    def needed(value: Value, reader: Step | None) -> None:
        cluster = home.get(value)
        if cluster is not None and cluster is not reader and value not in cluster.outputs:
            cluster.outputs.append(value)

    for step in steps:
        for node in step.nodes if isinstance(step, Cluster) else [step]:
            for value in node.inputs:
                needed(value, step)
            for inner in node.blocks:
                for value in free_values(inner):
                    needed(value, None)
    for value in block.results:
        needed(value, None)
