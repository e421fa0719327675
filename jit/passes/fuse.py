"""Fusion: groups the nodes of a block into steps, some of which are clusters.

A cluster is a set of elementwise nodes over one iteration space, to be computed in one pass over
memory. Each step has a stage, and clusters come last in their stage. A node that needs the result
of a cluster is in a later stage; so a constant, view or opaque call separates two clusters only if
the second one depends on it. A node joins the latest cluster of its dims in which all its inputs
are available. Nothing moves across an effect.

A reduction joins the cluster that computes its operand; its result is available in the next stage.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.graph import Block, Node, Value
from ..ir.ops import Kind
from ..ir.schema import Applies
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
    """Return the steps of a block.

    `fusable` selects the elementwise nodes and reductions that the backend computes in clusters;
    `order_of` returns the axis order that such a node requires, or None. `reduced` decides for a
    complete cluster which of its reductions stay in it; without it no reduction joins one. `cheap`
    selects nodes to recompute rather than store; without it nothing is recomputed.
    """
    stages = _Stages(order_of)
    for node in block.nodes:
        joins = (
            reduced is not None
            and node.op.applies is Applies.REDUCE
            and fusable(node)
            and stages.join(node)
        )
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
    """The steps placed so far."""

    def __init__(self, order_of: Order) -> None:
        self._order_of = order_of
        self._placed: list[tuple[int, bool, int, Step]] = []
        """(stage, is it a cluster?, running number, step); sorting gives the order of steps."""
        self._made: dict[Value, tuple[int, Step]] = {}
        self._joined: list[tuple[int, int, Node]] = []
        """(next stage, running number, reduction) for each reduction in a cluster."""
        self._first = 0
        """Stage of the last effect; later nodes must not come before it."""
        self._last = 0
        self._count = 0

    def steps(self, reduced: Reduced | None) -> list[Step]:
        """Return all steps in order; reductions rejected by `reduced` follow their clusters."""
        clusters = [step for *_, step in self._placed if isinstance(step, Cluster)]
        left: set[Node] = set()
        if reduced is not None and self._joined:
            for cluster in clusters:
                stays = reduced(cluster)
                rejected = [
                    n for n in cluster.nodes if n.op.applies is Applies.REDUCE and n not in stays
                ]
                cluster.nodes = [node for node in cluster.nodes if node not in rejected]
                left.update(rejected)
        placed = [*self._placed]
        placed += [(stage, False, at, node) for stage, at, node in self._joined if node in left]
        return [step for *_, step in sorted(placed, key=lambda one: one[:3])]

    def join(self, node: Node) -> bool:
        """Add a reduction to the cluster that makes its operand; return False if there is none."""
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
        # Its result is available in the next stage, like that of a separate step.
        for value in node.outputs:
            self._made[value] = (stage + 1, node)
        self._last = max(self._last, stage + 1)
        return True

    def _next(self) -> int:
        self._count += 1
        return self._count

    def append(self, node: Node) -> None:
        """Add a node as a separate step."""
        stage = self._earliest(node, None)
        if node.op.effect:
            stage = self._first = self._last + 1
        self._place(stage, node, node)

    def fuse(self, node: Node) -> None:
        """Add a node to the latest cluster that its dims and inputs allow, else to a new one."""
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
        """Return the first stage at which all inputs are available.

        Results of the node's own cluster, `home`, are available within that cluster.
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
            step.outputs += [
                node.outputs[0] for node in step.nodes if node.op.applies is Applies.REDUCE
            ]

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
