"""Finds floats that LLVM may know at compile time, where it evaluates operations and loses flags.

LLVM derives values from constants, ints and bools (`1 / (x > 2)` becomes a choice between 1 and
infinity), from recent stores, from merges of paths, and from branch conditions: inside `if x >=
inf:` it knows x, and what x was computed from. One operand that it cannot know forces the operation
to be executed. Therefore results of operations that report flags are never among them: those
without an unknown operand are pinned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ....jit.ir.graph import Graph, Node, Value
from ....jit.ir.ops import FILL, Kind
from ....jit.ir.primitives import of_node, primitive
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, ScalarType, Type
from ..clusters.lower import lower, lower_as_ufunc
from ..native import Flags
from ..numbers.no_overflow import Weights
from ..numbers.scalars import scalar_row

FEW = 256
"""Arrays of up to this many items have loops that LLVM may unroll, and then memory it sees through.
"""


def values_constant_to_llvm(
    graph: Graph, weights: Weights, constants: Mapping[Value, Any]
) -> tuple[frozenset[Value], frozenset[Value]]:
    """Return the floats, and arrays and lists of floats, some of which LLVM may know.

    The second set has those that LLVM may know to be NaN, because the result of an operation with
    NaN is known whatever the other operands are.
    """
    found = _ConstantToLLVM(weights, constants)
    before = -1
    while found.size() > before:  # values handed to the next iteration
        before = found.size()
        for node in graph.nodes():
            found.look_at(node)
        found.bring_together()
    return frozenset(found.found), frozenset(found.nans)


class _ConstantToLLVM:
    def __init__(self, weights: Weights, constants: Mapping[Value, Any]) -> None:
        self.found: set[Value] = set()
        self.nans = {value for value, number in constants.items() if number != number}
        self._compared: set[Value] = set()
        """Floats that a branch may reveal, and arrays and lists that hold such."""
        self._weights = weights
        self._constants = constants
        self._reports: dict[Node, bool] = {}

    def size(self) -> int:
        """Return the amount found so far, to detect a fixpoint."""
        return len(self.found) + len(self.nans)

    def look_at(self, node: Node) -> None:
        """Record what a node's results and operands reveal."""
        if node.op.kind is Kind.STORE:
            if node.inputs[0] in self._compared:
                self._add_compared(node.inputs[1:])
            if self._comes_of(node.inputs[1:]):
                self._add_memory(node.inputs[0], self.found)
            if not self.nans.isdisjoint(node.inputs[1:]):
                self._add_memory(node.inputs[0], self.nans)
            for known in (self.found, self.nans):  # an item removed from a list
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
        """Propagate through merges: one such incoming value suffices."""
        for value, ways in self._weights.merged.items():
            if _is_float(value) and not all(map(self._is_open, ways)):
                self.found.add(value)
            if not self.nans.isdisjoint(ways):
                self.nans.add(value)

    def _look_at_comparison(self, node: Node) -> None:
        row = primitive(node.attrs.get("function", node.attrs.get("ufunc")))
        if row.tests_infinity:
            self._add_compared(node.inputs)
        elif row.compares is not None:
            small = row.compares.is_order  # `x > 0` reveals no number, `x >= inf` does
            if any(not self._is_open(v) and not (small and self._is_small(v)) for v in node.inputs):
                self._add_compared(node.inputs)

    def _is_small(self, value: Value) -> bool:
        """True if a number is known not to be infinite."""
        number = self._constants.get(value)
        return not _is_float(value) or (isinstance(number, float) and abs(number) < math.inf)

    def _is_open(self, value: Value) -> bool:
        return _is_float(value) and value not in self.found

    def _comes_of(self, values: Iterable[Value]) -> bool:
        floats = [value for value in values if _is_float(value)]
        return not floats or not self.found.isdisjoint(floats)

    def _is_given(self, node: Node) -> bool:
        """True if LLVM may know a node's result from what it knows of the operands."""
        if _is_unknown(node) or (node.op is FILL and node.attrs["value"] is None):
            return False
        if self._reports_flags(node) and (_is_number(node) or any(map(self._is_open, node.inputs))):
            return False
        return self._comes_of(node.inputs)

    def _is_nan(self, node: Node) -> bool:
        """True if LLVM may know that a node's result is NaN.

        Operations that report flags and have no unknown operand are pinned. Those that report none
        may turn infinities into NaN.
        """
        if _is_unknown(node):
            return False
        if node.op is FILL:
            number = node.attrs["value"]
            return bool(number != number) or not self.nans.isdisjoint(node.inputs)
        computes = node.op.applies is Applies.NUMBERS or node.op.kind is Kind.ELEMENTWISE
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
        """Add numbers that a branch reveals, and their operands, which may be computed again."""
        for value in values:
            if value in self._compared or not _is_float(value):
                continue
            self._compared.add(value)
            self.found.add(value)
            self.nans.add(value)
            self._add_compared(self._weights.merged.get(value, ()))
            maker = self._weights.makers.get(value)
            if maker is None or maker.op.kind in _OUT_OF_SIGHT:
                continue
            if not self._reports_flags(maker):
                self._add_compared(maker.inputs)

    def _add_memory(self, array: Value, found: set[Value]) -> None:
        """Add an array or list, and those that it is or may be a view of."""
        if array in found or not _is_float(array):
            return
        found.add(array)
        maker = self._weights.makers.get(array)
        if maker is not None and maker.op.kind is Kind.VIEW:
            self._add_memory(maker.inputs[0], found)
        for way in self._weights.merged.get(array, ()):
            self._add_memory(way, found)


_OUT_OF_SIGHT = (Kind.CORE, Kind.OPAQUE, Kind.CONTROL)
"""Kinds of ops whose results LLVM does not see computed: by functions, or in several places."""


def _is_unknown(node: Node) -> bool:
    """True if LLVM cannot know a node's result."""
    if node.op.kind in _OUT_OF_SIGHT:
        return True
    return node.op.kind is not Kind.VIEW and is_hidden(node.outputs[0].type)


def _is_number(node: Node) -> bool:
    return isinstance(node.outputs[0].type, ScalarType)


def keeps_all(node: Node) -> bool:
    """True if a node's result is its operand, except for the sign."""
    return of_node(node).keeps_all


def is_hidden(type_: Type) -> bool:
    """True for memory that LLVM sees through only if an item was just stored in it."""
    if not isinstance(type_, ArrayType):
        return False
    lengths = [dim for dim in type_.dims if isinstance(dim, int)]
    return len(lengths) < len(type_.dims) or math.prod(lengths) > FEW


def reports_flags(node: Node, constants: Mapping[Value, Any]) -> bool:
    """True if a node on numbers or elements reports flags, or is computed by NumPy."""
    if node.op.applies is Applies.NUMBERS:
        computed: Any = scalar_row(node, constants) or lower_as_ufunc(node)
    elif node.op.kind is Kind.ELEMENTWISE:
        computed = lower(node)
    else:
        return False
    return computed is None or computed.flags is Flags.REPORTS


def _is_float(value: Value) -> bool:
    return value.type.dtype.kind in "fc"
