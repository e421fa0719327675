"""Functionalising: in, a graph; out, the same graph with fewer writes into arrays of its own.

`h ^= h >> 15` computes a fresh array and copies it over one that the segment has made. Where nobody
can tell the two arrays apart, the fresh one takes the place of the other from there on, and what
comes before and behind the statement is one chain. (What XLA and PyTorch do with views as well,
under this name; here for writes that cover the whole array.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..ir.graph import Block, Exit, Graph, Node, Recipe, Value, substituted
from ..ir.indexing import Index, Span
from ..ir.ops import CONST, DIM, FILL, INDEX, STORE, Kind
from ..ir.types import ArrayType

_READS = frozenset((Kind.ELEMENTWISE, Kind.REDUCE))
"""Kinds of ops whose results hold nothing of their inputs, and which hand nothing out."""


def functionalize(graph: Graph) -> Graph:
    """The graph, which is changed, with fewer stores."""
    _Block(graph, graph.body).run()
    return graph


@dataclass(slots=True)
class _Uses:
    """What was seen of an array of the block so far."""

    made_at: int
    private: bool = True
    """Whether all that has read it so far only computes."""


class _Block:
    """The nodes of one block, from the first to the last."""

    def __init__(self, graph: Graph, block: Block) -> None:
        self.graph = graph
        self.block = block
        _write_directly(block)
        self.instead: dict[Value, Value] = {}
        """What stands for an array that would have been written over."""
        self.uses: dict[Value, _Uses] = {}
        self.left = _count_reads(block)
        """How often each value is read from here on, in regions too."""

    def run(self) -> None:
        """Goes through the block; regions in it are blocks of their own."""
        nodes: list[Node] = []
        for place, node in enumerate(self.block.nodes):
            for value in _read_by(node):
                self.left[value] -= 1
            known = _replaced(self.graph, node, self.instead)
            if known.op is STORE and self._is_replaced(known):
                self._replace(known)
                continue
            self._note(known, place)
            nodes.append(known)
            for inner in known.blocks:
                _Block(self.graph, inner).run()
        self.block.results = tuple(map(self._now, self.block.results))
        self.block.nodes[:] = nodes
        if self.instead:
            self.block.nodes[:] = _without_unread(self.block)

    def _now(self, value: Value) -> Value:
        return self.instead.get(value, value)

    def _note(self, node: Node, place: int) -> None:
        inner = [value for block in node.blocks for value in _count_reads(block)]
        for value in (*node.inputs, *inner):
            if value in self.uses and node.op.kind not in _READS:
                self.uses[value].private = False
        if node.op.kind in _READS or node.op is FILL:
            for value in node.outputs:
                if isinstance(value.type, ArrayType):
                    self.uses[value] = _Uses(place)

    def _is_replaced(self, node: Node) -> bool:
        """Whether the value of a store is as good as its target, which is no user's so far."""
        target, value = node.inputs
        return (
            not node.attrs["visible"]
            and target.type == value.type
            and all(one in self.uses and self.uses[one].private for one in node.inputs)
            and not self._is_read_later(value)
            and self.uses[target].made_at < self.uses[value].made_at
        )

    def _is_read_later(self, value: Value) -> bool:
        """Whether anything reads it, or an array that it stands for."""
        stands_for = (old for old, new in self.instead.items() if new is value)
        return any(self.left[one] for one in (value, *stands_for))

    def _replace(self, node: Node) -> None:
        target, value = node.inputs
        value.name = value.name or target.name
        for old, new in self.instead.items():
            if new is target:
                self.instead[old] = value
        self.instead[target] = value
        self.left[value] = 0  # reads of the target are told by what it was made as


def _write_directly(block: Block) -> None:
    """`out[:] = x` writes into `out`: no window is needed that nobody else reads."""
    reads = _count_reads(block)
    targets = {node.inputs[0] for node in block.nodes if node.op is STORE}
    base: dict[Value, Value] = {}
    nodes: list[Node] = []
    for node in block.nodes:
        if node.op is INDEX and _is_whole(node):
            (window,) = node.outputs
            if window in targets and reads[window] == 1:
                base[window] = node.inputs[0]
                continue
        if node.op is STORE and node.inputs[0] in base:
            target, *others = node.inputs
            node = replace(node, inputs=(base[target], *others))
        nodes.append(node)
    block.nodes[:] = nodes


def _without_unread(block: Block) -> list[Node]:
    """The nodes but for arrays of zeros, or of anything, that nobody reads any more.

    Those stay whose lengths have still to be compared.
    """
    reads = _count_reads(block)
    makers = {value: node for node in block.nodes for value in node.outputs}
    return [
        node
        for node in block.nodes
        if node.op is not FILL or node.outputs[0] in reads or not _has_its_lengths(node, makers)
    ]


def _has_its_lengths(node: Node, makers: Mapping[Value, Node]) -> bool:
    """Whether an array surely is as long along each axis as its type says."""
    type_ = node.outputs[0].type
    assert isinstance(type_, ArrayType)
    for dim, number in zip(type_.dims, node.inputs, strict=True):
        maker = makers.get(number)
        if maker is None or maker.op not in (DIM, CONST):
            return False
        if maker.op is CONST:
            known = maker.attrs["value"]
        else:
            owner = maker.inputs[0].type
            assert isinstance(owner, ArrayType)
            known = owner.dims[maker.attrs["axis"]]
        if known != dim:
            return False
    return True


def _is_whole(node: Node) -> bool:
    """Whether a window has all items of its array in their places."""
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


def _replaced(graph: Graph, node: Node, instead: Mapping[Value, Value]) -> Node:
    """A node that reads what stands for its inputs; its regions and its exit are changed."""
    if not instead:
        return node
    exit_ = node.attrs.get("exit")
    if exit_ is not None:
        graph.exits[exit_] = _exit_with(graph.exits[exit_], instead)
    for block in node.blocks:
        block.nodes[:] = [_replaced(graph, inner, instead) for inner in block.nodes]
        block.results = tuple(instead.get(value, value) for value in block.results)
    inputs = tuple(instead.get(value, value) for value in node.inputs)
    return node if inputs == node.inputs else replace(node, inputs=inputs)


def _exit_with(exit_: Exit, instead: Mapping[Value, Value]) -> Exit:
    made: dict[Recipe, Recipe] = {}

    def new(recipe: Recipe) -> Recipe:
        return substituted(recipe, instead, made)

    return replace(
        exit_,
        stores=tuple((slot, new(recipe)) for slot, recipe in exit_.stores),
        pushes=tuple(map(new, exit_.pushes)),
        effects=tuple(map(new, exit_.effects)),
    )
