"""Common subexpression elimination: computes equal small operations once.

`(x - x.mean()) / x.std()` sums `x` twice, as `std` needs the mean too. This pass merges numbers,
lengths, reductions and arithmetic on their results. Equal large arrays are not merged, because the
one would stay in memory until its last reader; within a cluster, which stores no intermediate
arrays, `merged` merges them.

Two results are merged only if no reader could see a difference: only arithmetic reads them, and
nothing is written in between. Views that are merged may also be stored to. (Local value numbering,
Cocke and Schwartz, 1970.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from ..analysis.side_effects import may_write, reads_memory
from ..ir.graph import Block, Graph, Node, Value
from ..ir.indexing import Index
from ..ir.ops import Kind
from ..ir.types import ArrayType
from .lengths import lengths_of_parameters
from .uses import private_values, with_inputs

_IS_ITSELF = (
    *(str, int, bool, type(None), type, np.dtype, np.ufunc, Index),
    *(FunctionType, BuiltinFunctionType),
)
"""Types of attributes that are compared with `==`."""
_BY_TEXT = (float, complex, np.generic)
"""Types of attributes that are compared by `repr`, as 0.0 and -0.0 are equal but not the same."""


def without_common(graph: Graph) -> Graph:
    """Return the graph without duplicates; unchanged parts are shared with the given one."""
    graph = lengths_of_parameters(graph)
    private = private_values(graph)
    written = private_values(graph, written=True)
    for node in graph.nodes():
        if node.op.kind is Kind.VIEW:
            private.update(written.intersection(node.outputs))
    return replace(graph, body=_merged(graph.body, private))


def merged(nodes: Sequence[Node], kept: Iterable[Value]) -> list[Node]:
    """Merge equal elementwise nodes; results in `kept` keep their own node."""
    stays = set(kept)
    made: dict[Hashable, Node] = {}
    replacements: dict[Value, Value] = {}
    left: list[Node] = []
    for old in nodes:
        node = with_inputs(old, replacements)
        key = _key(node) if node.op.kind is Kind.ELEMENTWISE else None
        if key is not None:
            first = made.setdefault(key, node)
            if first is not node and stays.isdisjoint(node.outputs):
                replacements[node.outputs[0]] = first.outputs[0]
                continue
        left.append(node)
    return left


def _merged(block: Block, private: set[Value]) -> Block:
    made: dict[Hashable, Node] = {}
    replacements: dict[Value, Value] = {}
    small: set[Value] = set()
    left: list[Node] = []
    for old in block.nodes:
        node = with_inputs(old, replacements)
        if may_write(node):
            made = {key: one for key, one in made.items() if not reads_memory(one)}
        key = _key(node) if _is_small(node, small) else None
        if key is not None and private.issuperset(node.outputs):
            first = made.setdefault(key, node)
            if first is not node:
                replacements.update(zip(node.outputs, first.outputs, strict=True))
                continue
        if node.blocks:
            node = replace(node, blocks=tuple(_merged(inner, private) for inner in node.blocks))
        left.append(node)
    return Block(
        block.params, left, tuple(replacements.get(value, value) for value in block.results)
    )


def _is_small(node: Node, small: set[Value]) -> bool:
    """True if the result takes less memory than the inputs; such results are added to `small`."""
    if node.op.kind is Kind.VIEW or node.op.of_numbers:
        return not node.op.effect
    arrays = {value for value in node.inputs if isinstance(value.type, ArrayType)}
    if node.op.kind is Kind.REDUCE or (node.op.kind is Kind.ELEMENTWISE and arrays <= small):
        small.update(node.outputs)
        return True
    return False


def _key(node: Node) -> Hashable | None:
    """Return a key that is equal for nodes with equal results; None if there is no such key."""
    try:
        attrs = tuple((name, _attr_key(value)) for name, value in sorted(node.attrs.items()))
    except TypeError:
        return None
    modes = node.location.modes if node.location is not None else None
    types = tuple(value.type for value in node.outputs)
    return node.op.name, node.inputs, attrs, types, modes, node.location is None


def _attr_key(value: Any) -> Hashable:
    kind = type(value)
    if issubclass(kind, tuple):
        return kind, tuple(map(_attr_key, value))
    if issubclass(kind, _BY_TEXT):
        if value != value:
            raise TypeError("a NaN has bits that its text does not show")
        return kind, repr(value)
    if issubclass(kind, _IS_ITSELF):
        return kind, value
    raise TypeError(kind)
