"""Sinking: in, a graph; out, the same graph with numbers computed only on the way that needs them.

`best, where = here, kind` under an `if` is all that reads the kind of `here`, which is made in each
turn of the loop. What may be removed where nobody reads it may go to the one arm of a branch that
reads it; LLVM does not take more than an instruction or two there. (Partially dead code, Knoop,
Rüthing and Steffen, PLDI 1994; here for regions, where it takes one pass from the end.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import IF, OPERATOR
from .prune import is_removable


def sink(graph: Graph) -> Graph:
    """The graph, which is changed, with fewer numbers on its common ways."""
    uses = _Uses()
    uses.collect(graph.body)
    _sink(graph.body, uses)
    return graph


@dataclass(slots=True)
class _Uses:
    """Where values are read, and how blocks stand in each other."""

    places: dict[Value, list[Block]] = field(default_factory=dict)
    around: dict[Block, tuple[Block, Node]] = field(default_factory=dict)
    """The block that a block's node stands in, and the node."""

    def collect(self, block: Block) -> None:
        """Of a block and those in it."""
        for node in block.nodes:
            self.read(node.inputs, block)
            for inner in node.blocks:
                self.around[inner] = block, node
                self.collect(inner)
        self.read(block.results, block)

    def read(self, values: Iterable[Value], place: Block) -> None:
        """Some values are read in a block."""
        for value in values:
            self.places.setdefault(value, []).append(place)

    def arm(self, values: Iterable[Value], block: Block) -> Block | None:
        """The one arm of a branch in the block that reads them all; None where others do too."""
        places = (place for value in values for place in self.places.get(value, ()))
        found = {self._below(place, block) for place in places}
        if len(found) != 1:
            return None
        (one,) = found
        return one if one is not block and self.around[one][1].op is IF else None

    def _below(self, place: Block, block: Block) -> Block:
        """What holds a place: the block itself, or one that stands in a node of it."""
        while place is not block and self.around[place][0] is not block:
            place = self.around[place][0]
        return place

    def move(self, node: Node, place: Block, to: Block) -> None:
        """A node is computed in another block."""
        for value in node.inputs:
            self.places[value].remove(place)
        self.read(node.inputs, to)


def _sink(block: Block, uses: _Uses) -> None:
    moved: set[Node] = set()
    for node in reversed(block.nodes):
        if node.op is OPERATOR and is_removable(node):
            arm = uses.arm(node.outputs, block)
            if arm is not None:
                arm.nodes.insert(0, node)
                uses.move(node, block, arm)
                moved.add(node)
    block.nodes[:] = [node for node in block.nodes if node not in moved]
    for node in block.nodes:
        for inner in node.blocks:
            _sink(inner, uses)
