"""Which numbers LLVM has to compute where they stand: something in the same block needs them.

The others it may leave out, or compute behind the loop or on the one way that reads them, and then
the flags are lost that eager would report.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.ops import BREAK, CONST, CONTINUE, FOR, IF, LOOP, Kind
from ....jit.ir.types import ArrayType, ScalarType
from .rows import COMPARE

_REAL = (int, float, np.integer, np.floating)


class Anchors:
    """Tells it for one graph."""

    def __init__(self, graph: Graph) -> None:
        nodes = graph.nodes()
        self._constants = {n.outputs[0]: n.attrs["value"] for n in nodes if n.op is CONST}
        self._needed: set[Value] = set()
        self._loops: list[Node] = []
        """Around what is looked at, the innermost last."""
        before = -1
        while len(self._needed) > before:  # what a loop hands on may be needed in its next turn
            before = len(self._needed)
            self._mark(graph.body)

    # ---- what counts at all ----------------------------------------------------------------------

    def _mark(self, block: Block) -> None:
        for node in reversed(block.nodes):
            if node.op in (FOR, LOOP):
                self._mark_loop(node)
            elif node.op is IF:
                self._needed.add(node.inputs[0])
                for inner in node.blocks:
                    self._hand(inner.results, node.outputs)
                    self._mark(inner)
            elif node.op is CONTINUE:
                self._hand(node.inputs, _state(self._loops[-1]))
                if self._loops[-1].op is FOR:
                    self._hand(node.inputs, self._loops[-1].outputs)
            elif node.op is BREAK:
                loop = self._loops[-1]
                self._hand(node.inputs, loop.outputs[len(_state(loop)) if loop.op is FOR else 0 :])
            elif not _is_number(node) or not self._needed.isdisjoint(node.outputs):
                self._needed.update(node.inputs)

    def _mark_loop(self, node: Node) -> None:
        first = 3 if node.op is FOR else 0
        self._needed.update(node.inputs[:first])
        self._loops.append(node)
        self._mark(node.blocks[0])
        self._loops.pop()
        self._hand(node.inputs[first:], _state(node))
        if node.op is FOR:
            self._hand(node.inputs[first:], node.outputs)

    def _hand(self, values: tuple[Value, ...], receivers: tuple[Value, ...]) -> None:
        pairs = zip(values, receivers, strict=False)
        self._needed.update(value for value, receiver in pairs if receiver in self._needed)

    # ---- what stays in its block -----------------------------------------------------------------

    def of(self, block: Block, loop: Node | None) -> set[Value]:
        """The values that a block itself needs; `loop` is the one whose body it is.

        What is only handed over is not among them, unless it goes on from what it was in the turn
        before: to do that later, all turns at once, would be the whole loop again.
        """
        found: set[Value] = set()
        last = block.nodes[-1] if block.nodes else None
        if loop is not None and last is not None and last.op is CONTINUE:
            found |= self._going_on(block, last, loop)
        for node in reversed(block.nodes):
            if node.op in (BREAK, CONTINUE):
                continue
            if node.op.kind is not Kind.SCALAR or not found.isdisjoint(node.outputs):
                found.update(self._read_for_sure(node))
        return found

    def _read_for_sure(self, node: Node) -> tuple[Value, ...]:
        """The inputs without which LLVM cannot tell what a node gives."""
        if node.op.kind is Kind.ELEMENTWISE and isinstance(node.outputs[0].type, ArrayType):
            return ()  # there may be no element, or a mask that leaves them out
        known = [self._constants[value] for value in node.inputs if value in self._constants]
        numbers = [number for number in known if isinstance(number, _REAL)]
        if any(number != number or abs(number) == inf for number in numbers):
            return ()
        function = node.attrs.get("function")
        if getattr(function, "__name__", "") in COMPARE and (
            len(set(node.inputs)) == 1 or any(number <= 0 for number in numbers)
        ):
            return ()  # nothing is less than itself, and no square less than 0
        return node.inputs

    def _going_on(self, block: Block, last: Node, loop: Node) -> set[Value]:
        """What is handed to the next turn and made of what the last one has handed over."""
        found = set()
        for value, param in zip(last.inputs, _state(loop), strict=True):
            outputs = loop.outputs[: len(_state(loop))] if loop.op is FOR else ()
            counts = param in self._needed or any(
                state is param and output in self._needed
                for state, output in zip(_state(loop), outputs, strict=False)
            )
            if counts and value is not param and _depends(block, value, param):
                found.add(value)
        return found


def _state(loop: Node) -> tuple[Value, ...]:
    """What a turn finds of the one before."""
    params = loop.blocks[0].params
    return params[1:] if loop.op is FOR else params


def _is_number(node: Node) -> bool:
    """Whether a node does nothing but give a floating point number."""
    kinds = [value.type.dtype.kind for value in node.outputs if isinstance(value.type, ScalarType)]
    return node.op.kind is Kind.SCALAR and kinds == ["f"]


def _depends(block: Block, value: Value, param: Value) -> bool:
    """Whether numbers of the block lead from `param` to `value`."""
    found = {param}
    for node in block.nodes:
        if node.op.kind is Kind.SCALAR and not found.isdisjoint(node.inputs):
            found.update(node.outputs)
    return value in found
