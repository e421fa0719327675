"""Ints that stay far from 64 bits, however long the kernel runs.

A loop that counts needs ages to come to 2**62. A number is *near* where each way to it begins at a
small number and adds small steps: its size is bounded by the operations that have run so far, each
of which adds at most STEP to the biggest near number. What is made of a few near numbers at once is
near too, with a weight, but nothing that a loop carries may be fed with it: it would double. The
items of an array are near that the kernel makes of a small number and stores nothing but near ones
in. Weight 0 is that of a step.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.numbers import StoredAs, pick
from ....jit.ir.ops import (
    ARANGE,
    BREAK,
    CHECKPOINT,
    CONST,
    CONTINUE,
    COPY,
    COUNT,
    DIM,
    ELEMENT,
    FILL,
    FOR,
    HALTED,
    IF,
    LEAVE,
    LOOP,
    OPERATOR,
    STORE,
    UNDEFINED,
    UNDO,
    Kind,
    Op,
)
from ....jit.ir.types import ScalarType

NEAR = 2**40
"""Numbers of the program that are less far from zero may be counted on from."""
STEP = 2**10
"""The biggest step of a counter: a constant, a choice of some, a bool. A year of operations at 10
GHz makes 2**58, so that MOST of them together leave the 64 bits alone."""
MOST = 16


@dataclass(eq=False, slots=True)
class Weights:
    """Of each int that is near: how many near numbers it is made of at most."""

    makers: dict[Value, Node] = field(default_factory=dict)
    merged: dict[Value, list[Value]] = field(default_factory=dict)
    """What the ways to a place bring: for results of branches and the state of loops."""
    levels: dict[Value, int] = field(default_factory=dict)
    """The weight of merged values that are more than a step."""
    far: set[Value] = field(default_factory=set)
    """Merged values that have turned out not to be near."""
    known: dict[Value, int | None] = field(default_factory=dict)
    bounds: Mapping[Value, int] = field(default_factory=dict)
    """Of live-ins."""
    made: dict[Value, Value] = field(default_factory=dict)
    """The arrays that the kernel fills with a small number, and windows on them: each the array."""

    def weight(self, value: Value) -> int | None:
        """None: not near. What loops carry is taken to be a step until it is known to be more."""
        value = self.made.get(value, value)
        if value in self.far or not _is_int(value):
            return None
        if value in self.merged:
            return self.levels.get(value, 0)
        if value not in self.known:
            self.known[value] = self._made(value)
        return self.known[value]

    def constant(self, value: Value) -> int | None:
        """The number that a value always is."""
        node = self.makers.get(value)
        return int(node.attrs["value"]) if node is not None and node.op is CONST else None

    def raise_level(self, value: Value) -> bool:
        """Of a merged value that is more than was thought; False where it is not."""
        if value in self.far:
            return False
        found = [self.weight(way) for way in self.merged[value]]
        if any(weight is None or weight > 1 for weight in found):
            self.far.add(value)
            return True
        if 1 in found and value not in self.levels:
            self.levels[value] = 1
            return True
        return False

    def _made(self, value: Value) -> int | None:
        if value in self.bounds:
            return None if self.bounds[value] > NEAR else 1
        node = self.makers.get(value)
        rule = None if node is None else _MADE_BY.get(node.op)
        found = None if rule is None or node is None else rule(self, node)
        return found if found is not None and found <= MOST else _of_type(value)


def weigh(graph: Graph) -> Weights:
    """The weights of all ints of a graph."""
    weights = Weights(bounds=graph.bounds)
    _collect(graph.body, None, weights)
    while True:
        weights.known.clear()
        for node in graph.nodes():  # in this order each finds its operands known
            for value in node.outputs:
                weights.weight(value)
        raised = [weights.raise_level(value) for value in weights.merged]
        if not any(raised):
            return weights


def is_near(weights: Weights, sizes: Mapping[Value, int], node: Node) -> bool:
    """Whether an operation on ints leaves no 64 bits; types of fewer have limits of their own."""
    if node.op is not OPERATOR or node.attrs["function"] not in _CHECKED:
        return False
    numbers = (*node.inputs, *node.outputs)
    wide = all(isinstance(v.type, ScalarType) and v.type.dtype.char in "l?" for v in numbers)
    (result,) = node.outputs
    return wide and (weights.weight(result) is not None or result in sizes)


def _collect(block: Block, loop: Node | None, weights: Weights) -> None:
    """Who makes each value, and what the ways to a meeting point bring."""

    def merge(targets: tuple[Value, ...], values: tuple[Value, ...]) -> None:
        for target, value in zip(targets, values, strict=True):
            weights.merged.setdefault(target, []).append(value)
            _lose(weights, value)

    for node in block.nodes:
        weights.makers.update(dict.fromkeys(node.outputs, node))
        if node.op is CONTINUE and loop is not None:
            merge(loop.state, node.inputs)
        elif node.op is BREAK and loop is not None:
            merge(loop.left, node.inputs)
        elif node.op is IF:
            for arm in node.blocks:
                if arm.goes_on:
                    merge(node.outputs, arm.results)
        elif node.op in (FOR, LOOP):
            merge(node.state, node.initial)
            if node.op is FOR:
                merge(node.outputs[: len(node.state)], node.state)
                weights.makers[node.blocks[0].params[0]] = node
        elif (ways := _begun_with(node, weights)) is not None:
            weights.made[node.outputs[0]] = node.outputs[0]
            weights.merged[node.outputs[0]] = ways
            weights.levels[node.outputs[0]] = 1
        elif node.inputs and node.inputs[0] in weights.made:
            _collect_use(weights, node)
        elif _may_write(node):
            for value in node.inputs:
                _lose(weights, value)
        for inner in node.blocks:
            _collect(inner, node if node.op in (FOR, LOOP) else loop, weights)


def _begun_with(node: Node, weights: Weights) -> list[Value] | None:
    """Of a node that makes an array of ints: near where these are. None: nobody knows."""
    if node.op is FILL:
        value = node.attrs["value"]
        small = value is not None and value.dtype.kind in "biu" and abs(int(value)) <= NEAR
        return [] if small else None
    if node.op is COPY:
        return list(node.inputs)
    if node.op is ARANGE:  # there is room for its items: from 0 on they are few
        first, second = (weights.makers.get(value) for value in node.inputs[1:])
        ends = [made.attrs["value"] for made in (first, second) if made and made.op is CONST]
        return [] if ends == [0, 1] else None
    return None


def _collect_use(weights: Weights, node: Node) -> None:
    """A node whose first input is an array that the kernel has filled, or a window on it."""
    array = weights.made[node.inputs[0]]
    if node.op.kind is Kind.VIEW:
        weights.made[node.outputs[0]] = array
    elif node.op is STORE:
        weights.merged[array].append(node.inputs[1])
    elif _may_write(node):
        for value in node.inputs:
            _lose(weights, value)


def _may_write(node: Node) -> bool:
    return node.op.kind is Kind.OPAQUE or (
        node.op.effect is not None and node.op not in (STORE, LEAVE, CHECKPOINT, UNDO)
    )


def _lose(weights: Weights, value: Value) -> None:
    """Nobody knows what becomes of the items of an array."""
    if value in weights.made:
        weights.far.add(weights.made[value])


# ---- what makes a number -------------------------------------------------------------------------


def _is_int(value: Value) -> bool:
    """A number, or an array of such; differences in 64 bits without a sign are not near."""
    dtype = value.type.dtype
    return dtype.kind in "bi" or (dtype.kind == "u" and dtype.itemsize <= 4)


def _of_item(weights: Weights, node: Node) -> int | None:
    array = node.inputs[0]
    return weights.weight(array) if array in weights.made else None


def _of_type(value: Value) -> int | None:
    """Any number of a type of 32 bits is near, one of 8 bits is a step."""
    size = value.type.dtype.itemsize
    return None if size > 4 else int(size > 1)


def _of_constant(weights: Weights, node: Node) -> int | None:
    size = abs(int(node.attrs["value"]))  # NumPy's least ints have no opposite
    return None if size > NEAR else int(size > STEP)


def _of_index(weights: Weights, node: Node) -> int | None:
    """The variable of a `for`: it stays before the stop, and begins at the start."""
    start, stop = (weights.weight(value) for value in node.inputs[:2])
    step = weights.constant(node.inputs[2])
    if start is None or (stop is None and (step is None or abs(step) > STEP)):
        return None
    return max(1, start, stop or 0)


def _of_operator(weights: Weights, node: Node) -> int | None:
    function = node.attrs["function"]
    rule = _biggest if isinstance(function, StoredAs) else _RULES.get(function)
    return None if rule is None else rule(weights, node.inputs)


Rule = Callable[[Weights, tuple[Value, ...]], "int | None"]


def _sum(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    one, other = (weights.weight(value) for value in inputs)
    if one is None or other is None:
        return None
    return max(1, one + other)


def _product(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    for value, other in (inputs, inputs[::-1]):
        factor, weight = weights.constant(other), weights.weight(value)
        if factor is not None and weight is not None:
            return max(1, weight * abs(factor)) if weight or abs(factor) <= STEP else None
    return None


def _quotient(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    divisor, weight = weights.constant(inputs[1]), weights.weight(inputs[0])
    if divisor is None or divisor <= 0 or weight is None:
        return None
    return -(-weight // divisor)


def _remainder(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    return weights.weight(inputs[1])


def _biggest(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    found = [weights.weight(value) for value in inputs]
    return None if None in found else max(one for one in found if one is not None)


def _picked(weights: Weights, inputs: tuple[Value, ...]) -> int | None:
    return _biggest(weights, inputs[1:])


_CHECKED: dict[Any, Rule] = {
    operator.add: _sum,
    operator.sub: _sum,
    operator.mul: _product,
    operator.neg: _biggest,
    abs: _biggest,
}
"""Functions whose results may leave 64 bits."""
_RULES: dict[Any, Rule] = {
    **_CHECKED,
    **dict.fromkeys((operator.pos, operator.index, int, np.int64, min, max), _biggest),
    operator.floordiv: _quotient,
    operator.mod: _remainder,
    pick: _picked,
}
_MADE_BY: dict[Op, Callable[[Weights, Node], int | None]] = {
    CONST: _of_constant,
    OPERATOR: _of_operator,
    FOR: _of_index,
    ELEMENT: _of_item,
    UNDEFINED: lambda weights, node: 0,
    # The turn before it has been made: what is left of it is a number of the range as well.
    **dict.fromkeys((DIM, COUNT, HALTED), lambda weights, node: 1),
}
