"""Numbers of loops that LLVM must compute anyway, because something derived from them is stored.

LLVM could drop other numbers, or move them after the loop or into the branch that reads them, and
flags that eager reports would be lost: such numbers are pinned. Loops with pinned numbers are not
vectorised; those that are vectorised are loops that store.
"""

from __future__ import annotations

from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.ops import Kind
from ....jit.ir.primitives import Linear, of_node
from ....jit.ir.types import ArrayType, ScalarType, Sym
from ..numbers.known import Known
from .constant_to_llvm import keeps_all, reports_flags


class FlagBarriers:
    """Answers the question for one graph."""

    def __init__(self, graph: Graph, known: Known) -> None:
        self._known = known
        self.found: set[Value] = set()
        """Numbers on which a store to memory in the same block depends."""
        self.moving: set[Node] = set()
        """Loops in which each iteration stores one step further on."""
        self._mark(graph.body, None, set(), set())

    def _mark(self, block: Block, loop: Node | None, inside: set[Value], later: set[Value]) -> None:
        """Mark a block; `inside` has values made in its loop, `later` arrays stored to later."""
        inside.update(value for node in block.nodes for value in node.outputs)
        found: set[Value] = set()
        for node in reversed(block.nodes):
            if node.op.overwrites:
                root = self._root(node.inputs[0])
                if loop is not None and self._moves(node, loop, inside):
                    self.moving.add(loop)
                    if root not in later and self._lasts(root):
                        found.add(node.inputs[1])
                later.add(root)
            elif node.op.kind is Kind.STORE:
                later.update(map(self._root, node.inputs[:1]))
            elif node.op.branches:
                sides = [{*later} for _ in node.blocks]
                for inner, behind in zip(node.blocks, sides, strict=True):
                    self._mark(inner, loop, inside, behind)
                later.update(*sides)
            elif node.op.loops:
                self._mark(node.blocks[0], node, {*node.blocks[0].params}, later)
            elif not found.isdisjoint(node.outputs):
                found.update(self._needed_by(node))
        self.found |= found

    # ---- stores ----------------------------------------------------------------------------------

    def _root(self, array: Value) -> Value:
        """Return the array that a view is of."""
        maker = self._known.makers.get(array)
        while maker is not None and maker.op.kind is Kind.VIEW:
            array = maker.inputs[0]
            maker = self._known.makers.get(array)
        return array

    def _lasts(self, array: Value) -> bool:
        """True if the array's length is unknown, so that LLVM cannot unroll loops over it."""
        type_ = array.type
        return isinstance(type_, ArrayType) and any(isinstance(dim, Sym) for dim in type_.dims)

    def _moves(self, store: Node, loop: Node, inside: set[Value]) -> bool:
        """True if the next iteration stores to another item."""
        maker = self._known.makers.get(store.inputs[0])
        if maker is None or not maker.op.indexes:
            return False
        return any(self._varies(number, loop, inside) for number in maker.inputs[1:])

    def _varies(self, number: Value, loop: Node, inside: set[Value]) -> bool:
        """True if an index changes in each iteration."""
        if number in loop.blocks[0].params:
            return True
        maker = self._known.makers.get(number)
        if maker is None or number not in inside:
            return False
        if of_node(maker).linear not in (Linear.SUM, Linear.DIFFERENCE):
            return False
        here = [value for value in maker.inputs if value in inside]
        return len(here) == 1 and self._varies(here[0], loop, inside)

    # ---- what is made of a number ----------------------------------------------------------------

    def _needed_by(self, node: Node) -> tuple[Value, ...]:
        """Return the inputs that LLVM cannot avoid computing to get the node's result."""
        if not isinstance(node.outputs[0].type, ScalarType) or node.op.kind is Kind.CONTROL:
            return ()
        if not (keeps_all(node) or reports_flags(node, self._known.constants)):
            return ()  # comparisons and selections may be simplified away
        return node.inputs if self._known.nans.isdisjoint(node.inputs) else ()
