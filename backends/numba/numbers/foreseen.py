"""Floats that LLVM may know before a kernel runs: of what it computes then it forgets the flags.

It knows what comes of constants, ints and bools alone (`1 / (x > 2)` is a choice between 1 and
infinity to it), what was stored a moment ago, one of several ways, and in `if x >= inf:` what x is,
and with it what x was made of. One operand that it cannot know is enough for an operation to be
left to the processor, so a float that comes of an operation that reports flags is not foreseen:
what has no such operand is pinned.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.ops import FILL, OPERATOR, Kind
from ....jit.ir.types import ArrayType, ScalarType, Type
from ..clusters.lower import lower, lower_as_ufunc
from ..native import Flags
from .counters import Weights
from .scalars import scalar_row

FEW = 256
"""Items of an array whose loops LLVM may write out, and then look through their memory."""
_EQUALITIES = (operator.eq, operator.ne, np.equal, np.not_equal)
_ORDERS = (
    *(operator.lt, operator.le, operator.gt, operator.ge),
    *(np.less, np.less_equal, np.greater, np.greater_equal),
)
_INFINITIES = (math.isinf, np.isinf)


def foreseen_values(
    graph: Graph, weights: Weights, constants: Mapping[Value, Any]
) -> tuple[frozenset[Value], frozenset[Value]]:
    """The floats, and the arrays and lists of floats, of which LLVM may know some.

    And those among them of which it may know that they are NaN: so is what is made of one, whatever
    the other operands are.
    """
    foreseen = _Foreseen(weights, constants)
    before = -1
    while foreseen.size() > before:  # what a loop hands on is read in its next turn
        before = foreseen.size()
        for node in graph.nodes():
            foreseen.look_at(node)
        foreseen.bring_together()
    return frozenset(foreseen.found), frozenset(foreseen.nans)


class _Foreseen:
    def __init__(self, weights: Weights, constants: Mapping[Value, Any]) -> None:
        self.found: set[Value] = set()
        self.nans = {value for value, number in constants.items() if number != number}
        self._compared: set[Value] = set()
        """Floats that a branch may tell of, and arrays and lists whose items it may."""
        self._weights = weights
        self._constants = constants
        self._reports: dict[Node, bool] = {}

    def size(self) -> int:
        """How much has been found."""
        return len(self.found) + len(self.nans)

    def look_at(self, node: Node) -> None:
        """What one node gives, and what it tells of its operands."""
        if node.op.kind is Kind.STORE:
            if node.inputs[0] in self._compared:
                self._add_compared(node.inputs[1:])
            if self._comes_of(node.inputs[1:]):
                self._add_memory(node.inputs[0], self.found)
            if not self.nans.isdisjoint(node.inputs[1:]):
                self._add_memory(node.inputs[0], self.nans)
            for known in (self.found, self.nans):  # an item that is taken out
                known.update(node.outputs if node.inputs[0] in known else ())
        elif any(map(_is_float, node.outputs)):
            floats = [value for value in node.outputs if _is_float(value)]
            nan = self._is_nan(node)
            if nan or self._is_given(node):
                self.found.update(floats)
            if nan:
                self.nans.update(floats)
        if node.op.kind is Kind.VIEW and node.inputs[0] in self._compared:
            self._add_compared(node.outputs)
        self._look_at_comparison(node)

    def bring_together(self) -> None:
        """Where ways meet, one that is foreseen is enough."""
        for value, ways in self._weights.merged.items():
            if _is_float(value) and not all(map(self._is_open, ways)):
                self.found.add(value)
            if not self.nans.isdisjoint(ways):
                self.nans.add(value)

    def _look_at_comparison(self, node: Node) -> None:
        function = node.attrs.get("function", node.attrs.get("ufunc"))
        if function in _INFINITIES:
            self._add_compared(node.inputs)
        elif function in _EQUALITIES or function in _ORDERS:
            small = function in _ORDERS  # `x > 0` tells of no number, `x >= inf` does
            if any(not self._is_open(v) and not (small and self._is_small(v)) for v in node.inputs):
                self._add_compared(node.inputs)

    def _is_small(self, value: Value) -> bool:
        """Whether a number is known not to be infinite."""
        number = self._constants.get(value)
        return not _is_float(value) or (isinstance(number, float) and abs(number) < math.inf)

    def _is_open(self, value: Value) -> bool:
        return _is_float(value) and value not in self.found

    def _comes_of(self, values: Iterable[Value]) -> bool:
        floats = [value for value in values if _is_float(value)]
        return not floats or not self.found.isdisjoint(floats)

    def _is_given(self, node: Node) -> bool:
        """Whether LLVM may know what a node gives, from what it knows of the operands."""
        if _is_unknown(node) or (node.op is FILL and node.attrs["value"] is None):
            return False
        if self._reports_flags(node) and (_is_number(node) or any(map(self._is_open, node.inputs))):
            return False
        return self._comes_of(node.inputs)

    def _is_nan(self, node: Node) -> bool:
        """Whether LLVM may know that a node gives NaN.

        Of an operation that reports flags and has no operand but such as it may know these are
        pinned; one that reports none may make NaN of infinities.
        """
        if _is_unknown(node):
            return False
        if node.op is FILL:
            number = node.attrs["value"]
            return bool(number != number) or not self.nans.isdisjoint(node.inputs)
        computes = node.op is OPERATOR or node.op.kind is Kind.ELEMENTWISE
        if computes and not self._reports_flags(node) and not keeps_all(node):
            return self._is_given(node) and any(map(_is_float, node.inputs))
        if self.nans.isdisjoint(node.inputs):
            return False
        return not (computes and _is_number(node)) or any(map(self._is_open, node.inputs))

    def _reports_flags(self, node: Node) -> bool:
        if node not in self._reports:
            self._reports[node] = reports_flags(node, self._constants)
        return self._reports[node]

    def _add_compared(self, values: Iterable[Value]) -> None:
        """Numbers that a branch tells of, and what they were made of: it may be read once more."""
        for value in values:
            if value in self._compared or not _is_float(value):
                continue
            self._compared.add(value)
            self.found.add(value)
            self.nans.add(value)
            self._add_compared(self._weights.merged.get(value, ()))
            maker = self._weights.makers.get(value)
            if maker is None or maker.op.kind in (Kind.CORE, Kind.OPAQUE, Kind.CONTROL):
                continue
            if not self._reports_flags(maker):
                self._add_compared(maker.inputs)

    def _add_memory(self, array: Value, found: set[Value]) -> None:
        """An array or list, and those that it is a window on or may be."""
        if array in found or not _is_float(array):
            return
        found.add(array)
        maker = self._weights.makers.get(array)
        if maker is not None and maker.op.kind is Kind.VIEW:
            self._add_memory(maker.inputs[0], found)
        for way in self._weights.merged.get(array, ()):
            self._add_memory(way, found)


def _is_unknown(node: Node) -> bool:
    """Whether LLVM cannot know what a node gives."""
    if node.op.kind in (Kind.CORE, Kind.OPAQUE, Kind.CONTROL):
        return True
    return node.op.kind is not Kind.VIEW and is_hidden(node.outputs[0].type)


def _is_number(node: Node) -> bool:
    return isinstance(node.outputs[0].type, ScalarType)


def keeps_all(node: Node) -> bool:
    """Whether a node gives its operand, but for the sign."""
    return node.attrs.get("function") in (operator.neg, operator.pos, abs, float)


def is_hidden(type_: Type) -> bool:
    """Whether something is in memory that LLVM looks through at most where an item was stored."""
    if not isinstance(type_, ArrayType):
        return False
    lengths = [dim for dim in type_.dims if isinstance(dim, int)]
    return len(lengths) < len(type_.dims) or math.prod(lengths) > FEW


def reports_flags(node: Node, constants: Mapping[Value, Any]) -> bool:
    """Whether a node of numbers or elements raises flags, or is NumPy's to compute."""
    if node.op is OPERATOR:
        computed: Any = scalar_row(node, constants) or lower_as_ufunc(node)
    elif node.op.kind is Kind.ELEMENTWISE:
        computed = lower(node)
    else:
        return False
    return computed is None or computed.flags is Flags.REPORTS


def _is_float(value: Value) -> bool:
    return value.type.dtype.kind in "fc"
