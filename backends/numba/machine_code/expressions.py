"""Translates expressions in the text of kernels to LLVM IR."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from numba.core import types as numba_types

from .inference import PARTS, Inference
from .operations import Operation, cast, constant, contexts, operation

UNPREDICTABLE = "unpredictable"
"""Name of the intrinsic for conditions that are true about half of the time."""
_CHEAP = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult)
"""Syntax of expressions that neither read memory nor call, with the operators between them."""


class Expressions:
    """Emits the expressions of one function at the builder's position."""

    def __init__(self, found: Inference, builder: Any) -> None:
        self.found = found
        self.builder = builder
        self.values: dict[str, Any] = {}
        """Variables that are SSA values."""
        self.places: dict[str, Any] = {}
        """Variables that have stack memory."""

    def value(self, node: ast.expr, wanted: Any = None) -> Any:
        """Return the value of an expression, converted to type `wanted` unless that is None."""
        given = self.found.types[node]
        if node in self.found.constants:
            return self._constant(self.found.constants[node], given, wanted or given)
        made = _EXPRESSIONS[type(node)](self, node)
        return made if wanted is None else cast(self.builder, made, given, wanted)

    def _constant(self, number: Any, given: Any, wanted: Any) -> Any:
        made = constant(number, wanted)
        if made is None:
            made = cast(self.builder, constant(number, given), given, wanted)
        return made

    def apply(self, made: Operation, nodes: Sequence[ast.expr]) -> Any:
        """Emit an operation on the values of expressions."""
        operands = [self.value(*each) for each in zip(nodes, made.operands, strict=True)]
        return made.emit(self.builder, operands)

    def condition(self, node: ast.expr) -> Any:
        """Return the truth of an expression as a bit."""
        made = self.value(node)
        return _truth(self.builder, made, self.found.types[node])

    def branch(self, node: ast.expr, then: Any, otherwise: Any) -> None:
        """End the block with a conditional branch; `and` and `or` may become several branches."""
        builder = self.builder
        if isinstance(node, ast.BoolOp) and not self._is_cheap(*node.values[1:]):
            is_and = isinstance(node.op, ast.And)
            for each in node.values[:-1]:
                following = builder.append_basic_block()
                ways = (following, otherwise) if is_and else (then, following)
                self.branch(each, *ways)
                builder.position_at_end(following)
            self.branch(node.values[-1], then, otherwise)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, otherwise, then)
        elif isinstance(node, ast.Constant):
            builder.branch(then if node.value else otherwise)
        else:
            made = builder.cbranch(self.condition(node), then, otherwise)
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == UNPREDICTABLE
            ):
                made.set_metadata(UNPREDICTABLE, builder.module.add_metadata([]))

    # ---- kinds of expressions --------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Any:
        made = self.values.get(node.id)
        return made if made is not None else self.builder.load(self.places[node.id])

    def _unary(self, node: ast.UnaryOp) -> Any:
        return self.apply(self.found.operations[node], (node.operand,))

    def _binary(self, node: ast.BinOp) -> Any:
        return self.apply(self.found.operations[node], (node.left, node.right))

    def _compare(self, node: ast.Compare) -> Any:
        comparisons, types = self.found.comparisons[node], self.found.types
        if len(comparisons) == 1:
            return self.apply(comparisons[0], (node.left, *node.comparators))
        left, kind = self.value(node.left), types[node.left]
        conditions = _Conditions(self.builder, self._is_cheap(*node.comparators), is_and=True)
        for made, each in zip(comparisons, node.comparators, strict=True):
            right = self.value(each)
            operands = (
                cast(self.builder, left, kind, made.operands[0]),
                cast(self.builder, right, types[each], made.operands[1]),
            )
            holds = made.emit(self.builder, operands)
            left, kind = right, types[each]
            conditions.add(holds, holds, is_last=each is node.comparators[-1])
        return conditions.value()

    def _bool(self, node: ast.BoolOp) -> Any:
        kind = self.found.types[node]
        is_cheap = kind == numba_types.boolean and self._is_cheap(*node.values[1:])
        conditions = _Conditions(self.builder, is_cheap, is_and=isinstance(node.op, ast.And))
        for each in node.values:
            made, is_last = self.value(each), each is node.values[-1]
            result = cast(self.builder, made, self.found.types[each], kind)
            holds = result if is_last else _truth(self.builder, made, self.found.types[each])
            conditions.add(result, holds, is_last=is_last)
        return conditions.value()

    def _is_cheap(self, *nodes: ast.expr) -> bool:
        """True for ints and bools that may be computed whether their values are used or not."""
        return all(
            isinstance(part, (_CHEAP, ast.expr_context, ast.unaryop, ast.boolop, ast.cmpop))
            or (isinstance(part, ast.BinOp) and isinstance(part.op, _CHEAP))
            for node in nodes
            for part in ast.walk(node)
        ) and all(
            isinstance(self.found.types[part], (numba_types.Integer, numba_types.Boolean))
            for node in nodes
            for part in ast.walk(node)
            if part in self.found.types
        )

    def _choice(self, node: ast.IfExp) -> Any:
        builder, kind = self.builder, self.found.types[node]
        then, otherwise, end = (builder.append_basic_block() for _ in range(3))
        self.branch(node.test, then, otherwise)
        ways = []
        for block, each in ((then, node.body), (otherwise, node.orelse)):
            builder.position_at_end(block)
            ways.append((self.value(each, kind), builder.block))
            builder.branch(end)
        return _joined(builder, end, ways)

    def _subscript(self, node: ast.Subscript) -> Any:
        return self.apply(self.found.operations[node], (node.value, node.slice))

    def _attribute(self, node: ast.Attribute) -> Any:
        return self.builder.extract_value(self.value(node.value), PARTS.index(node.attr))

    def _call(self, node: ast.Call) -> Any:
        return self.apply(self.found.operations[node], node.args)


class _Conditions:
    """The parts of one condition with `and` or `or`, in the order in which they are computed.

    Cheap ones are all computed and combined bit by bit. Otherwise a branch follows each part that
    may decide. LLVM's first passes take branches as they are, and rotating a loop copies them: a
    check in two halves would not be recognised as an addition that overflows.
    """

    def __init__(self, builder: Any, is_cheap: bool, *, is_and: bool) -> None:
        self._builder, self._is_cheap, self._is_and = builder, is_cheap, is_and
        self._end = None if is_cheap else builder.append_basic_block()
        self._ways: list[tuple[Any, Any]] = []
        """Each part's value with the block that ends with it."""

    def add(self, value: Any, holds: Any, *, is_last: bool) -> None:
        """Continue with a part; `holds` is its truth as a bit."""
        builder = self._builder
        self._ways.append((value, builder.block))
        if self._is_cheap:
            return
        if is_last:
            builder.branch(self._end)
            return
        following = builder.append_basic_block()
        ways = (following, self._end) if self._is_and else (self._end, following)
        builder.cbranch(holds, *ways)
        builder.position_at_end(following)

    def value(self) -> Any:
        """Return the value of the whole condition."""
        if not self._is_cheap:
            return _joined(self._builder, self._end, self._ways)
        combine = self._builder.and_ if self._is_and else self._builder.or_
        return reduce(combine, (value for value, _ in self._ways))


def _joined(builder: Any, end: Any, ways: Sequence[tuple[Any, Any]]) -> Any:
    """Return the value that came from one of several blocks, at the block that they go to."""
    builder.position_at_end(end)
    joined = builder.phi(ways[0][0].type)
    for made, block in ways:
        joined.add_incoming(made, block)
    return joined


def _truth(builder: Any, value: Any, kind: Any) -> Any:
    made = operation(bool, kind)
    return made.emit(builder, [cast(builder, value, kind, made.operands[0])])


def zero(kind: Any) -> Any:
    """Return the value that an unassigned variable holds."""
    return contexts()[1].get_constant_null(kind)


_EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Name: Expressions._name,
    ast.UnaryOp: Expressions._unary,
    ast.BinOp: Expressions._binary,
    ast.Compare: Expressions._compare,
    ast.BoolOp: Expressions._bool,
    ast.IfExp: Expressions._choice,
    ast.Subscript: Expressions._subscript,
    ast.Attribute: Expressions._attribute,
    ast.Call: Expressions._call,
}
