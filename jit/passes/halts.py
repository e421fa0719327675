"""Finds the loops of a graph that may be halted, and the exits taken when they are.

The exit of a halted loop passes on the state for the next iteration. Values needed only there must
be cheap and must not bail: see prune.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import HALTED, IF, LOOP
from ..ir.schema import Attrs
from .clusters import free_values

NO_TURN: Attrs = {"whole_by": "no turn"}
"""Attribute of a HALTED after which eager may lack locals."""


@dataclass(frozen=True, eq=False, slots=True)
class Halt:
    """A loop that may be halted, with the nodes after it that handle this."""

    loop: Node
    look: Node
    """The HALTED node."""
    leaves: Node
    """The IF node that leaves the segment if the loop was halted."""

    @property
    def handed(self) -> tuple[Value, ...]:
        """Return the results of a LOOP that exist only for its halt, one for each state value."""
        count = len(self.loop.state) if self.loop.op is LOOP else 0
        return self.loop.outputs[len(self.loop.outputs) - count :]

    @property
    def inside(self) -> set[Value]:
        """Return all values read or defined in the branch that leaves."""
        nodes = [node for block in self.leaves.blocks for node in block.every_node()]
        return {value for node in nodes for value in (*node.inputs, *node.outputs)}

    @property
    def reads(self) -> set[Value]:
        """Return the values from outside that the exit needs."""
        given = {value for block in self.leaves.blocks for value in free_values(block)}
        return given - {*self.look.outputs}

    @property
    def notes(self) -> list[Value] | None:
        """Return the state values that say which locals are assigned.

        None if there is no such state.
        """
        loop = self.loop
        outputs = self.handed if loop.op is LOOP else loop.outputs[: len(loop.state)]
        params = dict(zip(outputs, loop.state, strict=True))
        found = [params[value] for value in self.look.inputs if value in params]
        return found if len(found) == len(self.look.inputs) else None

    def handed_on(self, needed: Container[Value]) -> set[Value]:
        """Return the halt-only results whose state value is in `needed`."""
        pairs = zip(self.handed, self.loop.state, strict=False)
        return {value for value, param in pairs if param in needed}


def halts_in(block: Block) -> Iterator[Halt]:
    """Yield the halts of a block and of nested blocks."""
    loop = look = None
    for node in block.nodes:
        if node.op.loops:
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
    """Yield the loops of a block and its branches, but not loops inside loops."""
    for node in block.nodes:
        if node.op.loops:
            yield node
        else:
            for inner in node.blocks:
                yield from outermost(inner)


def without_unused_exits(graph: Graph) -> Graph:
    """Return the graph without exits that no node leads to any more."""
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
