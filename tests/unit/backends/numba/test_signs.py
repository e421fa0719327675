"""Ints of a graph that are never negative."""

from __future__ import annotations

import operator

import pytest

from framejit.backends.numba.numbers.known import known_of
from framejit.jit.ir.graph import Block, Graph, Node, Value
from framejit.jit.ir.ops import BREAK, CONST, CONTINUE, IF, LOOP, OPERATOR
from framejit.jit.ir.types import PY_BOOL, PY_INT


def constant(number: int) -> Node:
    return Node(CONST, (), {"value": number}, (Value(PY_INT),))


def loop_that_hands_on(*, asked: bool, otherwise: str, first: int) -> tuple[Graph, Value]:
    """`j = first; loop: j -= 1; if j >= 0: continue(j) else: continue(j) or break`."""
    j, less = Value(PY_INT), Value(PY_INT)
    begin, one, zero = constant(first), constant(1), constant(0)
    condition = Value(PY_BOOL)
    inputs = (less, zero.outputs[0]) if asked else (zero.outputs[0], less)
    then = Block((), [Node(CONTINUE, (less,), {}, ())])
    last = Node(CONTINUE, (less,), {}, ()) if otherwise == "continue" else Node(BREAK, (), {}, ())
    body = Block(
        (j,),
        [
            one,
            zero,
            Node(OPERATOR, (j, one.outputs[0]), {"function": operator.sub}, (less,)),
            Node(OPERATOR, inputs, {"function": operator.ge}, (condition,)),
            Node(IF, (condition,), {}, (), None, (then, Block((), [last]))),
        ],
    )
    loop = Node(LOOP, (begin.outputs[0],), {}, (), None, (body,))
    return Graph((), Block((), [begin, loop])), j


@pytest.mark.parametrize(
    ("asked", "otherwise", "first", "natural"),
    [
        (True, "break", 5, True),
        (True, "break", -1, False),
        (True, "continue", 5, False),
        (False, "break", 5, False),
    ],
)
def test_numbers_that_are_handed_on(asked: bool, otherwise: str, first: int, natural: bool) -> None:
    """They are natural where each place that hands them on has asked for it, and the first is."""
    graph, j = loop_that_hands_on(asked=asked, otherwise=otherwise, first=first)
    assert (j in known_of(graph).naturals) == natural
