"""Bounds on the magnitude of ints that are known before the kernel runs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.numbers import StoredAs, pick
from ....jit.ir.ops import CONST, COUNT, DIM, FOR, OPERATOR, UNDEFINED
from ....jit.ir.types import ScalarType
from .counters import NEAR, Weights

ROUNDS = 4
"""Number of rounds after which a bound that still grows is given up."""
END = 2**63

Sizes = Mapping[Value, int]
"""Upper bounds on the magnitude of some ints."""


def sizes_of(graph: Graph, weights: Weights) -> Sizes:
    """Compute the bounds; that of a merged value is the largest of its incoming values."""
    merged = {value: 0 for value in weights.merged if isinstance(value.type, ScalarType)}
    turn = 0
    while True:
        sizes = {**merged, **weights.bounds}
        for node in graph.nodes():
            for value in (node.blocks[0].params[0],) if node.op is FOR else node.outputs:
                found = _size(node, value, sizes, weights)
                if found is not None and found < END:
                    sizes.setdefault(value, found)
        grown = {
            value: _BIGGEST([0, *(sizes.get(way) for way in weights.merged[value])])
            for value in merged
        }
        changed = {value: size for value, size in grown.items() if size != merged[value]}
        if not changed:
            return sizes
        for value, size in changed.items():
            if size is None or turn >= ROUNDS:
                del merged[value]
            else:
                merged[value] = max(size, merged[value])
        turn += 1


def _size(node: Node, value: Value, sizes: Sizes, weights: Weights) -> int | None:
    dtype = value.type.dtype
    if not isinstance(value.type, ScalarType) or dtype.kind not in "biu":
        return None
    if node.op is CONST:
        return abs(int(node.attrs["value"]))
    found = None
    if node.op is FOR:
        found = _BIGGEST([sizes.get(end) for end in node.inputs[:2]])
    elif node.op is OPERATOR:
        function = node.attrs["function"]
        rule = _BIGGEST if isinstance(function, StoredAs) else _RULES.get(function)
        found = None if rule is None else rule([sizes.get(operand) for operand in node.inputs])
    elif node.op in (DIM, COUNT):
        found = NEAR
    elif node.op is UNDEFINED:
        found = 0
    widest: int = 2 ** (8 * dtype.itemsize)
    return widest if dtype.itemsize <= 4 and (found is None or found > widest) else found


Rule = Callable[[list["int | None"]], "int | None"]


def _if_all(make: Callable[[list[int]], int]) -> Rule:
    def rule(operands: list[int | None]) -> int | None:
        known = [one for one in operands if one is not None]
        return make(known) if len(known) == len(operands) else None

    return rule


_BIGGEST = _if_all(max)
_RULES: dict[Any, Rule] = {
    **dict.fromkeys((operator.add, operator.sub), _if_all(sum)),
    operator.mul: _if_all(lambda known: known[0] * known[1]),
    operator.floordiv: lambda operands: operands[0],
    operator.mod: lambda operands: operands[1],
    **dict.fromkeys((operator.neg, operator.pos, operator.index), _BIGGEST),
    **dict.fromkeys((abs, int, np.int64, max, min), _BIGGEST),
    pick: lambda operands: _BIGGEST(operands[1:]),
}
