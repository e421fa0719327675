"""Graphs as text: regions, exits, and every kind of recipe."""

from __future__ import annotations

import numpy as np

from framejit.guards.sources import Live as Source
from framejit.jit.ir.builder import Builder
from framejit.jit.ir.graph import Block, Build, Call, Constant, Exit, Leaf, Live, Value
from framejit.jit.ir.ops import CHECKPOINT, CONTINUE, FOR, OPERATOR, UFUNC
from framejit.jit.ir.text import print_graph
from framejit.jit.ir.types import PY_INT, ArrayType, Layout


def test_recipes() -> None:
    """The text of recipes of an exit."""
    builder = Builder()
    x = builder.param(PY_INT, 3)
    pushes = (
        Constant("text"),
        Live(Source(0, "argument `x`")),
        Build("tuple", (Leaf(x), Build("dict", (Constant(1), Leaf(x))))),
        Call(slice, (Constant(None), Leaf(x))),
    )
    builder.leave(Exit(4, "break", ((0, Leaf(x)), (2, Constant(None))), pushes, (1,)))
    builder.leave(Exit(9, "bail"), CHECKPOINT)

    assert print_graph(builder.graph()) == (
        "graph(%0: int)\n"
        "  leave(%0, %0, %0, %0) exit=0\n"
        "  checkpoint() exit=1\n"
        "exit 0: break at 4: local 0 = %0; local 2 = None; push 'text'; push argument `x`; "
        "push tuple(%0, dict(1, %0)); push call builtins.slice(None, %0); del local 1\n"
        "exit 1: bail at 9: nothing"
    )


def test_regions() -> None:
    """The block stands under its node, and ends in what the next iteration gets."""
    builder = Builder()
    type_ = ArrayType(np.dtype("f4"), (builder.fresh_sym(5),), Layout.contiguous(1))
    x = builder.param(type_)
    outer, numbers = builder.block, [builder.const(k) for k in (0, 3, 1)]
    params = (Value(PY_INT), Value(type_))
    builder.block = block = Block(params, [])
    more = builder.add(UFUNC, (params[1], params[0]), {"ufunc": np.multiply})
    builder.effect(CONTINUE, (more,), {})
    builder.block = outer
    last = Value(type_)
    builder.region_node(FOR, (*numbers, x), {}, (last,), (block,), None)
    builder.add(OPERATOR, (numbers[0],), {"function": abs})
    builder.leave(Exit(5, "return", pushes=(Leaf(last),)))

    assert print_graph(builder.graph()) == (
        "graph(%0: float32[s0])\n"
        "  %1 = const() value=0 : int\n"
        "  %2 = const() value=3 : int\n"
        "  %3 = const() value=1 : int\n"
        "  %4 = for(%1, %2, %3, %0) : float32[s0]\n"
        "    with %5: int, %6: float32[s0]\n"
        "    %7 = ufunc(%6, %5) ufunc=multiply : float32[s0]\n"
        "    continue(%7)\n"
        "  %8 = operator(%1) function=builtins.abs : int\n"
        "  leave(%4) exit=0\n"
        "exit 0: return at 5: push %4"
    )
