"""Which numbers of a loop LLVM has to compute where they stand: what is made of them is stored.

The others it may leave out, or compute behind the loop or on the one way that reads them, and then
the flags are lost that eager would report: such numbers are pinned. A loop with a pinned number has
no vectors; those that have them are loops that store.
"""

from __future__ import annotations

import operator

from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.ops import FOR, IF, INDEX, LOOP, OPERATOR, STORE, Kind
from ....jit.ir.types import ArrayType, ScalarType, Sym
from .foreseen import keeps_all, reports_flags
from .known import Known


class Anchors:
    """Tells it for one graph."""

    def __init__(self, graph: Graph, known: Known) -> None:
        self._known = known
        self.found: set[Value] = set()
        """The numbers that something stored in memory needs, in their own block."""
        self.moving: set[Node] = set()
        """The loops of which each turn stores at another place, one step on."""
        self._mark(graph.body, None, set(), set())

    def _mark(self, block: Block, loop: Node | None, inside: set[Value], later: set[Value]) -> None:
        """Of a block; `inside` is what its loop makes, `later` what is stored into behind."""
        inside.update(value for node in block.nodes for value in node.outputs)
        found: set[Value] = set()
        for node in reversed(block.nodes):
            if node.op is STORE:
                root = self._root(node.inputs[0])
                if loop is not None and self._moves(node, loop, inside):
                    self.moving.add(loop)
                    if root not in later and self._lasts(root):
                        found.add(node.inputs[1])
                later.add(root)
            elif node.op.kind is Kind.STORE:
                later.update(map(self._root, node.inputs[:1]))
            elif node.op is IF:
                arms = [{*later} for _ in node.blocks]
                for inner, behind in zip(node.blocks, arms, strict=True):
                    self._mark(inner, loop, inside, behind)
                later.update(*arms)
            elif node.op in (FOR, LOOP):
                self._mark(node.blocks[0], node, {*node.blocks[0].params}, later)
            elif not found.isdisjoint(node.outputs):
                found.update(self._needed_by(node))
        self.found |= found

    # ---- stores ----------------------------------------------------------------------------------

    def _root(self, array: Value) -> Value:
        """The array that a window is on."""
        maker = self._known.makers.get(array)
        while maker is not None and maker.op.kind is Kind.VIEW:
            array = maker.inputs[0]
            maker = self._known.makers.get(array)
        return array

    def _lasts(self, array: Value) -> bool:
        """Whether LLVM cannot write out the loops that store into an array."""
        type_ = array.type
        return isinstance(type_, ArrayType) and any(isinstance(dim, Sym) for dim in type_.dims)

    def _moves(self, store: Node, loop: Node, inside: set[Value]) -> bool:
        """Whether the next turn stores into another item."""
        maker = self._known.makers.get(store.inputs[0])
        if maker is None or maker.op is not INDEX:
            return False
        return any(self._varies(number, loop, inside) for number in maker.inputs[1:])

    def _varies(self, number: Value, loop: Node, inside: set[Value]) -> bool:
        """Whether a place is another one in each turn."""
        if number in loop.blocks[0].params:
            return True
        maker = self._known.makers.get(number)
        if maker is None or maker.op is not OPERATOR or number not in inside:
            return False
        if maker.attrs["function"] not in (operator.add, operator.sub):
            return False
        here = [value for value in maker.inputs if value in inside]
        return len(here) == 1 and self._varies(here[0], loop, inside)

    # ---- what is made of a number ----------------------------------------------------------------

    def _needed_by(self, node: Node) -> tuple[Value, ...]:
        """The inputs without which LLVM cannot tell what a node gives."""
        if not isinstance(node.outputs[0].type, ScalarType) or node.op.kind is Kind.CONTROL:
            return ()
        if not (keeps_all(node) or reports_flags(node, self._known.constants)):
            return ()  # what is compared or chosen need not be computed
        return node.inputs if self._known.nans.isdisjoint(node.inputs) else ()
