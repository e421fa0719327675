"""Finds the first node that a backend computes wrongly, by trying prefixes of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...jit.frozen import dataclass
from ...jit.ir.graph import Block, Exit, Graph, Leaf, Node, Value
from ...jit.ir.ops import LEAVE, Kind
from ...jit.ir.types import ArrayType, Dim, ListType
from ...jit.pipeline import Backend
from .comparison import Comparison
from .memory import copied
from .reference import Marked, answer
from .values import Difference

MAX_ITERATIONS = 10_000
"""Iterations that are tried; beyond that the loop itself is reported."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """A node and the difference in its results."""

    node: Node
    difference: Difference


@dataclass(frozen=True, slots=True)
class Judge:
    """Finds the first node whose value differs; `attribute` as in Backend.compile()."""

    backend: Backend
    attribute: bool

    def first_wrong(self, graph: Graph, values: Sequence[Any]) -> Culprit | None:
        """Return the first wrong node in program order for these parameters; None if there is none.

        Each node in turn becomes the last of the graph. In a region, the graph is a single block,
        and the values are those of an iteration.
        """
        for k, node in enumerate(graph.body.nodes):
            prefix = _prefix(graph, k, values)
            found = None if prefix is None else self.comparison(prefix).difference(values)
            if found is None:
                continue
            inner = _Watching(self, graph, k, values).culprit if node.blocks else None
            return inner or Culprit(found[1] or node, found[0])
        return None

    def comparison(self, graph: Graph) -> Comparison:
        """Return a comparison of the graph under both backends."""
        return Comparison(graph, self.backend, self.attribute)


class _Found(Exception):  # noqa: N818 (control flow, no error)
    """Stops the run once the culprit is found."""


class _Watching(Marked):
    """A reference run that compares each block of a region before running it."""

    def __init__(self, judge: Judge, graph: Graph, k: int, values: Sequence[Any]) -> None:
        super().__init__(dict(zip(graph.params, copied(values), strict=True)), 0)
        self.culprit: Culprit | None = None
        self._judge = judge
        self._region = graph.body.nodes[k]
        self._iterations = 0
        self._comparisons = {
            block: judge.comparison(inner)
            for block in self._region.blocks
            if (inner := _of_block(graph, block)) is not None
        }
        self.over(Graph(graph.params, Block((), graph.body.nodes[: k + 1]), graph.exits), "ignore")

    def _one_iteration(self, block: Block, found: list[Any], outside: dict[Dim, int]) -> Any:
        self._look_at(block, found)
        return super()._one_iteration(block, found, outside)

    def _if(self, node: Node, condition: bool) -> Any:
        self._look_at(node.blocks[0 if condition else 1], [])
        return super()._if(node, condition)

    def _look_at(self, block: Block, found: list[Any]) -> None:
        if block not in self._comparisons:
            return
        comparison = self._comparisons[block]
        known = {**self.values, **dict(zip(block.params, found, strict=True))}
        values = [known.get(param) for param in comparison.graph.params]
        if any(value is None for value in values):
            return  # not defined yet
        wrong = comparison.difference(values)
        if wrong is not None:
            inner = self._judge.first_wrong(comparison.graph, values)
            self.culprit = inner or Culprit(wrong[1] or self._region, wrong[0])
        self._iterations += 1
        if wrong is not None or self._iterations == MAX_ITERATIONS:
            raise _Found


def _prefix(graph: Graph, k: int, values: Sequence[Any]) -> Graph | None:
    """Return the graph up to node k, exiting with that node's results and targets.

    None if there is nothing to hand over.
    """
    nodes = graph.body.nodes[: k + 1]
    shown = [value for value in nodes[-1].outputs if _is_handed_over(value)]
    if nodes[-1].op.kind is Kind.STORE:
        shown += filter(_is_handed_over, nodes[-1].inputs[:1])
    known = {*graph.params, *(value for node in nodes for value in node.outputs)}
    for block in nodes[-1].blocks:  # a region may write to arrays that it reads
        given = (value for value in _used(block) if isinstance(value.type, ArrayType))
        shown += (value for value in given if value in known)
    if nodes[-1].op.ends or nodes[-1].op.is_nullary or not (shown or nodes[-1].blocks):
        return None
    made = _truncated(graph, nodes, shown)
    defined = answer(made, copied(values), 0)
    if defined.exit == len(graph.exits) and defined.error is None:
        return _truncated(graph, nodes, [one for one in shown if defined.state[one] is not None])
    return made


def _truncated(graph: Graph, nodes: list[Node], shown: Iterable[Value]) -> Graph:
    """Return a graph of these nodes with one more exit, at its end, that hands out these values."""
    body = Block((), [*nodes])
    exits = _kept(graph, body)
    body.nodes.append(_leave(exits, shown, _fixed(body)))
    return Graph(graph.params, body, exits, graph.bounds)


def _kept(graph: Graph, block: Block) -> list[Exit]:
    """Return the graph's exits; those not reached from the block hand out nothing."""
    met = {node.attrs["exit"] for node in block.every_node() if "exit" in node.attrs}
    exits = enumerate(graph.exits)
    return [one if k in met else replace(one, pushes=()) for k, one in exits]


def _fixed(block: Block) -> set[Value]:
    """Return values of nodes without operands, which need not be handed out."""
    fixed = (node for node in block.every_node() if node.op.is_nullary)
    return {value for node in fixed for value in node.outputs}


def _leave(exits: list[Exit], shown: Iterable[Value], fixed: set[Value]) -> Node:
    """Append an exit that hands out these values, and return the node that takes it."""
    wanted = (value for value in shown if _is_handed_over(value) and value not in fixed)
    handed = tuple(dict.fromkeys(wanted))
    exits.append(Exit(0, "break", pushes=tuple(map(Leaf, handed))))
    return Node(LEAVE, handed, {"exit": len(exits) - 1}, ())


def _of_block(graph: Graph, block: Block) -> Graph | None:
    """Return one iteration of a block as a graph; None if it needs values no graph can be given."""
    free = [value for value in _used(block) if value not in {*_defined(block)}]
    if not all(map(_is_handed_over, free)):
        return None
    exits = _kept(graph, block)
    fixed = _fixed(block)
    nodes = list(_ending_here(block.nodes, exits, fixed))
    if block.falls_through:
        nodes.append(_leave(exits, block.results, fixed))
    params = (*block.params, *dict.fromkeys(free))
    bounds = {value: bound for value, bound in graph.bounds.items() if value in params}
    return Graph(params, Block((), nodes), exits, bounds)


def _ending_here(nodes: list[Node], exits: list[Exit], fixed: set[Value]) -> Iterator[Node]:
    """Yield the nodes of a body, replacing jumps by exits."""
    for node in nodes:
        if node.op.jump is not None:
            yield _leave(exits, node.inputs, fixed)
        elif node.op.branches:
            blocks = (
                Block(inner.params, list(_ending_here(inner.nodes, exits, fixed)), inner.results)
                for inner in node.blocks
            )
            yield replace(node, blocks=tuple(blocks))
        else:
            yield node


def _used(block: Block) -> Iterator[Value]:
    for node in block.every_node():
        yield from node.inputs
        for inner in node.blocks:
            yield from inner.results
    yield from block.results


def _defined(block: Block) -> Iterator[Value]:
    yield from block.params
    for node in block.every_node():
        yield from node.outputs
        for inner in node.blocks:
            yield from inner.params


def _is_handed_over(value: Value) -> bool:
    return not isinstance(value.type, ListType)
