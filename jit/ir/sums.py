"""Computes the difference between two ints of a graph where their definitions determine it.

`x[i * h : (i + 1) * h]` has `h` items for any `i`, except at the ends of `x`. Ints are expanded
into sums of products; if the difference of two sums is a number or a single value, the length is
known.
"""

from __future__ import annotations

from collections import Counter

from .graph import Node, Value
from .primitives import Linear, of_numbers
from .types import PY_INT

MAX_TERMS, MAX_FACTORS = 8, 4
"""Most terms of a sum and factors of a product; an int that exceeds them is not expanded."""

Product = tuple[Value, ...]
"""Factors sorted by address; empty for the constant term."""
Sum = Counter[Product]
"""Coefficient of each product."""


class Sums:
    """The ints of one graph, expanded into sums."""

    def __init__(self) -> None:
        self._sums: dict[Value, Sum] = {}

    def note(self, node: Node) -> None:
        """Expand the result of a node; its inputs have been expanded before."""
        if all(one.type == PY_INT for one in (node.outputs[0], *node.inputs)):
            found = self._computed(node)
            if found is not None and _is_small(found):
                self._sums[node.outputs[0]] = found

    def gap(self, low: Value, high: Value) -> int | Value | None:
        """Return `high - low` if it is a constant or one value of the graph, else None."""
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
        if node.op.is_constant:
            return Counter({(): node.constant})
        inputs = node.inputs
        match of_numbers(node.attrs["function"]).linear:
            case Linear.SAME:
                return self._of(inputs[0])
            case Linear.NEGATION:
                return _plus(Counter(), self._of(inputs[0]), -1)
            case Linear.SUM:
                return _plus(self._of(inputs[0]), self._of(inputs[1]), 1)
            case Linear.DIFFERENCE:
                return _plus(self._of(inputs[0]), self._of(inputs[1]), -1)
            case Linear.PRODUCT:
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
