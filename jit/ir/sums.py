"""How far two ints of a graph are apart, where what they are made of tells it.

`x[i * h : (i + 1) * h]` has `h` items wherever `i` stands, but at the ends of `x`. Ints are taken
apart into sums of products of others; what is left of a difference is a number, or one length.
"""

from __future__ import annotations

import operator
from collections import Counter

from .graph import Node, Value
from .ops import CONST
from .types import PY_INT

MAX_TERMS = 8
"""Of a sum; one of more is taken as a whole."""

Product = tuple[Value, ...]
"""In the order of their addresses; empty for the number itself."""
Sum = Counter[Product]
"""How often each product counts."""


class Sums:
    """The ints of one graph by what makes them."""

    def __init__(self) -> None:
        self._makers: dict[Value, Node] = {}

    def note(self, node: Node) -> None:
        """A node that gives a number."""
        if node.outputs[0].type == PY_INT:
            self._makers[node.outputs[0]] = node

    def gap(self, low: Value, high: Value) -> int | Value | None:
        """`high - low`, where it is a number or one value of the graph."""
        rest = _plus(self._of(high), self._of(low), -1)
        if not rest:
            return 0
        (product, times), *others = rest.items()
        if others or len(product) > 1:
            return None
        if not product:
            return times
        return product[0] if times == 1 else None

    def _of(self, value: Value) -> Sum:
        node = self._makers.get(value)
        if node is None or any(one.type != PY_INT for one in node.inputs):
            return Counter({(value,): 1})
        if node.op is CONST:
            return _plus(Counter(), Counter({(): node.attrs["value"]}), 1)
        found = self._computed(node)
        return Counter({(value,): 1}) if found is None or len(found) > MAX_TERMS else found

    def _computed(self, node: Node) -> Sum | None:
        function, inputs = node.attrs["function"], node.inputs
        if function in (operator.index, operator.pos):
            return self._of(inputs[0])
        if function is operator.neg:
            return _plus(Counter(), self._of(inputs[0]), -1)
        if function in (operator.add, operator.iadd, operator.sub, operator.isub):
            sign = 1 if function in (operator.add, operator.iadd) else -1
            return _plus(self._of(inputs[0]), self._of(inputs[1]), sign)
        if function in (operator.mul, operator.imul):
            return _times(self._of(inputs[0]), self._of(inputs[1]))
        return None


def _plus(one: Sum, other: Sum, times: int) -> Sum:
    found = Counter(one)
    for product, number in other.items():
        found[product] += times * number
    return Counter({product: number for product, number in found.items() if number})


def _times(one: Sum, other: Sum) -> Sum:
    found: Sum = Counter()
    for left, much in one.items():
        for right, more in other.items():
            found[tuple(sorted(left + right, key=id))] += much * more
    return Counter({product: number for product, number in found.items() if number})
