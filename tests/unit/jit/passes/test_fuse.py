"""Fusion: a graph in, steps out.

Steps are shown as text, a cluster in braces with its dims and, behind the arrow, what is written to
memory: `{5: b c -> c}`. A step of its own is shown by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from framejit.jit.ir.graph import Block, Node, Value
from framejit.jit.ir.ops import (
    CHECKPOINT,
    CONST,
    FOR,
    INDEX,
    LEAVE,
    OPAQUE,
    REDUCE,
    STORE,
    UFUNC,
    Op,
)
from framejit.jit.ir.types import PY_FLOAT, PY_INT, ArrayType, Dim, Layout, ScalarType, Sym, Type
from framejit.jit.passes.clusters import Cluster
from framejit.jit.passes.fuse import fuse

N, M = Sym(0), Sym(1)


def array(*dims: Dim) -> ArrayType:
    return ArrayType(np.dtype(float), dims, Layout.contiguous(len(dims)))


SCALAR = ScalarType(np.dtype(float), python=False)


class Program:
    """A block, its values named by the program that is written down here."""

    def __init__(self) -> None:
        self.block = Block((), [])
        self.names: dict[Value, str] = {}
        self.values: dict[str, Value] = {}
        self.nodes: dict[Node, str] = {}

    def value(self, name: str, type_: Type) -> Value:
        value = self.values[name] = Value(type_)
        self.names[value] = name
        return value

    def add(
        self,
        op: Op,
        result: str,
        inputs: str = "",
        type_: Type | None = None,
        blocks: tuple[Block, ...] = (),
    ) -> None:
        """One node; `inputs` are names, `result` is the name of the node and of its output."""
        operands = tuple(self.values[name] for name in inputs.split())
        outputs = () if op.effect and op is not FOR else (self.value(result, type_ or array(N)),)
        node = Node(op, operands, {"ufunc": np.add}, outputs, None, blocks)
        self.nodes[node] = result
        self.block.nodes.append(node)

    def steps(self, refused: Sequence[str] = ()) -> str:
        """The steps as text; the nodes named in `refused` are not computed by the backend."""

        def fusable(node: Node) -> bool:
            return self.nodes[node] not in refused

        return " ".join(map(self._shown, fuse(self.block, fusable)))

    def _shown(self, step: Any) -> str:
        if not isinstance(step, Cluster):
            return self.nodes[step]
        dims = "x".join("n" if dim == N else "m" if dim == M else str(dim) for dim in step.dims)
        nodes = " ".join(self.nodes[node] for node in step.nodes)
        written = sorted(self.names[value] for value in step.outputs)
        return f"{{{dims}: {nodes} -> {' '.join(written)}}}"


@pytest.fixture
def program() -> Program:
    """Live-ins: x and y of one axis, t of two, k a number."""
    made = Program()
    for name, type_ in (("x", array(N)), ("y", array(N)), ("t", array(N, M)), ("k", PY_INT)):
        made.value(name, type_)
    return made


def test_a_chain_is_one_cluster(program: Program) -> None:
    """Only what leaves is written."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "b", "a x")
    program.add(UFUNC, "c", "b a")
    program.add(LEAVE, "leave", "c")

    assert program.steps() == "{n: a b c -> c} leave"


def test_a_value_that_leaves_and_is_read(program: Program) -> None:
    """It is written, and read where it was computed."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "b", "a x")
    program.add(LEAVE, "leave", "a b")

    assert program.steps() == "{n: a b -> a b} leave"


def test_independent_chains_of_one_size(program: Program) -> None:
    """One pass over memory for both."""
    program.add(UFUNC, "a", "x x")
    program.add(UFUNC, "b", "y y")
    program.add(LEAVE, "leave", "a b")

    assert program.steps() == "{n: a b -> a b} leave"


def test_other_dims_are_another_cluster(program: Program) -> None:
    """An operand that is broadcast is not computed again and again: it is written first."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "b", "t a", array(N, M))
    program.add(UFUNC, "c", "a y")
    program.add(LEAVE, "leave", "b c")

    assert program.steps() == "{n: a c -> a c} {nxm: b -> b} leave"


@pytest.mark.parametrize("op", [OPAQUE, REDUCE, INDEX])
def test_a_step_of_its_own_parts_no_clusters(program: Program, op: Op) -> None:
    """It needs nothing of the first and gives nothing to the second: they are one."""
    program.add(UFUNC, "a", "x y")
    program.add(op, "own", "y")
    program.add(UFUNC, "b", "a x")
    program.add(LEAVE, "leave", "b own")

    assert program.steps() == "own {n: a b -> b} leave"


def test_a_constant_between(program: Program) -> None:
    """Constants stand before the loops that use them."""
    program.add(UFUNC, "a", "x y")
    program.add(CONST, "two", "", PY_FLOAT)
    program.add(UFUNC, "b", "a two")
    program.add(LEAVE, "leave", "b")

    assert program.steps() == "two {n: a b -> b} leave"


def test_what_an_opaque_call_needs_stands_before_it(program: Program) -> None:
    """Its argument is written; what comes of it is another cluster."""
    program.add(UFUNC, "a", "x y")
    program.add(OPAQUE, "call", "a")
    program.add(UFUNC, "b", "call a")
    program.add(LEAVE, "leave", "b")

    assert program.steps() == "{n: a -> a} call {n: b -> b} leave"


def test_a_later_node_joins_the_latest_cluster(program: Program) -> None:
    """The latest cluster has its inputs in the cache for longest: behind the call, not before."""
    program.add(UFUNC, "a", "x y")
    program.add(OPAQUE, "call", "a")
    program.add(UFUNC, "b", "call x")
    program.add(UFUNC, "c", "x x")
    program.add(LEAVE, "leave", "b c")

    assert program.steps() == "{n: a -> a} call {n: b c -> b c} leave"


def test_what_the_backend_refuses(program: Program) -> None:
    """An elementwise node that it does not compute is called, and parts what depends on it."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "called", "a")
    program.add(UFUNC, "b", "called a")
    program.add(UFUNC, "c", "x x")
    program.add(LEAVE, "leave", "b c")

    assert program.steps(refused=["called"]) == "{n: a -> a} called {n: b c -> b c} leave"


def test_a_scalar_result_is_no_loop(program: Program) -> None:
    """A ufunc of numbers makes a number."""
    program.add(UFUNC, "s", "k k", SCALAR)
    program.add(UFUNC, "a", "x s")
    program.add(LEAVE, "leave", "a")

    assert program.steps() == "s {n: a -> a} leave"


# ---- effects -------------------------------------------------------------------------------------


@pytest.mark.parametrize("effect", [STORE, CHECKPOINT])
def test_nothing_moves_across_an_effect(program: Program, effect: Op) -> None:
    """Reads before a write see the old memory, reads behind it the new one."""
    program.add(UFUNC, "a", "x y")
    program.add(effect, "effect", "x y" if effect is STORE else "")
    program.add(UFUNC, "b", "x y")
    program.add(INDEX, "window", "x")
    program.add(UFUNC, "c", "window a")
    program.add(LEAVE, "leave", "a b c")

    assert program.steps() == "{n: a -> a} effect window {n: b c -> b c} leave"


def test_two_effects_keep_their_order(program: Program) -> None:
    """And what stands between them stays there."""
    program.add(STORE, "first", "x y")
    program.add(OPAQUE, "call", "x")
    program.add(STORE, "second", "x call")
    program.add(LEAVE, "leave", "call")

    assert program.steps() == "first call second leave"


def test_a_loop_is_an_effect(program: Program) -> None:
    """Its body may write, and leave through checkpoints."""
    inner = Block((Value(PY_INT),), [])
    program.add(UFUNC, "a", "x y")
    program.add(FOR, "for", "k k k", blocks=(inner,))
    program.add(UFUNC, "b", "x y")
    program.add(LEAVE, "leave", "a b")

    assert program.steps() == "{n: a -> a} for {n: b -> b} leave"


def test_what_a_region_reads_is_written(program: Program) -> None:
    """Also two regions deep; what it makes itself is its own."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "b", "x y")
    program.add(UFUNC, "unread", "x y")
    outer_values = program.values
    own = Value(array(N))
    innermost = Block((Value(PY_INT),), [Node(UFUNC, (outer_values["a"], own), {}, (own,))])
    loop = Node(FOR, (), {}, (), None, (innermost,))
    body = Block((Value(PY_INT),), [loop], (outer_values["b"],))
    program.add(FOR, "for", "k k k", blocks=(body,))
    program.add(LEAVE, "leave", "for")

    assert program.steps() == "{n: a b unread -> a b} for leave"


def test_results_of_the_block_are_written(program: Program) -> None:
    """The next iteration, or what stands behind the loop, reads them."""
    program.add(UFUNC, "a", "x y")
    program.add(UFUNC, "b", "a y")
    program.block.results = (program.values["a"],)

    assert program.steps() == "{n: a b -> a}"
