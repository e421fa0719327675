"""Stores that the cluster which computes what is stored makes itself, item by item.

`x += a * p` is an array and a store that copies it. Where a bail makes `x` again, or puts it back,
what is computed may stand in `x` at once: each item has been read by then. What else the cluster
reads has to be other memory, and nobody may read `x` between the cluster and the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import DIM, STORE, Kind
from ....jit.ir.types import ArrayType, ObjectType
from ....jit.passes.aliases import Aliases
from ....jit.passes.clusters import Cluster, Step, free_values


def direct_stores(
    steps: Sequence[Step], block: Block, aliases: Callable[[], Aliases]
) -> dict[Value, Node]:
    """By what is stored, the stores of a block that clusters may make; `aliases` of its graph."""
    stores = [
        (place, step)
        for place, step in enumerate(steps)
        if isinstance(step, Node) and _is_candidate(step)
    ]
    if not stores:
        return {}
    found = _Block(aliases(), steps, block)
    return {node.inputs[1]: node for place, node in stores if found.may_be_direct(place, node)}


def _is_candidate(node: Node) -> bool:
    if node.op is not STORE or node.attrs["visible"]:
        return False
    target, value = (one.type for one in node.inputs)
    if not isinstance(target, ArrayType) or not isinstance(value, ArrayType):
        return False
    return target.dims == value.dims and target.dtype == value.dtype


class _Block:
    """The steps of one block, as the stores in it see them."""

    def __init__(self, aliases: Aliases, steps: Sequence[Step], block: Block) -> None:
        self._aliases = aliases
        self._steps = steps
        self._made: dict[Value, int] = {}
        """The steps that make values."""
        self._reads = Counter(block.results)
        """How many steps read a value."""
        for place, step in enumerate(steps):
            self._made.update((value, place) for value in _made_by(step))
            self._reads.update({*_read_by(step)} - {*_made_by(step)})

    def may_be_direct(self, place: int, store: Node) -> bool:
        """Whether it is all the same if the cluster writes what is stored where it is to be."""
        target, value = store.inputs
        assert isinstance(target.type, ArrayType)
        home = self._made.get(value, 0)
        cluster = self._steps[home]
        return (
            value in self._made
            and isinstance(cluster, Cluster)
            and cluster.dims == target.type.dims
            and self._reads[value] == 1
            and self._made.get(target, -1) < home
            and all(one is target or self._is_other(one, target) for one in _read_by(cluster))
            and all(self._passes(step, target) for step in self._steps[home + 1 : place])
        )

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
