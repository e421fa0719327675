"""The work items of a cluster and their grouping into stages.

A stage is one loop over a block of elements: either a chain of native items of one flags class, or
a single NumPy inner loop. Values that cross stages live in scratch blocks that stay in the L1
cache.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ....jit.ir.graph import Node, Value
from ....jit.ir.ops import REDUCE
from ....jit.ir.types import ArrayType
from ....jit.passes.clusters import Cluster
from ..native import Flags, heard_flags, quiet_flags
from ..nodes.walks import lower_reduction
from .lower import DType, Lowering, lower, lower_cast

BLOCK = 512
"""Elements of a block: a handful of float64 scratch blocks stay in an L1 cache of 32 KiB."""


@dataclass(eq=False, slots=True)
class Item:
    """One elementwise computation; operands are items of the cluster or values from outside."""

    lowering: Lowering
    operands: tuple[Item | Value, ...]
    node: Node
    value: Value | None
    """The graph value it makes; None for a cast that NumPy does inside its ufunc."""
    stage: int = -1
    readers: list[Item] = field(default_factory=list)

    @property
    def dtype(self) -> DType:
        """Dtype of the result."""
        return self.lowering.result

    @property
    def reduces(self) -> bool:
        """Whether it is a reduction, whose result has other dims."""
        return self.node.op is REDUCE and self.value is not None

    @property
    def modes(self) -> tuple[int, int]:
        """Flags that it does not report, and those that a block hears of."""
        return quiet_flags(self.node), heard_flags(self.node)


@dataclass(eq=False, slots=True)
class Stage:
    """One loop over a block."""

    flags: Flags
    modes: tuple[int, int]
    """What becomes of their flags."""
    items: list[Item] = field(default_factory=list)

    @property
    def quiet(self) -> int:
        """Flags that are not reported, see `quiet_flags`."""
        return self.modes[0]

    @property
    def loop(self) -> bool:
        """Whether the stage is a NumPy inner loop."""
        return self.items[0].lowering.loop is not None


def items_of(cluster: Cluster) -> list[Item]:
    """The items of a cluster, casts of operands made explicit."""
    made: dict[Value, Item] = {}
    casts: dict[tuple[object, DType], Item] = {}
    items: list[Item] = []
    for node in cluster.nodes:
        lowering = lower_reduction(node) if node.op is REDUCE else lower(node)
        assert lowering is not None, "only fusable nodes are in clusters"
        operands = []
        for value, dtype in zip(node.inputs, lowering.operands, strict=True):
            operand: Item | Value = made.get(value, value)
            if isinstance(value.type, ArrayType) and value.type.dtype != dtype:
                key = (value, dtype)
                if key not in casts:
                    cast = lower_cast(value.type.dtype, dtype)
                    assert cast is not None, "implicit casts are safe casts"
                    casts[key] = Item(cast, (operand,), node, None)
                    items.append(casts[key])
                operand = casts[key]
            operands.append(operand)
        item = Item(lowering, tuple(operands), node, node.outputs[0])
        made[node.outputs[0]] = item
        items.append(item)
    for item in items:
        for source in item.operands:
            if isinstance(source, Item):
                source.readers.append(item)
    return items


def stages_of(items: list[Item], attribute: bool, *, together: bool = False) -> list[Stage]:
    """Groups items into stages, program order kept within each.

    With `attribute` every item that may report a floating point flag has a stage of its own, so
    that the flag can be traced to its op. What may raise a flag that nobody is to hear of has one
    without what reports flags, but with `together`.
    """
    stages: list[Stage] = []
    for item in items:
        alone = (
            item.lowering.loop is not None
            or item.reduces
            or (attribute and item.lowering.flags is Flags.REPORTS)
        )
        first = 0
        for operand in item.operands:
            if isinstance(operand, Item):
                closed = alone or _closed(stages[operand.stage], attribute)
                first = max(first, operand.stage + (1 if closed else 0))
        index = len(stages)
        if not alone:
            fits = [
                k
                for k in range(first, len(stages))
                if not _closed(stages[k], attribute) and (together or _fit(stages[k], item))
            ]
            index = fits[-1] if fits else index
        if index == len(stages):
            stages.append(Stage(item.lowering.flags, item.modes))
        item.stage = index
        stages[index].items.append(item)
        if stages[index].flags is Flags.PURE or item.lowering.flags is Flags.REPORTS:
            stages[index].flags, stages[index].modes = item.lowering.flags, item.modes
    return stages


def _closed(stage: Stage, attribute: bool) -> bool:
    return stage.loop or stage.items[0].reduces or (attribute and stage.flags is Flags.REPORTS)


def _fit(stage: Stage, item: Item) -> bool:
    flags = item.lowering.flags
    if Flags.PURE in (flags, stage.flags):
        return True
    return flags is stage.flags and item.modes == stage.modes
