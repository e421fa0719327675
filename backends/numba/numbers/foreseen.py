"""Floats that LLVM may know before a kernel runs: of what it computes then it forgets the flags.

It knows what comes of constants, ints and bools alone (`1 / (x > 2)` is a choice between 1 and
infinity to it), what was stored a moment ago, one of several ways, and in `if x == inf:` what x is.
One operand that it cannot know is enough for an operation to be left to the processor, so a float
that comes of an operation that reports flags is not foreseen: what has no such operand is pinned.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.ops import ELEMENT, FILL, ITEM, OPERATOR, Kind
from ....jit.ir.types import ScalarType
from ..clusters.lower import lower, lower_as_ufunc
from ..native import Flags
from .counters import Weights
from .scalars import scalar_row

_EQUALITIES = (operator.eq, operator.ne, np.equal, np.not_equal)
_INFINITIES = (math.isinf, np.isinf)


def foreseen_values(
    graph: Graph, weights: Weights, constants: dict[Value, Any]
) -> frozenset[Value]:
    """The floats, and the arrays and lists of floats, of which LLVM may know some."""
    foreseen = _Foreseen(weights, constants)
    before = -1
    while len(foreseen.found) > before:  # what a loop hands on is read in its next turn
        before = len(foreseen.found)
        for node in graph.nodes():
            foreseen.look_at(node)
        foreseen.bring_together()
    return frozenset(foreseen.found)


class _Foreseen:
    def __init__(self, weights: Weights, constants: dict[Value, Any]) -> None:
        self.found: set[Value] = set()
        self._weights = weights
        self._constants = constants
        self._reports: dict[Node, bool] = {}

    def look_at(self, node: Node) -> None:
        """What one node gives, and what it tells of its operands."""
        if node.op.kind is Kind.STORE:
            if self._comes_of(node.inputs[1:]):
                self._add_memory(node.inputs[0])
        elif any(map(_is_float, node.outputs)) and self._is_given(node):
            self.found.update(filter(_is_float, node.outputs))
        function = node.attrs.get("function", node.attrs.get("ufunc"))
        if function in _INFINITIES or (
            function in _EQUALITIES and not all(map(self._is_open, node.inputs))
        ):
            for value in node.inputs:
                if isinstance(value.type, ScalarType):
                    self._add_compared(value)

    def bring_together(self) -> None:
        """Where ways meet, one that is foreseen is enough."""
        for value, ways in self._weights.merged.items():
            if _is_float(value) and not all(map(self._is_open, ways)):
                self.found.add(value)

    def _is_open(self, value: Value) -> bool:
        return _is_float(value) and value not in self.found

    def _comes_of(self, values: Iterable[Value]) -> bool:
        floats = [value for value in values if _is_float(value)]
        return not floats or not self.found.isdisjoint(floats)

    def _is_given(self, node: Node) -> bool:
        """Whether LLVM may know what a node gives, from what it knows of the operands."""
        if node.op.kind in (Kind.CORE, Kind.OPAQUE, Kind.CONTROL):
            return False
        if node.op is FILL and node.attrs["value"] is None:
            return False
        if self._reports_flags(node) and (
            isinstance(node.outputs[0].type, ScalarType) or any(map(self._is_open, node.inputs))
        ):
            return False
        return self._comes_of(node.inputs)

    def _reports_flags(self, node: Node) -> bool:
        """Whether a node raises flags, or is NumPy's to compute."""
        if node not in self._reports:
            self._reports[node] = self._flags_of(node) is Flags.REPORTS
        return self._reports[node]

    def _flags_of(self, node: Node) -> Flags:
        computed: Any = None
        if node.op is OPERATOR:
            computed = scalar_row(node, self._constants) or lower_as_ufunc(node)
        elif node.op.kind is Kind.ELEMENTWISE:
            computed = lower(node)
        else:
            return Flags.PURE
        return Flags.REPORTS if computed is None else computed.flags

    def _add_compared(self, value: Value) -> None:
        if _is_float(value):
            self.found.add(value)
            maker = self._weights.makers.get(value)
            if maker is not None and maker.op in (ELEMENT, ITEM):
                self._add_memory(maker.inputs[0])  # it may be read once more

    def _add_memory(self, array: Value) -> None:
        """An array or list, and those that it is a window on or may be."""
        if array in self.found or not _is_float(array):
            return
        self.found.add(array)
        maker = self._weights.makers.get(array)
        if maker is not None and maker.op.kind is Kind.VIEW:
            self._add_memory(maker.inputs[0])
        for way in self._weights.merged.get(array, ()):
            self._add_memory(way)


def _is_float(value: Value) -> bool:
    return value.type.dtype.kind in "fc"
