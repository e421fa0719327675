"""Finds the loops of a graph that may be halted between two iterations, and the exits for that.

Such an exit hands on the state for the next iteration, and eager continues at the loop's header.
`prune.py` drops it if values would have to be computed for it alone that are not cheap.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..frozen import dataclass
from ..ir.graph import Block, Node, Value
from ..ir.schema import Attrs, Effect
from .clusters import free_values

NEVER_ALL_LOCALS: Attrs = {"locals_after": "never"}
"""Attributes of a HALTED after which eager may lack locals, however many iterations it repeats."""


@dataclass(frozen=True, eq=False, slots=True)
class Halt:
    """A loop that may be halted, with the nodes after it that handle this."""

    loop: Node
    halted: Node
    """The HALTED node, which tests if the loop was halted."""
    branch: Node
    """The IF node on that test, which leaves the segment."""

    @property
    def results(self) -> tuple[Value, ...]:
        """Return the results that a LOOP has only for its halt: one for each value of its state."""
        count = 0 if self.loop.op.counted else len(self.loop.state)
        return self.loop.outputs[len(self.loop.outputs) - count :]

    @property
    def values(self) -> set[Value]:
        """Return all values read or defined in the branch."""
        nodes = [node for block in self.branch.blocks for node in block.every_node()]
        return {value for node in nodes for value in (*node.inputs, *node.outputs)}

    @property
    def reads(self) -> set[Value]:
        """Return the values from outside that the branch reads."""
        read = {value for block in self.branch.blocks for value in free_values(block)}
        return read - {*self.halted.outputs}

    @property
    def notes(self) -> list[Value] | None:
        """Return the state values that record which locals iterations have assigned.

        They are the inputs of HALTED, see `assigned.py`. None if an input is not loop state.
        """
        loop = self.loop
        outputs = loop.outputs[: len(loop.state)] if loop.op.counted else self.results
        params = dict(zip(outputs, loop.state, strict=True))
        found = [params[value] for value in self.halted.inputs if value in params]
        return found if len(found) == len(self.halted.inputs) else None

    def results_of(self, needed: Container[Value]) -> set[Value]:
        """Return those of `results` whose state value is needed."""
        pairs = zip(self.results, self.loop.state, strict=False)
        return {value for value, param in pairs if param in needed}


def halts_in(block: Block) -> Iterator[Halt]:
    """Yield the halts of a block and of nested blocks."""
    loop = halted = None
    for node in block.nodes:
        if node.op.loops:
            loop = node
        elif node.op.effect is Effect.HALT:
            halted = node
        elif node.op.branches and halted is not None and node.inputs[0] is halted.outputs[0]:
            assert loop is not None, "HALTED follows its loop"
            yield Halt(loop, halted, node)
            halted = None
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
