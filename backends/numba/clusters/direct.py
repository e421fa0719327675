"""Stores that the cluster which computes what is stored makes itself, item by item.

`x += a * p` is an array and a store that copies it. Where a bail makes `x` again, or puts it back,
what is computed may stand in `x` at once: each item has been read by then. What else the cluster
reads has to be other memory, and nobody may read `x` between the cluster and the store. Of arrays
from outside only the run tells whether they are. What no bail puts back is stored at once as well,
see at_once.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import DIM, STORE, Kind
from ....jit.ir.types import ArrayType, ObjectType
from ....jit.passes.aliases import Aliases
from ....jit.passes.clusters import Cluster, Step, free_values


@dataclass(frozen=True, slots=True)
class Direct:
    """A store that the cluster of its value makes."""

    target: Value
    visible: bool
    """Whether it stays at a bail."""
    others: tuple[Value, ...]
    """Arrays that the cluster reads: they have to be other memory, which only the run tells."""


def direct_stores(
    steps: Sequence[Step], block: Block, aliases: Callable[[], Aliases], *, aside: bool
) -> dict[Value, Direct]:
    """By what is stored, the stores of a block that clusters may make; `aliases` of its graph.

    With `aside` nothing is left to the run.
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
    if node.op is not STORE or (aside and node.attrs["visible"]):
        return False
    target, value = (one.type for one in node.inputs)
    if not isinstance(target, ArrayType) or not isinstance(value, ArrayType):
        return False
    return target.dims == value.dims and target.dtype == value.dtype


class _Block:
    """The steps of one block, as the stores in it see them."""

    def __init__(
        self, aliases: Aliases, steps: Sequence[Step], block: Block, *, aside: bool
    ) -> None:
        self._aliases = aliases
        self._aside = aside
        self._steps = steps
        self._made: dict[Value, int] = {}
        """The steps that make values."""
        self._reads = Counter(block.results)
        """How many steps read a value."""
        for place, step in enumerate(steps):
            self._made.update((value, place) for value in _made_by(step))
            self._reads.update({*_read_by(step)} - {*_made_by(step)})

    def direct(self, place: int, store: Node) -> Direct | None:
        """The store, if it is all the same that the cluster writes what is stored."""
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
        """Whether it is likely to be other memory, as far as where arrays begin and end tells.

        Of one array only lines without gaps of which the run picks one: rows, not columns.
        """
        if not isinstance(one.type, ArrayType) or not isinstance(target.type, ArrayType):
            return False
        if self._aliases.roots(one).isdisjoint(self._aliases.roots(target)):
            return True
        lines = all(type_.ndim == 1 and type_.layout.packed for type_ in (one.type, target.type))
        return lines and (self._aliases.is_picked(one) or self._aliases.is_picked(target))

    def _passes(self, step: Step, target: Value) -> bool:
        """Whether a step does not mind what is in the memory of an array, and does not tell."""
        if isinstance(step, Node):
            if step.op.kind is Kind.VIEW or step.op is DIM:
                return True
            if step.op.effect and step.op is not STORE:
                return False
        return all(self._is_other(one, target) for one in _read_by(step))

    def _is_other(self, one: Value, target: Value) -> bool:
        """Not so what may hold arrays itself."""
        if isinstance(one.type, ArrayType):
            return self._aliases.are_apart(one, target)
        return not isinstance(one.type, ObjectType)


def _made_by(step: Step) -> Iterator[Value]:
    for node in step.nodes if isinstance(step, Cluster) else (step,):
        yield from node.outputs


def _read_by(step: Step) -> Iterator[Value]:
    """What a step reads that it does not make."""
    own = {*_made_by(step)}
    for node in step.nodes if isinstance(step, Cluster) else (step,):
        yield from (value for value in node.inputs if value not in own)
        for inner in node.blocks:
            yield from free_values(inner)
