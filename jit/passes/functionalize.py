"""Functionalisation: replaces arrays that the graph allocated by the values stored to them.

`h ^= h >> 15` computes a new array and copies it to `h`, which the segment made. If only arithmetic
has read `h`, its later readers use the new array and the copy is dropped, so that the arithmetic
before and after the statement can form one cluster. (XLA and PyTorch use the name for a pass that
also rewrites views; this one handles writes that cover a whole array.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..ir.graph import Block, Exit, Graph, Node, Recipe, Value, substituted
from ..ir.indexing import Index, Span
from ..ir.ops import DIM, FILL, Kind
from ..ir.types import ArrayType


def functionalize(graph: Graph) -> Graph:
    """Return the same graph, changed in place, with fewer stores."""
    _Block(graph, graph.body).run()
    return graph


@dataclass(slots=True)
class _Uses:
    """The uses of an array of the block so far."""

    made_at: int
    private: bool = True
    """True while only arithmetic has read it."""


class _Block:
    """One block, processed from first to last node."""

    def __init__(self, graph: Graph, block: Block) -> None:
        self.graph = graph
        self.block = block
        _write_directly(block)
        self.replacements: dict[Value, Value] = {}
        """The replacement of each array of which a store was dropped."""
        self.uses: dict[Value, _Uses] = {}
        self.reads_left = _count_reads(block)
        """Number of reads of each value, in regions too, that are still to come."""

    def run(self) -> None:
        """Process the block; nested blocks are processed on their own."""
        nodes: list[Node] = []
        for place, node in enumerate(self.block.nodes):
            for value in _read_by(node):
                self.reads_left[value] -= 1
            known = _replaced(self.graph, node, self.replacements)
            if known.op.overwrites and self._is_replaced(known):
                self._replace(known)
                continue
            self._note(known, place)
            nodes.append(known)
            for inner in known.blocks:
                _Block(self.graph, inner).run()
        self.block.results = tuple(map(self._now, self.block.results))
        self.block.nodes[:] = nodes
        if self.replacements:
            self.block.nodes[:] = _without_unread(self.block)

    def _now(self, value: Value) -> Value:
        return self.replacements.get(value, value)

    def _note(self, node: Node, place: int) -> None:
        inner = [value for block in node.blocks for value in _count_reads(block)]
        for value in (*node.inputs, *inner):
            if value in self.uses and not _computes_arrays(node):
                self.uses[value].private = False
        if _computes_arrays(node) or node.op is FILL:
            for value in node.outputs:
                if isinstance(value.type, ArrayType):
                    self.uses[value] = _Uses(place)

    def _is_replaced(self, node: Node) -> bool:
        """True if a store's value can replace its target.

        Only arithmetic has read the two, they have one type, the value is the younger one, and the
        store is its last reader.
        """
        target, value = node.inputs
        return (
            not node.attrs["visible"]
            and target.type == value.type
            and all(one in self.uses and self.uses[one].private for one in node.inputs)
            and not self._is_read_later(value)
            and self.uses[target].made_at < self.uses[value].made_at
        )

    def _is_read_later(self, value: Value) -> bool:
        """True if the value, or an array that it replaces, is still read."""
        stands_for = (old for old, new in self.replacements.items() if new is value)
        return any(self.reads_left[one] for one in (value, *stands_for))

    def _replace(self, node: Node) -> None:
        target, value = node.inputs
        value.name = value.name or target.name
        for old, new in self.replacements.items():
            if new is target:
                self.replacements[old] = value
        self.replacements[target] = value
        self.reads_left[value] = 0  # reads of it are counted under the target's name


def _computes_arrays(node: Node) -> bool:
    """True if the node makes arrays that share no memory with its inputs, and keeps no input."""
    return node.op.only_reads and node.op.kind is not Kind.SCALAR


def _write_directly(block: Block) -> None:
    """Make `out[:] = x` write to `out` itself if the full view `out[:]` has no other reader."""
    reads = _count_reads(block)
    targets = {node.inputs[0] for node in block.nodes if node.op.overwrites}
    base: dict[Value, Value] = {}
    nodes: list[Node] = []
    for node in block.nodes:
        if node.op.indexes and _is_whole(node):
            (whole_view,) = node.outputs
            if whole_view in targets and reads[whole_view] == 1:
                base[whole_view] = node.inputs[0]
                continue
        if node.op.overwrites and node.inputs[0] in base:
            target, *others = node.inputs
            node = replace(node, inputs=(base[target], *others))
        nodes.append(node)
    block.nodes[:] = nodes


def _without_unread(block: Block) -> list[Node]:
    """Drop FILL nodes that are no longer read.

    Those whose lengths still have to be compared at run time stay.
    """
    reads = _count_reads(block)
    makers = {value: node for node in block.nodes for value in node.outputs}
    return [
        node
        for node in block.nodes
        if node.op is not FILL or node.outputs[0] in reads or not _has_its_lengths(node, makers)
    ]


def _has_its_lengths(node: Node, makers: Mapping[Value, Node]) -> bool:
    """True if the lengths given to a FILL certainly agree with the dims of its result."""
    type_ = node.outputs[0].type
    assert isinstance(type_, ArrayType)
    for dim, number in zip(type_.dims, node.inputs, strict=True):
        maker = makers.get(number)
        if maker is None or not (maker.op.is_constant or maker.op is DIM):
            return False
        if maker.op.is_constant:
            known = maker.constant
        else:
            owner = maker.inputs[0].type
            assert isinstance(owner, ArrayType)
            known = owner.dims[maker.attrs["axis"]]
        if known != dim:
            return False
    return True


def _is_whole(node: Node) -> bool:
    """True if a view contains all items of its array in the same places."""
    index: Index = node.attrs["index"]
    whole = all(isinstance(part, Span) and part.whole for part in index.parts)
    return whole and node.outputs[0].type == node.inputs[0].type


def _count_reads(block: Block) -> dict[Value, int]:
    counts: dict[Value, int] = {}
    for node in block.nodes:
        for value in _read_by(node):
            counts[value] = counts.get(value, 0) + 1
    for value in block.results:
        counts[value] = counts.get(value, 0) + 1
    return counts


def _read_by(node: Node) -> Iterable[Value]:
    yield from node.inputs
    for block in node.blocks:
        for value, count in _count_reads(block).items():
            yield from [value] * count


def _replaced(graph: Graph, node: Node, replacements: Mapping[Value, Value]) -> Node:
    """Return the node with its inputs replaced; change its regions and its exit in place."""
    if not replacements:
        return node
    exit_ = node.attrs.get("exit")
    if exit_ is not None:
        graph.exits[exit_] = _exit_with(graph.exits[exit_], replacements)
    for block in node.blocks:
        block.nodes[:] = [_replaced(graph, inner, replacements) for inner in block.nodes]
        block.results = tuple(replacements.get(value, value) for value in block.results)
    inputs = tuple(replacements.get(value, value) for value in node.inputs)
    return node if inputs == node.inputs else replace(node, inputs=inputs)


def _exit_with(exit_: Exit, replacements: Mapping[Value, Value]) -> Exit:
    made: dict[Recipe, Recipe] = {}

    def new(recipe: Recipe) -> Recipe:
        return substituted(recipe, replacements, made)

    return replace(
        exit_,
        stores=tuple((slot, new(recipe)) for slot, recipe in exit_.stores),
        pushes=tuple(map(new, exit_.pushes)),
        effects=tuple(map(new, exit_.effects)),
    )
