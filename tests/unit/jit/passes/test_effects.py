"""Strict mode names the pass that breaks a graph: passes that are wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import framejit
from framejit.jit.config import SETTINGS
from framejit.jit.ir.graph import Block, Graph, Node, Value
from framejit.jit.ir.ops import BAIL, CHECKPOINT, DISJOINT, FOR, IF, REDUCE, STORE, UFUNC, UNDO, Op
from framejit.jit.ir.schema import Effect
from framejit.jit.ir.types import ArrayType, Layout
from framejit.jit.ir.verify import MalformedGraphError
from framejit.jit.passes.effects import NO_EFFECTS, EffectNode, first_fault
from framejit.jit.passes.pass_manager import AT_CAPTURE, FOR_KERNELS, Pass, run_passes

pytestmark = pytest.mark.counts("which segments there are")

ROWS = {one.name: one for one in (*AT_CAPTURE, *FOR_KERNELS)}
X = np.arange(5.0)


def stores(x, y):
    x[:] = y * 2.0
    y[:] = x + 1.0
    return x


def two_stores(x, y):
    x[:] = 1.0
    y[:] = 2.0


def reads(x):
    x[:] = 1.0
    return x.sum()


def reads_in_a_loop(x, n):
    for _ in range(n):
        x[0] = x.sum()
    return n


def branches(x, n):
    if n > 3:
        x[0] = 1.0
        n = n * 2
    else:
        x[1] = 2.0
    return n + len(x)


def stores_in_branches(x, n):
    if n > 3:
        x[0] = 1.0
    x[1] = 2.0
    return n


def captured(program: Callable[..., Any], *arguments: Any) -> Graph:
    """The graph of a program, as it goes to the backend."""
    jitted = framejit.jit(program, backend="numpy")
    jitted(*arguments)
    (entry,) = jitted._manager.entries
    return entry.captured.graph


def said_of(name: str, graph: Graph, change: Callable[[Graph], Graph]) -> str:
    """Return strict mode's message when the pass is replaced by `change`."""
    one = replace(ROWS[name], run=change)
    with pytest.raises(MalformedGraphError) as raised:
        run_passes((one,), graph)
    message = str(raised.value)
    assert message.startswith(f"the pass {name!r} made a malformed graph: ")
    return message.split(": ", 1)[1]


def nodes_of(graph: Graph, op: Op) -> list[Node]:
    return [node for node in graph.nodes() if node.op is op]


def with_node(graph: Graph, old: Node, *new: Node) -> Graph:
    """The graph with other nodes in the place of one."""

    def changed(block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            if node is old:
                nodes += new
            else:
                inner = tuple(map(changed, node.blocks))
                nodes.append(replace(node, blocks=inner) if inner else node)
        return Block(block.params, nodes, block.results)

    return replace(graph, body=changed(graph.body))


def test_an_input_is_dropped() -> None:
    """The op's row has their number."""
    graph = captured(stores, X.copy(), X.copy())
    first, _ = nodes_of(graph, STORE)
    after = with_node(graph, first, replace(first, inputs=first.inputs[1:]))
    said = said_of("algebra", graph, lambda graph: after)
    assert said.startswith("inputs: expected 2, found 1\n  at: store(")


def test_a_dtype_is_changed() -> None:
    """NumPy gives doubles."""
    graph = captured(stores, X.copy(), X.copy())
    (first, _) = nodes_of(graph, UFUNC)

    def change(graph: Graph) -> Graph:
        type_ = first.outputs[0].type
        first.outputs[0].type = replace(type_, dtype=np.dtype("f4"))
        return graph

    said = said_of("algebra", graph, change)
    assert said.startswith("types: expected float64[?] (d), found float32[s0]\n  at: %3 = ufunc(")


def test_a_value_of_the_other_branch_is_read() -> None:
    """The verifier refuses a value of one branch that is read in the other."""
    graph = captured(branches, X.copy(), 5)
    (branch,) = nodes_of(graph, IF)
    first, second = branch.blocks

    def change(graph: Graph) -> Graph:
        second.results = first.results
        return graph

    said = said_of("common", graph, change)
    assert said.startswith("dominance: yield 0 is of another block\n  at: ")


MOVED = "was moved; effects stay in their order and in their blocks\n  at: store("


@pytest.mark.parametrize("name", ["functionalize", "common", "bails_first", "dead_stores"])
def test_two_stores_are_swapped(name: str) -> None:
    """Also by passes that may leave stores out."""
    graph = captured(two_stores, X.copy(), X.copy())
    pure = [node for node in graph.body.nodes if node.op.effect is None]
    effects = [node for node in graph.body.nodes if node.op.effect is not None]
    first, second = (place for place, node in enumerate(effects) if node.op is STORE)
    effects[first], effects[second] = effects[second], effects[first]
    after = replace(graph, body=Block((), [*pure, *effects]))
    said = said_of(name, graph, lambda graph: after)
    assert said.startswith(f"effects: a write to memory {MOVED}")


def test_a_store_moves_to_the_other_branch() -> None:
    """A pass exchanges the branches, and not the condition."""
    graph = captured(stores_in_branches, X.copy(), 5)
    (branch,) = nodes_of(graph, IF)
    after = with_node(graph, branch, replace(branch, blocks=branch.blocks[::-1]))
    said = said_of("bails_first", graph, lambda graph: after)
    assert said.startswith(f"effects: a write to memory {MOVED}")


def test_a_read_is_moved_across_a_write() -> None:
    """The sum is that of the written items."""
    graph = captured(reads, X.copy())
    (total,) = nodes_of(graph, REDUCE)
    (write,) = nodes_of(graph, STORE)
    after = with_node(with_node(graph, total), write, total, write)
    said = said_of("common", graph, lambda graph: after)
    assert said.startswith(
        "reads: expected it after the same write, in the same block\n  at: %2 = reduce("
    )


def test_a_read_is_moved_out_of_a_loop_that_writes() -> None:
    """Each iteration reads items that the one before has written."""
    graph = captured(reads_in_a_loop, X.copy(), 3)
    (total,) = nodes_of(graph, REDUCE)
    after = with_node(graph, total)
    (bare,) = nodes_of(after, FOR)
    after = with_node(after, bare, total, bare)
    said = said_of("hoist", graph, lambda graph: after)
    assert said.startswith("reads: expected it after the same write, in the same block\n  at: ")


def test_a_read_stays_where_the_write_before_it_is_removed() -> None:
    """It is behind the write before that one, then."""
    graph = captured(stores, X.copy(), X.copy())
    first, _ = nodes_of(graph, STORE)
    after = with_node(graph, first)
    run_passes((replace(ROWS["functionalize"], run=lambda graph: after),), graph)


def test_a_store_is_removed() -> None:
    """By a pass that may not; one that may is dead_stores."""
    graph = captured(stores, X.copy(), X.copy())
    _, second = nodes_of(graph, STORE)
    after = with_node(graph, second)
    said = said_of("common", graph, lambda graph: after)
    assert said.startswith(
        "effects: a write to memory was removed; the pass may remove none\n  at: store("
    )
    run_passes((replace(ROWS["dead_stores"], run=lambda graph: after),), graph)


def test_a_checkpoint_is_removed() -> None:
    """By a pass that may remove stores only."""
    graph = captured(stores, X.copy(), X.copy())
    after = graph
    for node in nodes_of(graph, CHECKPOINT):
        after = with_node(after, node)
    said = said_of("functionalize", graph, lambda graph: after)
    assert said.startswith(
        "effects: a checkpoint was removed; the pass may remove a write to memory\n"
        "  at: checkpoint("
    )


def test_an_effect_is_added() -> None:
    """A comparison of memory, by a pass that may not."""
    graph = captured(stores, X.copy(), X.copy())
    first, _ = nodes_of(graph, STORE)
    after = with_node(graph, first, Node(DISJOINT, graph.params, {}, ()), first)
    said = said_of("hoist", graph, lambda graph: after)
    assert said.startswith("effects: a comparison of memory was added; the pass may add none\n")
    run_passes((replace(ROWS["dead_stores"], run=lambda graph: after),), graph)


def test_a_branch_that_only_stores_may_go_with_its_stores() -> None:
    """The pass may remove stores; a bail in the branch has to stay."""
    graph = captured(stores_in_branches, X.copy(), 5)
    (branch,) = nodes_of(graph, IF)
    without = with_node(graph, branch)
    run_passes((replace(ROWS["functionalize"], run=lambda graph: without),), graph)
    bails = replace(branch, blocks=(Block((), [Node(BAIL, (), {}, ())]), Block((), [])))
    bailing = with_node(graph, branch, bails)
    said = said_of("functionalize", bailing, lambda graph: without)
    assert said.startswith("effects: a region was removed")


def test_a_graph_that_nothing_has_run_on_is_captures_fault() -> None:
    """It is verified before the first pass."""
    x = Value(ArrayType(X.dtype, (5,), Layout.contiguous(1)))
    undefined = Graph((), Block((), [Node(UNDO, (x,), {}, ())]))
    with pytest.raises(MalformedGraphError, match=r"^capture made a malformed graph: dominance: "):
        run_passes((Pass("none", "", lambda graph: graph),), undefined)


def test_without_strict_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user does not pay for it."""
    graph = captured(stores, X.copy(), X.copy())
    after = with_node(graph, nodes_of(graph, STORE)[0])
    monkeypatch.setitem(SETTINGS, "debug", ())
    run_passes((replace(ROWS["common"], run=lambda graph: after),), graph)


def test_an_exit_goes_with_what_leads_to_it() -> None:
    """A list that only the exit of a halted loop hands on is made in the branch that leaves."""

    def step(effect: Effect, *inner: EffectNode) -> EffectNode:
        node: Any = SimpleNamespace(op=SimpleNamespace(effect=effect))
        return EffectNode(node, (inner,) if inner else (), (effect, len(inner)))  # type: ignore[arg-type]

    draw, leave, store = map(step, (Effect.DRAW, Effect.LEAVE, Effect.WRITE))
    exits = frozenset({Effect.LEAVE, Effect.REGION})
    assert first_fault((step(Effect.REGION, draw, leave),), (), exits, NO_EFFECTS) is None
    assert first_fault((step(Effect.REGION, draw, store),), (), exits, NO_EFFECTS) is not None
    assert first_fault((step(Effect.REGION, draw, leave),), (), NO_EFFECTS, NO_EFFECTS) is not None
