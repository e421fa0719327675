"""Graphs of a few nodes, and what the verifier says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from framejit.jit.ir.graph import Block, Exit, Graph, Leaf, Node, Value
from framejit.jit.ir.ops import (
    LEAVE,
    Op,
)
from framejit.jit.ir.types import (
    PY_INT,
    ArrayType,
    Layout,
    ListType,
    Sym,
    Type,
)
from framejit.jit.ir.verify import MalformedGraphError, verify

S0, S1 = Sym(0), Sym(1)


F8, F4, I8 = np.dtype("f8"), np.dtype("f4"), np.dtype("i8")


def array(*dims: int | Sym, dtype: np.dtype[Any] = F8) -> ArrayType:
    return ArrayType(dtype, dims, Layout.contiguous(len(dims)))


def node(
    op: Op,
    inputs: Sequence[Value] = (),
    outputs: Sequence[Value] = (),
    blocks: Sequence[Block] = (),
    **attrs: Any,
) -> Node:
    return Node(op, tuple(inputs), attrs, tuple(outputs), None, tuple(blocks))


def graph(params: Sequence[Value], *nodes: Node, handed: Sequence[Value] = ()) -> Graph:
    """One that ends in an exit with these values."""
    exit_ = Exit(0, "return", pushes=tuple(map(Leaf, handed)))
    body = Block((), [*nodes, node(LEAVE, handed, exit=0)])
    return Graph(tuple(params), body, [exit_])


def said_of(made: Graph) -> str:
    with pytest.raises(MalformedGraphError) as raised:
        verify(made, "the test")
    message = str(raised.value)
    assert message.startswith("the test made a malformed graph: ")
    return message.removeprefix("the test made a malformed graph: ")


def one(op: Op, inputs: Sequence[Type], outputs: Sequence[Type], **attrs: Any) -> Graph:
    """A graph of one node."""
    params = [Value(type_) for type_ in inputs]
    return graph(params, node(op, params, [Value(type_) for type_ in outputs], **attrs))


X, N, NUMBERS = array(S0), PY_INT, ListType(F8, True)
