"""Splits a cluster into items and groups them into stages.

A stage is one loop over a block of elements: a chain of native items with the same flags class, or
a single inner loop of NumPy. Values used in later stages are kept in scratch blocks, which stay in
the L1 cache.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ....jit.ir.graph import Node, Value
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType
from ....jit.passes.clusters import Cluster
from ..native import Flags, ignored_flags, trapped_flags
from ..nodes.walks import lower_reduction
from .lower import DType, Lowering, lower, lower_cast

BLOCK = 512
"""Number of elements of a block; a few float64 scratch blocks fit in an L1 cache of 32 KiB."""


@dataclass(eq=False, slots=True)
class Item:
    """One elementwise computation; operands are other items, or values from outside the cluster."""

    lowering: Lowering
    operands: tuple[Item | Value, ...]
    node: Node
    value: Value | None
    """The graph value it computes; None for a cast that NumPy makes inside its ufunc."""
    stage: int = -1
    readers: list[Item] = field(default_factory=list)

    @property
    def dtype(self) -> DType:
        """Return the dtype of the result."""
        return self.lowering.result

    @property
    def reduces(self) -> bool:
        """True for a reduction, whose result has other dims."""
        return self.node.op.applies is Applies.REDUCE and self.value is not None

    @property
    def modes(self) -> tuple[int, int]:
        """Return (flags that are ignored, flags that an errstate block reports)."""
        return ignored_flags(self.node), trapped_flags(self.node)


@dataclass(eq=False, slots=True)
class Stage:
    """One loop over a block."""

    flags: Flags
    modes: tuple[int, int]
    """The treatment of its items' flags, as in `Item.modes`."""
    items: list[Item] = field(default_factory=list)

    @property
    def ignored(self) -> int:
        """Return the flags that are ignored, see `ignored_flags`."""
        return self.modes[0]

    @property
    def loop(self) -> bool:
        """True if the stage is a NumPy inner loop."""
        return self.items[0].lowering.loop is not None


def items_of(cluster: Cluster) -> list[Item]:
    """Return the items of a cluster, with casts of operands made explicit."""
    made: dict[Value, Item] = {}
    casts: dict[tuple[object, DType], Item] = {}
    items: list[Item] = []
    for node in cluster.nodes:
        lowering = lower_reduction(node) if node.op.applies is Applies.REDUCE else lower(node)
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
    """Group items into stages, keeping program order in each.

    With `attribute`, each item that may report a flag gets its own stage, so that flags can be
    attributed. Items whose flags are ignored are separate from those that report, unless
    `together`.
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
