"""Stores that a cluster performs itself while it computes the stored value.

`x += a * p` is an array and a store that copies it. If a bail recomputes or restores `x`, results
may be written to `x` right away, as each item has been read by then. The cluster's other inputs
must not overlap `x`, and nothing may read `x` between cluster and store. For arrays from outside,
overlap is checked at run time. Stores that no bail can undo are treated in at_once.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ....jit.analysis.aliases import Aliases
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import Kind
from ....jit.ir.types import ArrayType, ObjectType
from ....jit.passes.clusters import Cluster, Step, free_values


@dataclass(frozen=True, slots=True)
class Direct:
    """A store that the cluster of its value performs."""

    target: Value
    visible: bool
    """True if the store is not undone by a bail."""
    others: tuple[Value, ...]
    """Inputs of the cluster whose overlap with the target has to be checked at run time."""


def direct_stores(
    steps: Sequence[Step], block: Block, aliases: Callable[[], Aliases], *, aside: bool
) -> dict[Value, Direct]:
    """Return the stores that clusters of a block may perform, by stored value.

    `aliases` returns the graph's alias analysis. With `aside` nothing is left to run-time checks.
    """
    stores = [
        (place, step)
        for place, step in enumerate(steps)
        if isinstance(step, Node) and _is_candidate(step, aside=aside)
    ]
    if not stores:
        return {}
    around = _Block(aliases(), steps, block, aside=aside)
    found = {node.inputs[1]: around.direct(place, node) for place, node in stores}
    return {value: one for value, one in found.items() if one is not None}


def _is_candidate(node: Node, *, aside: bool) -> bool:
    if not node.op.overwrites or (aside and node.attrs["visible"]):
        return False
    target, value = (one.type for one in node.inputs)
    if not isinstance(target, ArrayType) or not isinstance(value, ArrayType):
        return False
    if target.layout.may_share_items:  # an item that is written would be read once more
        return False
    return target.dims == value.dims and target.dtype == value.dtype


class _Block:
    """The steps of a block, indexed for questions about its stores."""

    def __init__(
        self, aliases: Aliases, steps: Sequence[Step], block: Block, *, aside: bool
    ) -> None:
        self._aliases = aliases
        self._aside = aside
        self._steps = steps
        self._made: dict[Value, int] = {}
        """Step that defines each value."""
        self._reads = Counter(block.results)
        """Number of steps that read each value."""
        for place, step in enumerate(steps):
            self._made.update((value, place) for value in _made_by(step))
            self._reads.update({*_read_by(step)} - {*_made_by(step)})

    def direct(self, place: int, store: Node) -> Direct | None:
        """Return the store if the cluster may perform it, else None."""
        target, value = store.inputs
        assert isinstance(target.type, ArrayType)
        home = self._made.get(value, 0)
        cluster = self._steps[home]
        visible = store.attrs["visible"]
        between = self._steps[home + 1 : place]
        may_be = (
            value in self._made
            and isinstance(cluster, Cluster)
            and cluster.dims == target.type.dims
            and self._reads[value] == 1
            and self._made.get(target, -1) < home
            and not (visible and between)
            and all(self._passes(step, target) for step in between)
        )
        if not may_be:
            return None
        read = dict.fromkeys(one for one in _read_by(cluster) if one is not target)
        others = tuple(one for one in read if not self._is_other(one, target))
        if others and (self._aside or not all(self._may_be_other(one, target) for one in others)):
            return None
        return Direct(target, visible, others)

    def _may_be_other(self, one: Value, target: Value) -> bool:
        """True if the arrays probably do not overlap, so that a check of their extents will pass.

        Two views of one array count only if they are picked at run time and are lines without gaps:
        rows, not columns.
        """
        if not isinstance(one.type, ArrayType) or not isinstance(target.type, ArrayType):
            return False
        if self._aliases.roots(one).isdisjoint(self._aliases.roots(target)):
            return True
        lines = all(type_.ndim == 1 and type_.layout.packed for type_ in (one.type, target.type))
        return lines and (
            self._aliases.has_run_time_index(one) or self._aliases.has_run_time_index(target)
        )

    def _passes(self, step: Step, target: Value) -> bool:
        """True if a step neither depends on the target's memory nor makes it observable."""
        if isinstance(step, Node):
            if step.op.kind is Kind.VIEW or not step.op.reads:
                return True
            if step.op.effect and not step.op.overwrites:
                return False
        return all(self._is_other(one, target) for one in _read_by(step))

    def _is_other(self, one: Value, target: Value) -> bool:
        """True if the value surely does not overlap the target.

        False for objects that may hold arrays.
        """
        if isinstance(one.type, ArrayType):
            return self._aliases.are_disjoint(one, target)
        return not isinstance(one.type, ObjectType)


def _made_by(step: Step) -> Iterator[Value]:
    for node in step.nodes if isinstance(step, Cluster) else (step,):
        yield from node.outputs


def _read_by(step: Step) -> Iterator[Value]:
    """Yield values that a step reads but does not define."""
    own = {*_made_by(step)}
    for node in step.nodes if isinstance(step, Cluster) else (step,):
        yield from (value for value in node.inputs if value not in own)
        for inner in node.blocks:
            yield from free_values(inner)
