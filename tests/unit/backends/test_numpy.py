"""The reference runner: op by op, loops, checkpoints, and what an exit hands back."""

from __future__ import annotations

import inspect
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from samples import Array

from framejit import jit
from framejit.backends.numpy import NumpyBackend
from framejit.backends.numpy.backend import Run
from framejit.guards.sources import Live as Source
from framejit.jit.ir.builder import Builder
from framejit.jit.ir.graph import Block, Build, Call, Constant, Exit, Leaf, Live, Recipe, Value
from framejit.jit.ir.indexing import Index, Ref
from framejit.jit.ir.ops import (
    BREAK,
    CHECKPOINT,
    CONTINUE,
    ELEMENT,
    FOR,
    IF,
    OPERATOR,
    OPS,
    REDUCE,
    STORE,
    UFUNC,
    UNDO,
)
from framejit.jit.ir.types import PY_INT, ArrayType, Layout
from framejit.jit.pipeline import Plan

pytestmark = pytest.mark.counts("a hostile mode bails at checkpoints where no test wants it")

Kernel = Callable[..., tuple[int, Any] | None]
X = Source(0, "argument `x`")


def vector(builder: Builder) -> Value:
    """A live-in of five numbers."""
    return builder.param(
        ArrayType(np.dtype(float), (builder.fresh_sym(5),), Layout.contiguous(1)), None
    )


def kernel(builder: Builder, *payloads: Recipe) -> Kernel:
    """Return the backend's kernel for a graph whose live-ins stand in the first slots."""
    slots = range(len(builder.params))
    plan = Plan(builder.graph(), payloads, slots, lambda source: source.index, len(slots), 0, [])
    made = NumpyBackend().compile(plan).python_kernel
    assert made is not None
    return made


def returned(builder: Builder, value: Value) -> Leaf:
    """Ends the graph with this result."""
    leaf = Leaf(value)
    builder.leave(Exit(0, "return", pushes=(leaf,)))
    return leaf


def test_ops_run_in_order() -> None:
    """On the user's own objects, any size."""
    builder = Builder()
    x = vector(builder)
    square = builder.add(UFUNC, (x, x), {"ufunc": np.multiply})
    total = builder.add(REDUCE, (square,), {"ufunc": np.add, "axis": None, "keepdims": False})
    run = kernel(builder, returned(builder, total))

    assert run(np.arange(4.0)) == (0, 14.0)
    assert run(np.arange(5.0)) == (0, 30.0)


def test_payloads() -> None:
    """Every recipe; a live-in handed back is the very object."""
    builder = Builder()
    x = vector(builder)
    twice = Leaf(builder.add(UFUNC, (x, x), {"ufunc": np.add}))
    parts: tuple[Recipe, ...] = (Live(X), twice, Constant("text"), Call(slice, (Constant(3),)))
    builder.leave(Exit(0, "return", pushes=parts))
    payload = Build(
        "tuple",
        (
            Build("list", parts),
            Build("dict", (Constant("a"), twice, Constant("b"), Live(X))),
        ),
    )
    array = np.ones(3)

    result = kernel(builder, payload)(array)
    assert result is not None
    (live, double, text, made), table = result[1]
    assert live is array
    assert list(double) == [2, 2, 2]
    assert (text, made) == ("text", slice(3))
    assert table["a"] is double
    assert table["b"] is array


# ---- loops ---------------------------------------------------------------------------------------


def power_of_two(checkpoints: bool = False) -> Kernel:
    """`for i in range(start, stop, step): x = x + x; s = s + i`, then x and s."""
    builder = Builder()
    numbers = [builder.param(PY_INT, hint) for hint in (0, 3, 1)]
    x = vector(builder)
    zero = builder.const(0)
    i, carried, total = params = (Value(PY_INT), Value(x.type), Value(PY_INT))
    outer = builder.block
    builder.block = block = Block(params, [])
    if checkpoints:
        builder.leave(Exit(1, "bail", pushes=(Leaf(carried), Leaf(i))), CHECKPOINT)
    more = builder.add(UFUNC, (carried, carried), {"ufunc": np.add})
    both = builder.add(OPERATOR, (total, i), {"function": lambda a, b: a + b})
    builder.effect(CONTINUE, (more, both), {})
    builder.block = outer
    last = (Value(x.type), Value(PY_INT))
    builder.region_node(FOR, (*numbers, x, zero), {}, last, (block,), None)
    leaves = tuple(map(Leaf, last))
    builder.leave(Exit(2, "return", pushes=leaves))
    state = [Build("tuple", (Leaf(carried), Leaf(i)))] if checkpoints else []
    return kernel(builder, *state, Build("tuple", leaves))


@pytest.mark.parametrize("numbers", [(0, 3, 1), (0, 1, 1), (5, -2, -3), (2, 9, 4), (3, 3, 1)])
def test_loops(numbers: tuple[int, int, int]) -> None:
    """Each iteration gets what the last one hands over; a loop without any changes nothing."""
    result = power_of_two()(*numbers, np.ones(2))

    assert result is not None
    (x, total), rounds = result[1], range(*numbers)
    assert list(x) == [2.0 ** len(rounds)] * 2
    assert total == sum(rounds)


def search() -> Kernel:
    """`for i in range(n): if x[i] > 2: break`, or a return of -1 where `x[i] == 2`.

    It gives i and 1 where it was left, i and 0 where the range came to its end.
    """
    builder = Builder()
    x, n = vector(builder), builder.param(PY_INT, 3)
    zero, one = builder.const(0), builder.const(1)
    body, found, equal = Block((Value(PY_INT),), []), Block((), []), Block((), [])
    outer, (i,) = builder.block, body.params
    builder.block = body
    index = Index((Ref(0),))
    element = builder.view(ELEMENT, (x, i), {"index": index}, index)
    two = builder.const(2)
    for block, function in ((found, operator.gt), (equal, operator.eq)):
        condition = builder.add(OPERATOR, (element, two), {"function": function})
        builder.region_node(IF, (condition,), {}, (), (block, Block((), [])), None)
    builder.effect(CONTINUE, (), {})
    builder.block = found
    builder.effect(BREAK, (i, builder.const(1)), {})
    builder.block = equal
    builder.leave(Exit(3, "return", pushes=(Leaf(builder.const(-1)),)))
    builder.block = outer
    where, which = Value(PY_INT), Value(PY_INT)
    builder.region_node(FOR, (zero, n, one), {"ended": 0}, (where, which), (body,), None)
    builder.leave(Exit(4, "return", pushes=(Leaf(where), Leaf(which))))
    return kernel(builder, Constant(-1), Build("tuple", (Leaf(where), Leaf(which))))


def test_ways_out_of_a_loop() -> None:
    run = search()

    assert run(np.array([0.0, 5, 1]), 3) == (1, (1, 1))
    assert run(np.array([0.0, 1, 1]), 3) == (1, (None, 0))
    assert run(np.array([0.0, 2, 5]), 3) == (0, -1)
    assert run(np.array([0.0, 1, 1]), 4) is None


def test_what_is_undone() -> None:
    """A bail puts back what was written behind an UNDO."""
    builder = Builder()
    x, y = vector(builder), vector(builder)
    builder.effect(UNDO, (x,), {})
    builder.effect(STORE, (x, y), {"visible": False})
    logarithm = builder.add(UFUNC, (x,), {"ufunc": np.log})
    run = kernel(builder, returned(builder, logarithm))
    x_now: Array = np.full(3, 7.0)

    with np.errstate(all="raise"):
        assert run(x_now, np.zeros(3)) is None
        assert list(x_now) == [7, 7, 7]
        assert run(x_now, np.ones(3)) is not None
    assert list(x_now) == [1, 1, 1]


# ---- leaving -------------------------------------------------------------------------------------


def test_what_raises_goes_back_to_the_start() -> None:
    """Before any effect nothing has happened: eager does it all again, and raises."""
    run = power_of_two()

    assert run(0, 3, 1, {"no": "array"}) is None


def test_reported_flags_go_back_to_the_start() -> None:
    """Whatever eager would report under the errstate of the call; nothing is said here."""
    builder = Builder()
    x = vector(builder)
    run = kernel(builder, returned(builder, builder.add(UFUNC, (x,), {"ufunc": np.log})))
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with np.errstate(divide="warn"):
            assert run(np.zeros(2)) is None
        with np.errstate(divide="ignore"):
            assert run(np.zeros(2)) is not None
        with np.errstate(divide="raise"):
            assert run(np.zeros(2)) is None

    assert shown == []


def test_a_failure_in_a_loop_leaves_at_its_last_checkpoint() -> None:
    """With the state of the iteration that failed, which has not begun."""
    with np.errstate(over="raise"):
        result = power_of_two(checkpoints=True)(0, 9, 1, np.full(2, 1e308 / 4))

    assert result is not None
    number, (x, i) = result
    assert (number, i) == (0, 2)
    assert list(x) == [1e308] * 2


def store_then_fail() -> Kernel:
    """`x[...] = y`, a checkpoint, then the logarithm of x."""
    builder = Builder()
    x, y = vector(builder), vector(builder)
    builder.effect(STORE, (x, y), {"visible": True})
    builder.leave(Exit(1, "bail"), CHECKPOINT)
    logarithm = builder.add(UFUNC, (x,), {"ufunc": np.log})
    return kernel(builder, Constant("after the write"), returned(builder, logarithm))


def test_a_write_happens_once() -> None:
    """Behind it the run leaves where it stands, and never to the start."""
    x: Array = np.ones(3)
    with np.errstate(all="raise"):
        assert store_then_fail()(x, np.zeros(3)) == (0, "after the write")
        assert list(x) == [0, 0, 0]
        number, values = store_then_fail()(x, np.ones(3)) or (None, None)

    assert number == 1
    assert values is not None
    assert list(values) == [0, 0, 0]


def test_every_op_is_run() -> None:
    """By a reference, or by the loop over nodes itself."""
    control = {op.name for op in OPS.values() if op.reference is None}
    source = inspect.getsource(Run._node)
    named = {name for name in control if f"{name.upper()}.name" in source}
    assert control == named


def test_memory_in_common_is_a_bail() -> None:
    """A graph bails if it forbids overlaps, as a masked assignment between two arguments does."""

    def into(a: Any, b: Any, m: Any) -> Any:
        a[m] = b
        return a * 2

    jitted = jit(into, backend="numpy")
    m = np.array([True, False, True])
    jitted(np.arange(3.0), np.ones(2), m)
    assert jitted.stats()["hits"] == 1
    memory = np.arange(4.0)
    assert jitted(memory[:3], memory[1:3], m).tolist() == [2.0, 2.0, 4.0]
    assert jitted.stats()["bails"] == 1
