"""Proves that counters and sums of them stay within 64 bits, however long the kernel runs.

A loop that counts would need ages to reach 2**62. A number is *near* if every chain of operations
that produces it starts at a small number and adds small steps: its magnitude is bounded by the
number of operations executed, each of which adds at most STEP to the largest near number. A
combination of a few near numbers is near too, with a weight, but must not feed a loop-carried
number, which could double. Items of an array are near if the kernel fills it with a small number
and stores only near ones. Steps have weight 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ....jit.analysis.ranges import Ranges
from ....jit.ir.edges import edges
from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.ops import (
    ARANGE,
    COPY,
    FILL,
    Kind,
)
from ....jit.ir.primitives import Growth, of_node
from ....jit.ir.schema import Applies, Effect
from ....jit.ir.types import ScalarType

NEAR = 2**40
"""Counting may start from program numbers up to this magnitude."""
STEP = 2**10
"""Largest step of a counter: a constant, a choice among some, a bool. A year of operations at 10
GHz reaches 2**58, so that MOST of them together fit in 64 bits."""
MOST = 16


@dataclass(eq=False, slots=True)
class Weights:
    """For each near int: the number of near numbers that it combines."""

    makers: dict[Value, Node] = field(default_factory=dict)
    merged: dict[Value, list[Value]] = field(default_factory=dict)
    """Incoming values of branch results and loop state."""
    merged_weights: dict[Value, int] = field(default_factory=dict)
    """Weights of merged values that are more than a step."""
    far: set[Value] = field(default_factory=set)
    """Merged values found not to be near."""
    known: dict[Value, int | None] = field(default_factory=dict)
    bounds: Mapping[Value, int] = field(default_factory=dict)
    """Bounds on live-ins."""
    made: dict[Value, Value] = field(default_factory=dict)
    """Arrays that the kernel fills with a small number, and views of them; mapped to the array."""

    def weight(self, value: Value) -> int | None:
        """Return the weight, or None if not near.

        Loop-carried numbers count as steps until refuted.
        """
        value = self.made.get(value, value)
        if value in self.far or not _is_int(value):
            return None
        if value in self.merged:
            return self.merged_weights.get(value, 0)
        if value not in self.known:
            self.known[value] = self._made(value)
        return self.known[value]

    def constant(self, value: Value) -> int | None:
        """Return the constant that a value is, or None."""
        node = self.makers.get(value)
        return None if node is None or node.constant is None else int(node.constant)

    def raise_weight(self, value: Value) -> bool:
        """Raise the weight of a merged value if necessary; return False if nothing changed."""
        if value in self.far:
            return False
        found = [self.weight(way) for way in self.merged[value]]
        if any(weight is None or weight > 1 for weight in found):
            self.far.add(value)
            return True
        if 1 in found and value not in self.merged_weights:
            self.merged_weights[value] = 1
            return True
        return False

    def _made(self, value: Value) -> int | None:
        if value in self.bounds:
            return None if self.bounds[value] > NEAR else 1
        node = self.makers.get(value)
        found = None if node is None else _of_maker(self, node)
        return found if found is not None and found <= MOST else _of_type(value)


def weigh(graph: Graph) -> Weights:
    """Compute the weights of all ints of a graph."""
    weights = Weights(bounds=graph.bounds)
    _collect(graph, weights)
    while True:
        weights.known.clear()
        for node in graph.nodes():  # in this order operands come first
            for value in node.outputs:
                weights.weight(value)
        raised = [weights.raise_weight(value) for value in weights.merged]
        if not any(raised):
            return weights


def is_near(weights: Weights, node: Node, ranges: Ranges | None = None) -> bool:
    """True if an operation on 64-bit ints cannot overflow; narrower types have other checks."""
    if not of_node(node).overflows:
        return False
    numbers = (*node.inputs, *node.outputs)
    wide = all(isinstance(v.type, ScalarType) and v.type.dtype.char in "l?" for v in numbers)
    (result,) = node.outputs
    if not wide or weights.weight(result) is not None:
        return wide
    return ranges is not None and result in ranges and ranges[result].size is not None


def _collect(graph: Graph, weights: Weights) -> None:
    """Record the node that makes each value, and the incoming values of merges."""
    for node in graph.nodes():
        weights.makers.update(dict.fromkeys(node.outputs, node))
        if node.op.counted:
            weights.makers[node.blocks[0].params[0]] = node
        if node.op.hands_over:
            continue
        if (ways := _begun_with(node, weights)) is not None:
            weights.made[node.outputs[0]] = node.outputs[0]
            weights.merged[node.outputs[0]] = ways
            weights.merged_weights[node.outputs[0]] = 1
        elif node.inputs and node.inputs[0] in weights.made:
            _collect_use(weights, node)
        elif _may_write(node):
            for value in node.inputs:
                _lose(weights, value)
    for edge in edges(graph.body):
        for target, value in edge:
            weights.merged.setdefault(target, []).append(value)
            _lose(weights, value)


def _begun_with(node: Node, weights: Weights) -> list[Value] | None:
    """Return the near values in a new array of ints; None if its items may be any."""
    if node.op is FILL:
        value = node.attrs["value"]
        small = value is not None and value.dtype.kind in "biu" and abs(int(value)) <= NEAR
        return [] if small else None
    if node.op is COPY:
        return list(node.inputs)
    if node.op is ARANGE:  # an array from 0 on cannot be longer than memory
        first, second = (weights.makers.get(value) for value in node.inputs[1:])
        ends = [made.constant for made in (first, second) if made and made.op.is_constant]
        return [] if ends == [0, 1] else None
    return None


def _collect_use(weights: Weights, node: Node) -> None:
    """Handle a node whose first input is an array that the kernel has filled, or a view of it."""
    array = weights.made[node.inputs[0]]
    if node.op.kind is Kind.VIEW:
        weights.made[node.outputs[0]] = array
    elif node.op.overwrites:
        weights.merged[array].append(node.inputs[1])
    elif _may_write(node):
        for value in node.inputs:
            _lose(weights, value)


def _may_write(node: Node) -> bool:
    return node.op.kind is Kind.OPAQUE or (node.op.writes is not None and not node.op.overwrites)


def _lose(weights: Weights, value: Value) -> None:
    """Give up on an array: its items may become anything."""
    if value in weights.made:
        weights.far.add(weights.made[value])


# ---- what makes a number -------------------------------------------------------------------------


def _is_int(value: Value) -> bool:
    """True for an int or array of ints; unsigned 64-bit differences are never near."""
    dtype = value.type.dtype
    return dtype.kind in "bi" or (dtype.kind == "u" and dtype.itemsize <= 4)


def _of_item(weights: Weights, node: Node) -> int | None:
    array = node.inputs[0]
    return weights.weight(array) if array in weights.made else None


def _of_type(value: Value) -> int | None:
    """Return the weight implied by the type: 32-bit numbers are near, 8-bit ones are steps."""
    size = value.type.dtype.itemsize
    return None if size > 4 else int(size > 1)


def _of_maker(weights: Weights, node: Node) -> int | None:
    """Return the weight of a node's result, or of the index of a loop."""
    if node.op.counted:
        return _of_index(weights, node)
    if node.op.applies is Applies.NUMBERS:
        return _of_operator(weights, node)
    if node.op.indexes:
        return _of_item(weights, node)
    if node.op.interval is not None:
        size = node.op.interval(node.attrs).size
        return None if size is None or size > NEAR else int(size > STEP)
    # The previous iteration ran, so what is left is a number of the range as well.
    return 1 if node.op.effect is Effect.HALT else None


def _of_index(weights: Weights, node: Node) -> int | None:
    """Return the weight of a `for` variable, which starts at `start` and stays before `stop`."""
    start, stop = (weights.weight(value) for value in node.inputs[:2])
    step = weights.constant(node.inputs[2])
    if start is None or (stop is None and (step is None or abs(step) > STEP)):
        return None
    return max(1, start, stop or 0)


def _of_operator(weights: Weights, node: Node) -> int | None:
    growth = of_node(node).growth
    return None if growth is None else _RULES[growth](weights, node.inputs)


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


_RULES: dict[Growth, Rule] = {
    Growth.SUM: _sum,
    Growth.PRODUCT: _product,
    Growth.QUOTIENT: _quotient,
    Growth.REMAINDER: _remainder,
    Growth.LARGEST: _biggest,
    Growth.PICKED: _picked,
}
