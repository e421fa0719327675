"""Differences of two ints of a graph, derived from the nodes that make them."""

from __future__ import annotations

import operator
from time import thread_time
from typing import Any

from framejit.jit.ir.builder import Builder
from framejit.jit.ir.graph import Value
from framejit.jit.ir.ops import OPERATOR
from framejit.jit.ir.types import PY_FLOAT, PY_INT


class Ints:
    """Ints of a builder, combined as a program does."""

    def __init__(self) -> None:
        self.builder = Builder()

    def of(self, function: Any, *operands: Value | int) -> Value:
        numbers = [self.builder.const(one) if type(one) is int else one for one in operands]
        return self.builder.add(OPERATOR, numbers, {"function": function})  # type: ignore[arg-type]

    def gap(self, low: Value, high: Value) -> int | Value | None:
        return self.builder.sums.gap(low, high)


def test_differences() -> None:
    """Sums and products of the same ints cancel; a number or one of the ints may be left."""
    ints = Ints()
    i, h = ints.builder.param(PY_INT), ints.builder.param(PY_INT)
    behind = ints.of(operator.add, i, 1)
    first, last = ints.of(operator.mul, i, h), ints.of(operator.mul, behind, h)
    before = ints.of(operator.sub, i, h)

    assert ints.gap(i, behind) == 1
    assert ints.gap(behind, i) == -1
    assert ints.gap(first, last) is h
    assert ints.gap(before, i) is h
    assert ints.gap(i, i) == 0
    assert ints.gap(i, h) is None
    assert ints.gap(i, ints.of(operator.add, h, h)) is None
    assert ints.gap(ints.of(operator.neg, ints.of(operator.sub, h, i)), i) is h


def test_what_is_no_int_is_taken_as_a_whole() -> None:
    """Results of other functions are unknown, too."""
    ints = Ints()
    i, x = ints.builder.param(PY_INT), ints.builder.param(PY_FLOAT)
    made = ints.of(operator.floordiv, i, 2)

    assert ints.gap(made, ints.of(operator.add, made, 1)) == 1
    assert ints.gap(i, made) is None
    assert ints.gap(x, ints.of(operator.add, x, 1)) is None


def test_long_sums_and_high_powers_take_no_time() -> None:
    """Each int is looked at once, whatever it is made of."""
    ints = Ints()
    doubled = power = ints.builder.param(PY_INT)
    began = thread_time()
    for _ in range(200):
        doubled = ints.of(operator.add, doubled, doubled)
        power = ints.of(operator.mul, power, power)

    assert ints.gap(doubled, ints.of(operator.add, doubled, 1)) == 1
    assert ints.gap(power, ints.of(operator.add, power, 1)) == 1
    assert thread_time() - began < 5
