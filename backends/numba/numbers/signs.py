"""Finds ints that are never negative.

Their indices need no wrap, their divisors cannot overflow.
"""

from __future__ import annotations

import operator
from collections import ChainMap
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

import numpy as np

from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.numbers import pick
from ....jit.ir.ops import CONST, COUNT, DIM, FOR, LOOP, OPERATOR, UNDEFINED
from ....jit.ir.types import ScalarType
from .bounds import conditions_at, rounds_of
from .counters import Weights

Least = Mapping[Value, int]
"""Lower bounds of some ints."""


Asked = Mapping[Node, frozenset[Value]]
"""For some nodes, ints that an enclosing branch has found to be at least 0."""


def asked_at(graph: Graph, weights: Weights) -> Asked:
    """Return, for nodes in branches, the ints known not to be negative there."""
    found: dict[Node, frozenset[Value]] = {}
    known: dict[frozenset[Value], frozenset[Value]] = {}
    for node, held in conditions_at(graph.body):
        if held not in known:
            known[held] = frozenset().union(*(_asked(one, weights) for one in held))
        if known[held]:
            found[node] = known[held]
    return found


def natural_numbers(
    graph: Graph, weights: Weights, near: Container[Node], asked: Asked
) -> frozenset[Value]:
    """Return the ints that are at least 0; a merged value is if all its incoming values are."""
    lost: set[Value] = set()
    guarded = {
        pair for node in graph.nodes() if node.op is LOOP for pair in _guarded(node, weights)
    }
    while True:
        least = {value: 0 for value in weights.merged if _is_int(value) and value not in lost}
        for node in graph.nodes():
            for value in (node.blocks[0].params[0],) if node.op is FOR else node.outputs:
                here = _with_asked(least, asked.get(node))
                found = _least(node, value, here, weights, near)
                if found is not None and value not in weights.merged:
                    least.setdefault(value, found)
        wrong = {
            value
            for value, ways in weights.merged.items()
            if value in least
            and not all(least.get(way, -1) >= 0 or (way, value) in guarded for way in ways)
        }
        if not wrong:
            return frozenset(value for value, number in least.items() if number >= 0)
        lost |= wrong


def _with_asked(least: dict[Value, int], asked: frozenset[Value] | None) -> Least:
    if asked is None:
        return least
    return ChainMap({value: 0 for value in asked if least.get(value, -1) < 0}, least)


def _is_int(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.dtype.kind in "bi"


# ---- what a turn has asked for -------------------------------------------------------------------


def _guarded(loop: Node, weights: Weights) -> Iterator[tuple[Value, Value]]:
    """Yield state that a `while` tests to be at least 0 before its next iteration: `j >= 0`.

    The same number may be handed over in several places and initially: all of them must be tested.
    """
    open_ = set(zip(loop.initial, loop.state, strict=True))
    asked: set[tuple[Value, Value]] = set()
    for node, held in rounds_of(loop.blocks[0]):
        known: set[Value] = set().union(*(_asked(condition, weights) for condition in held))
        for pair in zip(node.inputs, loop.state, strict=True):
            (asked if pair[0] in known else open_).add(pair)
    yield from asked - open_


def _asked(condition: Value, weights: Weights) -> set[Value]:
    """Return the ints that a true condition shows to be at least 0."""
    node = weights.makers.get(condition)
    if node is None or node.op is not OPERATOR or len(node.inputs) != 2:
        return set()
    one, other = node.inputs
    limit, function = weights.constant(other), node.attrs["function"]
    if limit is None or not _is_int(one):
        return set()
    natural = (function is operator.ge and limit >= 0) or (function is operator.gt and limit >= -1)
    return {one} if natural else set()


# ---- what makes a number -------------------------------------------------------------------------


def _least(
    node: Node, value: Value, least: Least, weights: Weights, near: Container[Node]
) -> int | None:
    dtype = value.type.dtype
    if dtype.kind == "b" or (dtype.kind == "u" and dtype.itemsize <= 4):
        return 0
    if not _is_int(value):
        return None
    if node.op is CONST:
        return int(node.attrs["value"])
    if node.op is FOR:
        return _least_index(node, least, weights)
    if node.op is not OPERATOR:
        return 0 if node.op in (DIM, COUNT, UNDEFINED) else None
    function = node.attrs["function"]
    if function in _NEAR and node not in near:
        return None
    if function is operator.sub:
        start, taken = least.get(node.inputs[0]), weights.constant(node.inputs[1])
        return None if start is None or taken is None else start - taken
    rule = _RULES.get(function)
    return None if rule is None else rule([least.get(operand) for operand in node.inputs])


def _least_index(node: Node, least: Least, weights: Weights) -> int | None:
    """Return the lower bound of a `for` variable: its start, or counting down its stop."""
    start, stop = (least.get(value) for value in node.inputs[:2])
    step = weights.constant(node.inputs[2])
    if step is None:
        return None
    return start if step > 0 else None if stop is None else stop + 1


Rule = Callable[[list[int | None]], int | None]


def _if_all(make: Callable[[list[int]], int]) -> Rule:
    def rule(operands: list[int | None]) -> int | None:
        known = [one for one in operands if one is not None]
        return make(known) if len(known) == len(operands) else None

    return rule


def _if_natural(make: Callable[[list[int]], int]) -> Rule:
    return _if_all(lambda known: make(known) if min(known) >= 0 else -(2**62))


def _biggest(operands: list[int | None]) -> int | None:
    """Return the largest known bound; one that is known suffices."""
    return max((one for one in operands if one is not None), default=None)


_NEAR = frozenset({operator.add, operator.sub, operator.mul})
"""Functions whose bounds hold only if they stay within 64 bits."""
_RULES: dict[Any, Rule] = {
    operator.add: _if_all(sum),
    operator.mul: _if_natural(lambda known: known[0] * known[1]),
    operator.floordiv: _if_natural(lambda known: 0),
    operator.mod: lambda operands: _if_natural(lambda known: 0)(operands[1:]),
    operator.and_: lambda operands: 0 if any(n is not None and n >= 0 for n in operands) else None,
    max: _biggest,
    min: _if_all(min),
    pick: lambda operands: _if_all(min)(operands[1:]),
    abs: lambda operands: 0,
    **dict.fromkeys((operator.pos, operator.index, int, np.int64), _if_all(min)),
}
