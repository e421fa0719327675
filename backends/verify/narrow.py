"""Which node is the first that a backend gets wrong: prefixes of the graph, turns of its loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...jit.frozen import dataclass
from ...jit.ir.graph import Block, Exit, Graph, Leaf, Node, Value
from ...jit.ir.ops import BREAK, CONST, CONTINUE, ENDS, IF, LEAVE, UNDEFINED, Kind
from ...jit.ir.types import ArrayType, Dim, ListType
from ...jit.pipeline import Backend
from .memory import copied
from .reference import Marked, answer
from .trial import Trial
from .values import Difference

MAX_TURNS = 10_000
"""Turns of a loop that are looked at; beyond them the loop itself is named."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """A node, and what is wrong with it."""

    node: Node
    difference: Difference


@dataclass(frozen=True, slots=True)
class Judge:
    """Finds the first node whose value differs; `attribute` as in Backend.compile()."""

    backend: Backend
    attribute: bool

    def first_wrong(self, graph: Graph, values: Sequence[Any]) -> Culprit | None:
        """The first one in program order, with these values of the parameters.

        Each node in turn is made the last of the graph. Within a region the graph is that of one
        block, and the values are those of the turn. None where no prefix differs by itself.
        """
        for k, node in enumerate(graph.body.nodes):
            prefix = _prefix(graph, k, values)
            found = None if prefix is None else self.trial(prefix).difference(values)
            if found is None:
                continue
            inner = _Watching(self, graph, k, values).culprit if node.blocks else None
            return inner or Culprit(found[1] or node, found[0])
        return None

    def trial(self, graph: Graph) -> Trial:
        """The graph, to be compared."""
        return Trial(graph, self.backend, self.attribute)


class _Found(Exception):  # noqa: N818
    """Nothing more has to be run."""


class _Watching(Marked):
    """A run of the reference that has each block of a region judged before it is run."""

    def __init__(self, judge: Judge, graph: Graph, k: int, values: Sequence[Any]) -> None:
        super().__init__(dict(zip(graph.params, copied(values), strict=True)), 0)
        self.culprit: Culprit | None = None
        self._judge = judge
        self._region = graph.body.nodes[k]
        self._turns = 0
        self._trials = {
            block: judge.trial(inner)
            for block in self._region.blocks
            if (inner := _of_block(graph, block)) is not None
        }
        self.over(Graph(graph.params, Block((), graph.body.nodes[: k + 1]), graph.exits), "ignore")

    def _one_turn(self, block: Block, found: list[Any], outside: dict[Dim, int]) -> Any:
        self._look_at(block, found)
        return super()._one_turn(block, found, outside)

    def _if(self, node: Node, condition: bool) -> Any:
        self._look_at(node.blocks[0 if condition else 1], [])
        return super()._if(node, condition)

    def _look_at(self, block: Block, found: list[Any]) -> None:
        if block not in self._trials:
            return
        trial = self._trials[block]
        known = {**self.values, **dict(zip(block.params, found, strict=True))}
        values = [known.get(param) for param in trial.graph.params]
        if any(value is None for value in values):
            return  # not defined yet
        wrong = trial.difference(values)
        if wrong is not None:
            inner = self._judge.first_wrong(trial.graph, values)
            self.culprit = inner or Culprit(wrong[1] or self._region, wrong[0])
        self._turns += 1
        if wrong is not None or self._turns == MAX_TURNS:
            raise _Found


def _prefix(graph: Graph, k: int, values: Sequence[Any]) -> Graph | None:
    """The graph up to node k, left with what that node gives and writes to; None without these."""
    nodes = graph.body.nodes[: k + 1]
    shown = [value for value in nodes[-1].outputs if _is_handed_over(value)]
    if nodes[-1].op.kind is Kind.STORE:
        shown += filter(_is_handed_over, nodes[-1].inputs[:1])
    known = {*graph.params, *(value for node in nodes for value in node.outputs)}
    for block in nodes[-1].blocks:  # what it is given it may write to
        given = (value for value in _used(block) if isinstance(value.type, ArrayType))
        shown += (value for value in given if value in known)
    if nodes[-1].op in (CONST, UNDEFINED, *ENDS) or not (shown or nodes[-1].blocks):
        return None
    made = _leaving(graph, nodes, shown)
    defined = answer(made, copied(values), 0)
    if defined.exit == len(graph.exits) and defined.error is None:
        return _leaving(graph, nodes, [one for one in shown if defined.state[one] is not None])
    return made


def _leaving(graph: Graph, nodes: list[Node], shown: Iterable[Value]) -> Graph:
    """A graph of these nodes, with one more way out: at their end, with these values."""
    body = Block((), [*nodes])
    exits = _kept(graph, body)
    body.nodes.append(_leave(exits, shown, _fixed(body)))
    return Graph(graph.params, body, exits, graph.bounds)


def _kept(graph: Graph, block: Block) -> list[Exit]:
    """The exits of a graph; those that a block does not come to need nothing."""
    met = {node.attrs["exit"] for node in block.every_node() if "exit" in node.attrs}
    exits = enumerate(graph.exits)
    return [one if k in met else replace(one, pushes=()) for k, one in exits]


def _fixed(block: Block) -> set[Value]:
    """Values that are no result of anything: nobody has to hand them over."""
    fixed = (node for node in block.every_node() if node.op in (CONST, UNDEFINED))
    return {value for node in fixed for value in node.outputs}


def _leave(exits: list[Exit], shown: Iterable[Value], fixed: set[Value]) -> Node:
    """Leaves through an exit of its own, which is appended."""
    wanted = (value for value in shown if _is_handed_over(value) and value not in fixed)
    handed = tuple(dict.fromkeys(wanted))
    exits.append(Exit(0, "break", pushes=tuple(map(Leaf, handed))))
    return Node(LEAVE, handed, {"exit": len(exits) - 1}, ())


def _of_block(graph: Graph, block: Block) -> Graph | None:
    """One pass of a block; None where it takes what no graph is given from outside."""
    free = [value for value in _used(block) if value not in {*_defined(block)}]
    if not all(map(_is_handed_over, free)):
        return None
    exits = _kept(graph, block)
    fixed = _fixed(block)
    nodes = list(_ending_here(block.nodes, exits, fixed))
    if block.goes_on:
        nodes.append(_leave(exits, block.results, fixed))
    params = (*block.params, *dict.fromkeys(free))
    bounds = {value: bound for value, bound in graph.bounds.items() if value in params}
    return Graph(params, Block((), nodes), exits, bounds)


def _ending_here(nodes: list[Node], exits: list[Exit], fixed: set[Value]) -> Iterator[Node]:
    """The nodes of a body, which leave the graph where they would end the turn."""
    for node in nodes:
        if node.op in (CONTINUE, BREAK):
            yield _leave(exits, node.inputs, fixed)
        elif node.op is IF:
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
