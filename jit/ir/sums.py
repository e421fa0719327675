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

MAX_TERMS, MAX_FACTORS = 8, 4
"""Of a sum, and of a product in it; what has more is taken as a whole."""

Product = tuple[Value, ...]
"""In the order of their addresses; empty for the number itself."""
Sum = Counter[Product]
"""How often each product counts."""


class Sums:
    """The ints of one graph as sums, each made once of those that its node reads."""

    def __init__(self) -> None:
        self._sums: dict[Value, Sum] = {}

    def note(self, node: Node) -> None:
        """A node that gives a number; those of its inputs are noted before."""
        if all(one.type == PY_INT for one in (node.outputs[0], *node.inputs)):
            found = self._computed(node)
            if found is not None and _is_small(found):
                self._sums[node.outputs[0]] = found

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
        found = self._sums.get(value)
        return Counter({(value,): 1}) if found is None else found

    def _computed(self, node: Node) -> Sum | None:
        if node.op is CONST:
            return Counter({(): node.attrs["value"]})
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


def _is_small(found: Sum) -> bool:
    return len(found) <= MAX_TERMS and all(len(product) <= MAX_FACTORS for product in found)


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
