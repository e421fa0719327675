"""Infers types in a kernel's function in one pass through its syntax tree.

Each expression gets its type, each operation the implementation found by operations.py. A variable
has one type throughout; if a later assignment widens it after a use, the pass is repeated.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from numba.core import types

from .operations import NotInKernels, Operation, constant_type, operation, unified
from .variables import Variables

BINARY: dict[type[ast.AST], tuple[Any, Any]] = {
    ast.Add: (operator.add, operator.iadd),
    ast.Sub: (operator.sub, operator.isub),
    ast.Mult: (operator.mul, operator.imul),
    ast.Div: (operator.truediv, operator.itruediv),
    ast.FloorDiv: (operator.floordiv, operator.ifloordiv),
    ast.Mod: (operator.mod, operator.imod),
    ast.BitAnd: (operator.and_, operator.iand),
    ast.BitOr: (operator.or_, operator.ior),
    ast.BitXor: (operator.xor, operator.ixor),
    ast.LShift: (operator.lshift, operator.ilshift),
    ast.RShift: (operator.rshift, operator.irshift),
}
"""Python operators for binary expressions, and for augmented assignments."""
UNARY: dict[type[ast.AST], Any] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARISONS: dict[type[ast.AST], Any] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
PARTS = ("real", "imag")
"""Attributes of complex numbers."""


class Inference:
    """Types of one function for given argument types."""

    def __init__(
        self,
        function: ast.FunctionDef,
        arguments: Sequence[Any],
        names: Mapping[str, Any],
        call: Callable[..., Operation],
    ) -> None:
        """Create it; `names` maps global names, `call` returns the operation of a call."""
        self.function = function
        self._names = names
        self.types: dict[ast.AST, Any] = {}
        self.operations: dict[ast.AST, Operation] = {}
        self.comparisons: dict[ast.Compare, list[Operation]] = {}
        self.reads: dict[ast.AugAssign, Operation] = {}
        """For `x[i] += y`: the operation that reads the item."""
        self.constants: dict[ast.AST, Any] = {}
        """Values of constant expressions."""
        self._literals: set[ast.AST] = set()
        """The constants that are literals, without names."""
        self.variables = Variables()
        self.result: Any = None
        self._call_of = call
        self._arguments = [*zip((each.arg for each in function.args.args), arguments, strict=True)]
        self._locals = {each.id for each in _stored(function)} | {
            name for name, _ in self._arguments
        }
        self._go()
        while self.variables.changed:
            self.variables.again()
            self._go()

    def _go(self) -> None:
        for name, type_ in self._arguments:
            self.variables.assign(name, type_)
        self._block(self.function.body)

    # ---- statements ------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for each in statements:
            go: Callable[..., None] = _STATEMENTS.get(type(each), _unknown)
            go(self, each)
            if isinstance(each, ast.Return | ast.Break | ast.Continue):
                return  # the rest is unreachable

    def _inner(self, statements: Sequence[ast.stmt]) -> None:
        with self.variables.block():
            self._block(statements)

    def _assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        assert node.value is not None
        type_ = self.type_of(node.value)
        for target in targets_of(node):
            self._put(node, target, type_)

    def _put(self, node: ast.AST, target: ast.expr, type_: Any) -> None:
        if isinstance(target, ast.Name):
            self.variables.assign(target.id, type_)
        elif isinstance(target, ast.Subscript):
            place = self.type_of(target.value), self.type_of(target.slice)
            self.operations[target] = operation(operator.setitem, *place, type_)
        else:
            _unknown(self, node)

    def _change(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            before = self.variables.read(target.id)
        else:
            assert isinstance(target, ast.Subscript)
            place = self.type_of(target.value), self.type_of(target.slice)
            self.reads[node] = operation(operator.getitem, *place)
            before = self.reads[node].result
        made = operation(BINARY[type(node.op)][1], before, self.type_of(node.value))
        self.operations[node] = made
        self.types[target] = before
        self._put(node, target, made.result)

    def _if(self, node: ast.If) -> None:
        self.type_of(node.test)
        self._inner(node.body)
        self._inner(node.orelse)

    def _while(self, node: ast.While) -> None:
        self.type_of(node.test)
        self._inner(node.body)
        self._inner(node.orelse)

    def _for(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        if (
            not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Name)
            or call.func.id != "range"
            or not isinstance(target, ast.Name)
        ):
            _unknown(self, node)
            return
        made = operation(range, *(self.type_of(each) for each in call.args))
        self.operations[call] = made
        with self.variables.block():
            self.variables.assign(target.id, made.result.dtype)
            self._block(node.body)
        self._inner(node.orelse)

    def _return(self, node: ast.Return) -> None:
        assert node.value is not None
        type_ = self.type_of(node.value)
        self.result = type_ if self.result is None else unified(self.result, type_)

    def _expression(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.type_of(node.value)

    def _nothing(self, node: ast.stmt) -> None:
        """Handle a statement without expressions."""

    # ---- expressions -----------------------------------------------------------------------------

    def type_of(self, node: ast.expr) -> Any:
        """Return the type of an expression; records it and those of its parts."""
        find: Callable[..., Any] = _EXPRESSIONS.get(type(node), _unknown)
        found = self.types[node] = find(self, node)
        return found

    def _name(self, node: ast.Name) -> Any:
        if node.id in self._locals:
            return self.variables.read(node.id)
        return self._constant_of(node, self._global(node.id))

    def _global(self, name: str) -> Any:
        if name not in self._names:
            raise NotInKernels(f"the name {name}")
        return self._names[name]

    def _constant(self, node: ast.Constant) -> Any:
        return self._literal_of(node, node.value)

    def _literal_of(self, node: ast.AST, value: Any) -> Any:
        self._literals.add(node)
        return self._constant_of(node, value)

    def _constant_of(self, node: ast.AST, value: Any) -> Any:
        self.constants[node] = value
        return constant_type(value)

    def _unary(self, node: ast.UnaryOp) -> Any:
        inner = self.type_of(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self._literal_of(node, -self.constants[node.operand])
        return self._operated(node, UNARY[type(node.op)], inner)

    def _binary(self, node: ast.BinOp) -> Any:
        operands = self.type_of(node.left), self.type_of(node.right)
        if node.left in self._literals and node.right in self._literals:
            with suppress(ZeroDivisionError):  # CPython's compiler does not fold it either
                return self._literal_of(node, eval(compile(ast.Expression(node), "", "eval")))
        if type(node.op) not in BINARY:
            _unknown(self, node)
        return self._operated(node, BINARY[type(node.op)][0], *operands)

    def _compare(self, node: ast.Compare) -> Any:
        left, made = self.type_of(node.left), []
        for sign, other in zip(node.ops, node.comparators, strict=True):
            right = self.type_of(other)
            made.append(operation(COMPARISONS[type(sign)], left, right))
            left = right
        self.comparisons[node] = made
        return types.boolean

    def _bool(self, node: ast.BoolOp) -> Any:
        return self._joined(node.values)

    def _choice(self, node: ast.IfExp) -> Any:
        self.type_of(node.test)
        return self._joined((node.body, node.orelse))

    def _joined(self, values: Sequence[ast.expr]) -> Any:
        joined = self.type_of(values[0])
        for each in values[1:]:
            joined = unified(joined, self.type_of(each))
        return joined

    def _subscript(self, node: ast.Subscript) -> Any:
        place = self.type_of(node.value), self.type_of(node.slice)
        return self._operated(node, operator.getitem, *place)

    def _attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id not in self._locals:
            return self._constant_of(node, getattr(self._global(node.value.id), node.attr))
        inner = self.type_of(node.value)
        if node.attr not in PARTS or not isinstance(inner, types.Complex):
            _unknown(self, node)
        return inner.underlying_float

    def _call(self, node: ast.Call) -> Any:
        arguments = [self.type_of(each) for each in node.args]
        made = self.operations[node] = self._call_of(self._called(node.func), *arguments)
        return made.result

    def _called(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return getattr(self._global(node.value.id), node.attr)
        assert isinstance(node, ast.Name)
        return self._global(node.id)

    def _operated(self, node: ast.AST, function: Any, *operands: Any) -> Any:
        made = self.operations[node] = operation(function, *operands)
        return made.result


def targets_of(node: ast.Assign | ast.AnnAssign) -> Sequence[ast.expr]:
    """Return the targets of an assignment in order."""
    return [node.target] if isinstance(node, ast.AnnAssign) else node.targets


def _stored(function: ast.FunctionDef) -> list[ast.Name]:
    """Return the names that a function assigns to."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _unknown(inference: Inference, node: ast.AST) -> Any:
    raise NotInKernels(ast.unparse(node))


_STATEMENTS: Mapping[type[ast.AST], Callable[..., None]] = {
    ast.Assign: Inference._assign,
    ast.AnnAssign: Inference._assign,
    ast.AugAssign: Inference._change,
    ast.If: Inference._if,
    ast.While: Inference._while,
    ast.For: Inference._for,
    ast.Return: Inference._return,
    ast.Expr: Inference._expression,
    ast.Pass: Inference._nothing,
    ast.Break: Inference._nothing,
    ast.Continue: Inference._nothing,
}
_EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Name: Inference._name,
    ast.Constant: Inference._constant,
    ast.UnaryOp: Inference._unary,
    ast.BinOp: Inference._binary,
    ast.Compare: Inference._compare,
    ast.BoolOp: Inference._bool,
    ast.IfExp: Inference._choice,
    ast.Subscript: Inference._subscript,
    ast.Attribute: Inference._attribute,
    ast.Call: Inference._call,
}
