"""Finds the lengths of parameters that may be 1 as well: masks select any number of items.

A length that a graph is given is at least 2, as NumPy broadcasts axes of length 1. Where only 1-d
arrays without gaps have it, and only ops that compute one item like more of them
(`Op.one_item`), the kernel for longer arrays is the kernel for those of one item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.graph import Graph, Node, Value
from ..ir.types import ArrayType, Sym


def lengths_that_may_be_one(graph: Graph) -> frozenset[Sym]:
    """Return the symbolic lengths of parameters that may be 1 when the kernel runs."""
    arrays = [param.type for param in graph.params if isinstance(param.type, ArrayType)]
    plain = {dim for type_ in arrays if type_.layout.is_c for dim in _line(type_)}
    other = {
        dim for type_ in arrays if not type_.layout.is_c or type_.ndim > 1 for dim in type_.dims
    }
    for node in graph.nodes():
        for type_ in _array_types(_values(node)):
            if type_.ndim > 1 or not node.op.one_item:
                other.update(type_.dims)
    return frozenset(plain - other)


def _line(type_: ArrayType) -> Iterator[Sym]:
    """Yield the length of a 1-d array."""
    if type_.ndim == 1 and isinstance(type_.dims[0], Sym):
        yield type_.dims[0]


def _values(node: Node) -> Iterator[Value]:
    yield from node.inputs
    yield from node.outputs
    for block in node.blocks:
        yield from block.params
        yield from block.results


def _array_types(values: Iterable[Value]) -> Iterator[ArrayType]:
    for value in values:
        if isinstance(value.type, ArrayType):
            yield value.type
