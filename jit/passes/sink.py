"""Sinking: moves numbers into the only branch that reads them.

If `kind` is read only in `if ...: best, where = here, kind`, it need not be computed in iterations
that do not take the branch. A removable node whose readers are all in one branch moves there; LLVM
sinks no more than one or two instructions. (Partially dead code, Knoop, Rüthing and Steffen, PLDI
1994; with structured regions one pass from the end suffices.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..analysis.side_effects import is_removable
from ..ir.graph import Block, Graph, Node, Value
from ..ir.schema import Applies


def sink(graph: Graph) -> Graph:
    """Return the same graph, changed in place, with numbers moved into branches."""
    uses = _Uses()
    uses.collect(graph.body)
    _sink(graph.body, uses)
    return graph


@dataclass(slots=True)
class _Uses:
    """The blocks that read each value, and the nesting of blocks."""

    places: dict[Value, list[Block]] = field(default_factory=dict)
    """The block of each read of a value."""
    around: dict[Block, tuple[Block, Node]] = field(default_factory=dict)
    """The enclosing block of each block, and the node that holds it."""

    def collect(self, block: Block) -> None:
        """Record the reads in a block and in nested blocks."""
        for node in block.nodes:
            self.read(node.inputs, block)
            for inner in node.blocks:
                self.around[inner] = block, node
                self.collect(inner)
        self.read(block.results, block)

    def read(self, values: Iterable[Value], place: Block) -> None:
        """Record that a block reads these values."""
        for value in values:
            self.places.setdefault(value, []).append(place)

    def only_branch(self, values: Iterable[Value], block: Block) -> Block | None:
        """Return the branch, directly in `block`, that contains all reads of these values.

        None if there is no such branch.
        """
        places = (place for value in values for place in self.places.get(value, ()))
        found = {self._below(place, block) for place in places}
        if len(found) != 1:
            return None
        (one,) = found
        return one if one is not block and self.around[one][1].op.branches else None

    def _below(self, place: Block, block: Block) -> Block:
        """Return `block`, or the block directly in one of its nodes, that contains `place`."""
        while place is not block and self.around[place][0] is not block:
            place = self.around[place][0]
        return place

    def move(self, node: Node, place: Block, to: Block) -> None:
        """Record that a node now belongs to another block."""
        for value in node.inputs:
            self.places[value].remove(place)
        self.read(node.inputs, to)


def _sink(block: Block, uses: _Uses) -> None:
    moved: set[Node] = set()
    for node in reversed(block.nodes):
        if node.op.applies is Applies.NUMBERS and is_removable(node):
            branch = uses.only_branch(node.outputs, block)
            if branch is not None:
                branch.nodes.insert(0, node)
                uses.move(node, block, branch)
                moved.add(node)
    block.nodes[:] = [node for node in block.nodes if node not in moved]
    for node in block.nodes:
        for inner in node.blocks:
            _sink(inner, uses)
