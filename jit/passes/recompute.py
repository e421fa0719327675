"""Rematerialisation: lets clusters recompute cheap values instead of reading them from memory.

`d = x - m` is read by the sum of its squares and, after that is known, by `d / s`: by two clusters.
If `d` is stored, it is written once and read once. If the second cluster recomputes it from `x`, it
is never written. (Briggs, Cooper and Torczon, PLDI 1992, do this for
registers.) Values that have no reader left in their first cluster are removed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..analysis.side_effects import may_write
from ..frozen import dataclass
from ..ir.graph import Block, Node, Value
from ..ir.ops import Kind
from ..ir.schema import Applies
from ..ir.types import ArrayType, Type
from .clusters import Cluster, Step, free_values

LONGEST = 3
"""Longest chain of operations that is recomputed."""
Cheap = Callable[[Node], bool]


def recompute(steps: Sequence[Step], block: Block, cheap: Cheap) -> None:
    """Change clusters so that they read fewer values of others; some may end up empty.

    `cheap` selects nodes that cost less than writing and reading a number in memory.
    """
    found = _Recomputed(steps, block, cheap)
    for value in list(found.homes):
        if value in found.homes:
            found.try_value(value)


@dataclass(frozen=True, slots=True)
class _Home:
    place: int
    cluster: Cluster
    node: Node


class _Recomputed:
    def __init__(self, steps: Sequence[Step], block: Block, cheap: Cheap) -> None:
        self.cheap = cheap
        self.homes: dict[Value, _Home] = {}
        """The cluster and node that compute each array elementwise."""
        self.readers: dict[Value, list[int]] = {}
        """Positions of the steps that read each value."""
        self.in_memory: set[Value] = set(block.results)
        """Values read by anything other than a cluster."""
        self.steps = steps
        self.writes = [isinstance(step, Node) and may_write(step) for step in steps]
        self._note_all()

    def _note_all(self) -> None:
        """Record definitions and readers for the steps as they are now."""
        self.homes.clear()
        self.readers.clear()
        for place, step in enumerate(self.steps):
            for node in step.nodes if isinstance(step, Cluster) else (step,):
                self._note(place, step, node)

    def _note(self, place: int, step: Step, node: Node) -> None:
        if isinstance(step, Cluster):
            if node.op.kind is Kind.ELEMENTWISE:
                self.homes[node.outputs[0]] = _Home(place, step, node)
        else:
            self.in_memory.update(node.inputs)
            for inner in node.blocks:
                self.in_memory.update(free_values(inner))
        for value in node.inputs:
            self.readers.setdefault(value, []).append(place)

    def try_value(self, value: Value) -> None:
        """Let all other clusters that read a value recompute it, if that pays in each of them."""
        home = self.homes[value]
        others = sorted({at for at in self.readers.get(value, ()) if at != home.place})
        if not others or value in self.in_memory:
            return
        chain = self._chain(value)
        if chain is not None and all(self._pays(chain, home, at) for at in others):
            for at in others:
                self._put(chain, at)
            self._note_all()
            for node in reversed(chain):
                self._drop(node)

    def _chain(self, value: Value) -> list[Node] | None:
        """Return the nodes that compute a value from values in memory; None if that is slow."""
        home, chain = self.homes[value], list[Node]()
        waiting = [value]
        while waiting:
            node = self.homes[waiting.pop()].node
            if node in chain:
                continue
            if not self.cheap(node) or len(chain) == LONGEST:
                return None
            chain.append(node)
            waiting += [
                one
                for one in node.inputs
                if one in self.homes
                and self.homes[one].cluster is home.cluster
                and one not in self.in_memory
            ]
        order = {node: at for at, node in enumerate(home.cluster.nodes)}
        return sorted(chain, key=order.__getitem__)

    def _pays(self, chain: list[Node], home: _Home, at: int) -> bool:
        """True if the reader then reads no more arrays than now, in the same memory order."""
        reader = self.steps[at]
        assert isinstance(reader, Cluster)
        if reader.dims != home.cluster.dims or any(self.writes[home.place : at]):
            return False
        made = {node.outputs[0] for node in chain}
        type_ = home.node.outputs[0].type
        whole = {one for node in chain for one in node.inputs if _is_whole(one, type_)} - made
        read = {one for node in reader.nodes for one in node.inputs}
        if any(node.op.applies is Applies.REDUCE for node in reader.nodes) and any(
            _broadcasts(one, type_) for node in chain for one in {*node.inputs} - made - read
        ):
            return False  # blocked reductions need all operands as plain lines
        return len(whole - read) <= 1 and all(_has_layout_of(one, type_) for one in whole)

    def _put(self, chain: list[Node], at: int) -> None:
        """Insert copies of the chain into the reader and make its nodes use them."""
        reader = self.steps[at]
        assert isinstance(reader, Cluster)
        replacements: dict[Value, Value] = {}
        new: list[Node] = []
        for node in chain:
            (old,) = node.outputs
            inputs = tuple(replacements.get(one, one) for one in node.inputs)
            replacements[old] = Value(old.type, old.hint, old.name)
            new.append(replace(node, inputs=inputs, outputs=(replacements[old],)))
        for node in reader.nodes:
            inputs = tuple(replacements.get(one, one) for one in node.inputs)
            new.append(node if inputs == node.inputs else replace(node, inputs=inputs))
        reader.nodes[:] = new
        reader.remade += len(chain)

    def _drop(self, node: Node) -> None:
        """Remove a node that nothing reads any more from its cluster."""
        (value,) = node.outputs
        if not self.readers.get(value) and value not in self.in_memory:
            self.homes[value].cluster.nodes.remove(node)
            self._note_all()


def _is_whole(value: Value, type_: Type) -> bool:
    """True if the value has an item for each item of the iteration space."""
    if not isinstance(value.type, ArrayType) or not isinstance(type_, ArrayType):
        return False
    return value.type.dims == type_.dims


def _broadcasts(value: Value, type_: Type) -> bool:
    """True if an array of more than one item broadcasts to the iteration space."""
    several = isinstance(value.type, ArrayType) and any(dim != 1 for dim in value.type.dims)
    return several and not _is_whole(value, type_)


def _has_layout_of(value: Value, type_: Type) -> bool:
    if not isinstance(value.type, ArrayType) or not isinstance(type_, ArrayType):
        return False
    return value.type.layout == type_.layout
