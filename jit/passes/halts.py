"""Loops of a graph that may be halted, each with what stands behind it for that.

The exit of a halted loop hands over what the next turn finds. What it needs and nobody else does
has to be cheap, and must not be able to bail: see prune.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import FOR, HALTED, IF, LOOP
from ..ir.schema import Attrs
from .clusters import free_values

NO_TURN: Attrs = {"whole_by": "no turn"}
"""Of one behind which eager may lack locals."""


@dataclass(frozen=True, eq=False, slots=True)
class Halt:
    """One of them."""

    loop: Node
    look: Node
    """Whether it was halted."""
    leaves: Node
    """What is done then."""

    @property
    def handed(self) -> tuple[Value, ...]:
        """The results of a `while` that are there for nothing else, one for each of its state."""
        count = len(self.loop.state) if self.loop.op is LOOP else 0
        return self.loop.outputs[len(self.loop.outputs) - count :]

    @property
    def inside(self) -> set[Value]:
        """What is read and made where it leaves."""
        nodes = [node for block in self.leaves.blocks for node in block.every_node()]
        return {value for node in nodes for value in (*node.inputs, *node.outputs)}

    @property
    def reads(self) -> set[Value]:
        """What the exit needs."""
        given = {value for block in self.leaves.blocks for value in free_values(block)}
        return given - {*self.look.outputs}

    @property
    def notes(self) -> list[Value] | None:
        """What in the state of the loop says which locals are assigned; None: nothing does."""
        loop = self.loop
        outputs = self.handed if loop.op is LOOP else loop.outputs[: len(loop.state)]
        params = dict(zip(outputs, loop.state, strict=True))
        found = [params[value] for value in self.look.inputs if value in params]
        return found if len(found) == len(self.look.inputs) else None

    def handed_on(self, needed: Container[Value]) -> set[Value]:
        """Of these, those whose state is needed."""
        pairs = zip(self.handed, self.loop.state, strict=False)
        return {value for value, param in pairs if param in needed}


def halts_in(block: Block) -> Iterator[Halt]:
    """Those of a block and of the blocks in it."""
    loop = look = None
    for node in block.nodes:
        if node.op in (FOR, LOOP):
            loop = node
        elif node.op is HALTED:
            look = node
        elif node.op is IF and look is not None and node.inputs[0] is look.outputs[0]:
            assert loop is not None, "it stands behind its loop"
            yield Halt(loop, look, node)
            look = None
        for inner in node.blocks:
            yield from halts_in(inner)


def outermost(block: Block) -> Iterator[Node]:
    """The loops of a block and of its branches, but not those in loops."""
    for node in block.nodes:
        if node.op in (FOR, LOOP):
            yield node
        else:
            for inner in node.blocks:
                yield from outermost(inner)


def without_unused_exits(graph: Graph) -> Graph:
    """The graph with no exits but those that its nodes lead to."""
    used = {node.attrs["exit"] for node in graph.nodes() if "exit" in node.attrs}
    if len(used) == len(graph.exits):
        return graph
    kept = sorted(used)
    numbers = {old: new for new, old in enumerate(kept)}
    exits = [graph.exits[number] for number in kept]
    return replace(graph, body=_renumbered(graph.body, numbers), exits=exits)


def _renumbered(block: Block, numbers: Mapping[int, int]) -> Block:
    nodes = []
    for node in block.nodes:
        attrs = node.attrs
        if "exit" in attrs:
            attrs = {**attrs, "exit": numbers[attrs["exit"]]}
        inner = tuple(_renumbered(one, numbers) for one in node.blocks)
        nodes.append(replace(node, attrs=attrs, blocks=inner))
    return Block(block.params, nodes, block.results)
