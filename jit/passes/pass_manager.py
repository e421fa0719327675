"""The lists of passes, and the loop that `jit/pipeline.py` runs them with.

For each pass a record with its time and its count is added to the graph. If the count is not 0, the
graph is printed to the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from ..config import debug_mode
from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node, PassRun
from ..ir.schema import Applies, Effect
from ..ir.text import print_graph
from ..log import log
from .algebra import simplified
from .bails_first import bails_first
from .common import without_common
from .dead import without_dead
from .dead_stores import without_dead_stores
from .functionalize import functionalize
from .hoist import hoist
from .kept_axes import shared_reductions
from .prune import prune
from .sink import sink

if TYPE_CHECKING:
    from .watch import Watch


@dataclass(frozen=True, slots=True)
class Pass:
    """One row of the lists below."""

    name: str
    done: str
    """Word that reports use for the operations that the pass removed or moved."""
    run: Callable[[Graph], Graph]
    counted: Callable[[Node, list[Node]], bool] = lambda node, around: True
    """True for the nodes that are counted before and after the pass; the difference is reported.
    The second argument has the nodes whose regions hold the first."""
    removes: frozenset[Effect] = frozenset()
    """Kinds of effects that the pass may remove; all others keep their order."""
    adds: frozenset[Effect] = frozenset()
    """Kinds of effects that the pass may add."""


def _is_store(node: Node, around: list[Node]) -> bool:
    return node.op.overwrites


def _is_reduction(node: Node, around: list[Node]) -> bool:
    return node.op.applies is Applies.REDUCE


def _is_in_loop(node: Node, around: list[Node]) -> bool:
    return any(one.op.loops for one in around)


def _is_unconditional(node: Node, around: list[Node]) -> bool:
    return not any(one.op.branches for one in around)


def _is_never_counted(node: Node, around: list[Node]) -> bool:
    return False


_WRITES = frozenset({Effect.WRITE})
_HALTS = frozenset({Effect.HALT})

AT_CAPTURE = (
    Pass("functionalize", "functionalized", functionalize, _is_store, removes=_WRITES),
    Pass("prune", "dead", prune, removes=_HALTS | {Effect.LEAVE, Effect.REGION}, adds=_HALTS),
    Pass("hoist", "hoisted", hoist, _is_in_loop),
    Pass("sink", "sunk", sink, _is_unconditional),
)
"""Passes for every backend and every kernel of a graph."""

FOR_KERNELS = (
    Pass("algebra", "simplified", simplified),
    Pass("kept_axes", "common", shared_reductions, _is_reduction),
    Pass("common", "common", without_common),
    Pass(
        "dead_stores",
        "overwritten",
        without_dead_stores,
        _is_store,
        removes=_WRITES | {Effect.CHECKPOINT},
        adds=frozenset({Effect.COMPARE}),
    ),
    Pass("bails_first", "", bails_first, _is_never_counted),
    Pass("dead", "dead", without_dead),
)
"""Passes for all kernels but attributing ones, which need each operation that may raise a flag."""


def run_passes(passes: tuple[Pass, ...], graph: Graph) -> Graph:
    """Run passes in order and return the resulting graph; passes may change the given one."""
    done = dict(graph.done)
    runs = list(graph.runs)
    watch = _watch(graph) if debug_mode("strict") else None
    for one in passes:
        nodes, counted = _size(graph), _count(one, graph)
        began = perf_counter()
        graph = one.run(graph)
        seconds = perf_counter() - began
        if watch is not None:
            watch.check(one, graph)
        number = counted - _count(one, graph)
        runs.append(PassRun(one.name, one.done, number, nodes, _size(graph), seconds))
        if number:
            done[one.done] = done.get(one.done, 0) + number
            log("passes", "%d %s:\n%s", number, one.done, _Text(graph))
    return replace(graph, done=done, runs=tuple(runs))


def _size(graph: Graph) -> int:
    return sum(1 for _ in graph.nodes())


def _watch(graph: Graph) -> Watch:
    """Return a checker for strict mode; the verifier is imported only here."""
    from .watch import Watch

    return Watch(graph)


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a graph, computed only if the log record is printed."""

    graph: Graph

    def __str__(self) -> str:
        return print_graph(self.graph)


def _count(one: Pass, graph: Graph) -> int:
    return sum(one.counted(node, around) for node, around in _nodes(graph.body, []))


def _nodes(block: Block, around: list[Node]) -> Iterator[tuple[Node, list[Node]]]:
    for node in block.nodes:
        yield node, around
        for inner in node.blocks:
            yield from _nodes(inner, [*around, node])
