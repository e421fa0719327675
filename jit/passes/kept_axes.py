"""Computes reductions of one array that differ in `keepdims` only once.

`x.std(axis=0)` computes the mean with `keepdims`, for broadcasting, and `x.mean(axis=0)` computes
it without. The pass keeps the first of the two reductions and replaces the other one by a view of
its result. An array that the program gets has to own its memory, so it cannot be the view; then the
second reduction is kept. Without `keepdims` a full reduction gives a number, of which there is no
view: the other one is kept, and the number is its only item.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

from ..analysis.side_effects import may_write
from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node, Value
from ..ir.indexing import Index, NewAxis, Part, Span
from ..ir.ops import ELEMENT, INDEX
from ..ir.schema import Applies
from ..ir.types import ArrayType, Layout
from .uses import private_values, with_inputs


def shared_reductions(graph: Graph) -> Graph:
    """Return the graph with fewer reductions; unchanged parts are shared with the given one."""
    private = frozenset(private_values(graph))
    unwritten = frozenset(private_values(graph, handed_out=True))
    return replace(graph, body=_Shared(private, unwritten).shared(graph.body))


@dataclass(frozen=True, slots=True)
class _Shared:
    private: frozenset[Value]
    """Values that only arithmetic reads: views may replace them."""
    unwritten: frozenset[Value]
    """Values that only arithmetic reads and exits hand out: others may be views of them."""

    def shared(self, block: Block) -> Block:
        """Return the block with fewer reductions, in its regions too."""
        left: list[Node] = []
        made: dict[Hashable, Node] = {}
        replacements: dict[Value, Value] = {}
        for old in block.nodes:
            node = with_inputs(old, replacements)
            if may_write(node):
                made.clear()
            key = _key(node)
            first = node if key is None else made.setdefault(key, node)
            if first is node:
                blocks = tuple(map(self.shared, node.blocks))
                left.append(replace(node, blocks=blocks) if blocks else node)
            elif first.attrs["keepdims"] is node.attrs["keepdims"]:
                if {first.outputs[0], node.outputs[0]} <= self.private:
                    replacements[node.outputs[0]] = first.outputs[0]
                else:
                    left.append(node)
            else:
                made[key] = self._share(first, node, left)
        results = tuple(replacements.get(value, value) for value in block.results)
        return Block(block.params, left, results)

    def _share(self, first: Node, node: Node, left: list[Node]) -> Node:
        """Add a node that differs from the first in `keepdims`; return the reduction kept."""
        if self._may_read(first, node):
            left.append(_read(first, node))
            return first
        if not self._may_read(node, first):
            left.append(node)
            return first
        at = next(place for place, one in enumerate(left) if one is first)
        left[at : at + 1] = [node, _read(node, first)]
        return node

    def _may_read(self, computed: Node, node: Node) -> bool:
        """True if the result of `node` may be a view, or the only item, of that of `computed`."""
        (source,), (value,) = computed.outputs, node.outputs
        if not isinstance(source.type, ArrayType) or not isinstance(value.type, ArrayType):
            return isinstance(source.type, ArrayType)
        may_share = source in self.unwritten and value in self.private
        return may_share and _are_laid_out_alike(node, computed)


def _key(node: Node) -> Hashable | None:
    """Return what reductions that differ in `keepdims` have in common; None for other nodes."""
    if node.op.applies is not Applies.REDUCE or node.attrs.keys() != {"ufunc", "axis", "keepdims"}:
        return None
    modes = node.location.modes if node.location is not None else None
    return node.inputs, node.attrs["ufunc"], _reduced(node), modes, node.outputs[0].type.dtype


def _reduced(node: Node) -> frozenset[int]:
    """Return the reduced axes, counted from the front."""
    type_, axis = node.inputs[0].type, node.attrs["axis"]
    assert isinstance(type_, ArrayType)
    if axis is None:
        return frozenset(range(type_.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return frozenset(one % type_.ndim for one in axes if type_.ndim)


def _are_laid_out_alike(*nodes: Node) -> bool:
    """True if the results have their axes in the same order in memory, but for the reduced ones."""
    layouts = []
    for node in nodes:
        type_, operand = node.outputs[0].type, node.inputs[0].type
        assert isinstance(type_, ArrayType)
        assert isinstance(operand, ArrayType)
        kept = [axis for axis in range(operand.ndim) if axis not in _reduced(node)]
        if not node.attrs["keepdims"]:
            kept = [*range(type_.ndim)]
        layouts.append(_layout_of(type_.layout, {axis: place for place, axis in enumerate(kept)}))
    return layouts[0] == layouts[1]


def _layout_of(layout: Layout, places: Mapping[int, int]) -> Layout:
    """Return the layout with some of its axes only, at other places."""
    order = tuple(places[axis] for axis in layout.order if axis in places)
    signs = tuple(layout.signs[axis] for axis in places)
    return replace(layout, order=order, signs=signs)


def _read(computed: Node, node: Node) -> Node:
    """Return a view or an element of the result of `computed` that replaces `node`."""
    (source,), (value,) = computed.outputs, node.outputs
    operand, gone = node.inputs[0].type, _reduced(node)
    assert isinstance(operand, ArrayType)
    part: Part = NewAxis() if node.attrs["keepdims"] else 0
    index = Index(tuple(part if axis in gone else Span() for axis in range(operand.ndim)))
    op = INDEX if isinstance(value.type, ArrayType) else ELEMENT
    return Node(op, (source,), {"index": index}, node.outputs, node.location)
