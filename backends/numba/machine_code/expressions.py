"""Translates expressions in the text of kernels to LLVM IR."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .inference import PARTS, Inference
from .operations import Operation, cast, constant, contexts, operation

UNPREDICTABLE = "unpredictable"
"""Name of the intrinsic for conditions that are true about half of the time."""


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
        """End the block with a conditional branch; `and` and `or` become several branches."""
        builder = self.builder
        if isinstance(node, ast.BoolOp):
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
        ways: list[tuple[Any, Any]] = []
        builder, end = self.builder, self.builder.append_basic_block()
        for made, each in zip(comparisons, node.comparators, strict=True):
            right = self.value(each)
            operands = (
                cast(builder, left, kind, made.operands[0]),
                cast(builder, right, types[each], made.operands[1]),
            )
            holds = made.emit(builder, operands)
            left, kind = right, types[each]
            ways.append((holds, builder.block))
            if each is node.comparators[-1]:
                builder.branch(end)
            else:
                following = builder.append_basic_block()
                builder.cbranch(holds, following, end)
                builder.position_at_end(following)
        return self._joined(end, ways)

    def _bool(self, node: ast.BoolOp) -> Any:
        builder, kind = self.builder, self.found.types[node]
        end, ways = builder.append_basic_block(), []
        for each in node.values:
            made = self.value(each)
            result = cast(builder, made, self.found.types[each], kind)
            ways.append((result, builder.block))
            if each is node.values[-1]:
                builder.branch(end)
                break
            following = builder.append_basic_block()
            holds = _truth(builder, made, self.found.types[each])
            is_and = isinstance(node.op, ast.And)
            builder.cbranch(holds, *((following, end) if is_and else (end, following)))
            ways[-1] = (result, builder.block)
            builder.position_at_end(following)
        return self._joined(end, ways)

    def _choice(self, node: ast.IfExp) -> Any:
        builder, kind = self.builder, self.found.types[node]
        then, otherwise, end = (builder.append_basic_block() for _ in range(3))
        self.branch(node.test, then, otherwise)
        ways = []
        for block, each in ((then, node.body), (otherwise, node.orelse)):
            builder.position_at_end(block)
            ways.append((self.value(each, kind), builder.block))
            builder.branch(end)
        return self._joined(end, ways)

    def _joined(self, end: Any, ways: Sequence[tuple[Any, Any]]) -> Any:
        self.builder.position_at_end(end)
        joined = self.builder.phi(ways[0][0].type)
        for made, block in ways:
            joined.add_incoming(made, block)
        return joined

    def _subscript(self, node: ast.Subscript) -> Any:
        return self.apply(self.found.operations[node], (node.value, node.slice))

    def _attribute(self, node: ast.Attribute) -> Any:
        return self.builder.extract_value(self.value(node.value), PARTS.index(node.attr))

    def _call(self, node: ast.Call) -> Any:
        return self.apply(self.found.operations[node], node.args)


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
