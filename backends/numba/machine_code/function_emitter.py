"""Emits one function of a kernel's text as LLVM IR, statement by statement.

The types of its variables and the operations that it calls were inferred before (inference.py).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir

from ..library.exits import SHARED
from .building import Builder, Exits
from .expressions import Expressions, zero
from .inference import Inference, targets_of
from .operations import NotInKernels, cast, llvm_type

_SHARED = {function.__name__ for function in SHARED}
FEW = 32
"""Maximum number of iterations of a loop that LLVM may unroll completely."""


def emitted(module: Any, name: str, found: Inference, on_error: int | None = None) -> Any:
    """Emit a function into the module of a kernel."""
    return Emitter(module, name, found, found.result, on_error).emit()


class Emitter:
    """One function that is emitted into a module."""

    def __init__(
        self, module: Any, name: str, found: Inference, result: Any, on_error: int | None
    ) -> None:
        """Create it; `on_error` is the result where Numba's code would raise an exception."""
        self._found, self._result, self._on_error = found, result, on_error
        names = [each.arg for each in found.function.args.args]
        kinds = [llvm_type(found.variables.types[name]) for name in names]
        self._made = ir.Function(module, ir.FunctionType(llvm_type(result), kinds), name)
        self._made.attributes.add("nounwind")
        self._builder = Builder(self._made.append_basic_block("entry"))
        self._entry = self._builder.block
        self._expressions = Expressions(found, self._builder)
        self._exits = Exits(self._builder, result)
        self._loops: list[tuple[Any, Any]] = []
        """Targets of `continue` and `break`, innermost loop last."""
        self.has_nested_short_loops = False
        self._short_loops = 0
        """Number of short loops around the present statement."""
        self._make_room()
        self._builder.position_at_end(self._made.append_basic_block())
        self._first = self._builder.block
        for name, value in zip(names, self._made.args, strict=True):
            self._assign(name, value)

    def _make_room(self) -> None:
        """Allocate memory for the variables that need it."""
        variables = self._found.variables
        for name, kind in variables.types.items():
            if variables.needs_memory(name):
                place = self._builder.alloca(llvm_type(kind), name=name)
                self._expressions.places[name] = place
                if name in variables.early:  # it may be read unassigned on some paths
                    self._builder.store(zero(kind), place)

    def emit(self) -> Any:
        """Emit and return the function."""
        self._block(self._found.function.body)
        builder = self._builder
        if not builder.block.is_terminated:
            builder.unreachable()
        self._exits.emit()
        builder.position_at_end(self._entry)
        builder.branch(self._first)
        builder.put_in_order()
        return self._made

    def _assign(self, name: str, value: Any) -> None:
        place = self._expressions.places.get(name)
        if place is None:
            self._expressions.values[name] = value
        else:
            self._builder.store(value, place)

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        """Emit statements up to the first that makes the rest unreachable."""
        for each in statements:
            if self._builder.block.is_terminated:
                return
            _STATEMENTS[type(each)](self, each)

    def _put(self, target: ast.expr, value: Any, kind: Any) -> None:
        """Emit the assignment of a value of type `kind`."""
        builder = self._builder
        if isinstance(target, ast.Name):
            wanted = self._found.variables.types[target.id]
            self._assign(target.id, cast(builder, value, kind, wanted))
        else:
            assert isinstance(target, ast.Subscript)
            made = self._found.operations[target]
            operands = (
                self._expressions.value(target.value, made.operands[0]),
                self._expressions.value(target.slice, made.operands[1]),
                cast(builder, value, kind, made.operands[2]),
            )
            made.emit(builder, operands)

    def _store(self, node: ast.Assign | ast.AnnAssign) -> None:
        assert node.value is not None
        targets, kind = targets_of(node), self._found.types[node.value]
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            wanted = self._found.variables.types[targets[0].id]
            self._assign(targets[0].id, self._expressions.value(node.value, wanted))
            return
        value = self._expressions.value(node.value)
        for target in targets:
            self._put(target, value, kind)

    def _change(self, node: ast.AugAssign) -> None:
        """Emit `x += y`; for an item, its address is computed once."""
        emit, target, made = self._expressions, node.target, self._found.operations[node]
        builder, kind = self._builder, self._found.types[node.target]
        if isinstance(target, ast.Name):
            before = emit.value(target)
            operands = cast(builder, before, kind, made.operands[0])
            after = made.emit(builder, (operands, emit.value(node.value, made.operands[1])))
            self._put(target, after, made.result)
            return
        assert isinstance(target, ast.Subscript)
        read, write = self._found.reads[node], self._found.operations[target]
        place = [
            emit.value(*each)
            for each in zip((target.value, target.slice), read.operands, strict=True)
        ]
        before = cast(builder, read.emit(builder, place), kind, made.operands[0])
        after = made.emit(builder, (before, emit.value(node.value, made.operands[1])))
        write.emit(builder, (*place, cast(builder, after, made.result, write.operands[2])))

    def _if(self, node: ast.If) -> None:
        builder = self._builder
        then, end = builder.append_basic_block(), builder.append_basic_block()
        otherwise = builder.append_basic_block() if node.orelse else end
        self._expressions.branch(node.test, then, otherwise)
        falls_through = not node.orelse
        for block, statements in ((then, node.body), (otherwise, node.orelse)):
            if block is not end:
                builder.position_at_end(block)
                self._block(statements)
                if not builder.block.is_terminated:
                    builder.branch(end)
                    falls_through = True
        builder.position_at_end(end)
        if not falls_through:
            builder.unreachable()

    def _while(self, node: ast.While) -> None:
        """Emit a `while` with a test before the first iteration and after each, as CPython does."""
        builder = self._builder
        body, again, end = (builder.append_basic_block() for _ in range(3))
        otherwise = builder.append_basic_block() if node.orelse else end
        self._expressions.branch(node.test, body, otherwise)
        self._iteration(node.body, body, again, end)
        builder.position_at_end(again)
        self._expressions.branch(node.test, body, otherwise)
        self._otherwise(node.orelse, otherwise, end)

    def _iteration(self, statements: Sequence[ast.stmt], body: Any, again: Any, end: Any) -> None:
        """Emit the body of a loop."""
        builder = self._builder
        builder.position_at_end(body)
        self._loops.append((again, end))
        self._block(statements)
        self._loops.pop()
        if not builder.block.is_terminated:
            builder.branch(again)

    def _otherwise(self, statements: Sequence[ast.stmt], otherwise: Any, end: Any) -> None:
        """Emit the `else` of a loop."""
        builder = self._builder
        if otherwise is not end:
            builder.position_at_end(otherwise)
            self._block(statements)
            if not builder.block.is_terminated:
                builder.branch(end)
        builder.position_at_end(end)

    def _for(self, node: ast.For) -> None:
        """Emit a `for` that counts remaining iterations down to zero, as Numba's ranges do."""
        builder, (start, stop, step) = self._builder, self._range(node)
        is_short = _is_short(start, stop, step)
        self._short_loops += is_short
        if self._short_loops > 1:
            self.has_nested_short_loops = True
        count = self._trip_count(start, stop, step)
        head, body, again, end = (builder.append_basic_block() for _ in range(4))
        otherwise = builder.append_basic_block() if node.orelse else end
        before, kind = builder.block, count.type
        builder.branch(head)
        builder.position_at_end(head)
        left, value = builder.phi(kind), builder.phi(kind)
        left.add_incoming(count, before)
        value.add_incoming(start, before)
        builder.cbranch(builder.icmp_signed(">", left, kind(0)), body, otherwise)
        builder.position_at_end(body)
        fewer = builder.sub(left, kind(1), flags=("nsw",))
        following = builder.add(value, step)
        assert isinstance(node.target, ast.Name)
        self._put(node.target, value, self._found.operations[node.iter].result.dtype)
        self._iteration(node.body, builder.block, again, end)
        self._short_loops -= is_short
        builder.position_at_end(again)
        left.add_incoming(fewer, again)
        value.add_incoming(following, again)
        builder.branch(head)
        self._otherwise(node.orelse, otherwise, end)

    def _range(self, node: ast.For) -> tuple[Any, Any, Any]:
        """Return start, stop and step of a loop."""
        call = node.iter
        assert isinstance(call, ast.Call)
        made = self._found.operations[call]
        values = [
            self._expressions.value(*each) for each in zip(call.args, made.operands, strict=True)
        ]
        kind = llvm_type(made.result.dtype)
        if len(values) == 1:
            return kind(0), values[0], kind(1)
        return values[0], values[1], values[2] if len(values) > 2 else kind(1)

    def _trip_count(self, start: Any, stop: Any, step: Any) -> Any:
        """Return the number of iterations, computed as Numba does."""
        builder, kind = self._builder, start.type
        known = isinstance(step, ir.Constant)
        if not known or step.constant == 0:
            self._leave_if(builder.icmp_signed("==", step, kind(0)))
        diff = builder.sub(stop, start)
        rises = builder.icmp_signed(">", diff, kind(0))
        if known and step.constant == 1:
            return builder.select(rises, diff, kind(0))
        none = builder.xor(rises, builder.icmp_signed(">", step, kind(0)))
        before = builder.block
        with builder.if_then(builder.not_(none)):
            rest = builder.srem(diff, step)
            rest = builder.select(rises, rest, builder.neg(rest))
            uneven = builder.icmp_signed(">", rest, kind(0))
            more = builder.select(uneven, kind(1), kind(0))
            counted = builder.add(builder.sdiv(diff, step), more)
            inside = builder.block
        count = builder.phi(kind)
        count.add_incoming(kind(0), before)
        count.add_incoming(counted, inside)
        return count

    def _leave_if(self, wrong: Any) -> None:
        if self._on_error is None:
            raise NotInKernels("a step that may be 0, in a function of the library")
        with self._builder.if_then(wrong, likely=False):
            self._builder.ret(llvm_type(self._result)(self._on_error))

    def _return(self, node: ast.Return) -> None:
        assert node.value is not None
        if isinstance(node.value, ast.Call) and _name_of(node.value) in _SHARED:
            self._leave(node.value)
        else:
            self._builder.ret(self._expressions.value(node.value, self._result))

    def _leave(self, node: ast.Call) -> None:
        """Jump to the exit block that calls a library function."""
        made = self._found.operations[node]
        operands = [
            self._expressions.value(*each) for each in zip(node.args, made.operands, strict=True)
        ]
        self._exits.go(_name_of(node), made, operands)

    def _expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._expressions.value(node.value)

    def _nothing(self, node: ast.Pass) -> None:
        """Emit nothing."""

    def _break(self, node: ast.Break) -> None:
        self._builder.branch(self._loops[-1][1])

    def _continue(self, node: ast.Continue) -> None:
        self._builder.branch(self._loops[-1][0])


def _name_of(node: ast.Call) -> str:
    """Return the name of the called function."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_short(*bounds: Any) -> bool:
    """True if a loop has few iterations and LLVM knows how many."""
    if not all(isinstance(each, ir.Constant) for each in bounds):
        return False
    start, stop, step = (each.constant for each in bounds)
    return step != 0 and len(range(start, stop, step)) <= FEW


_STATEMENTS: Mapping[type[ast.AST], Callable[..., None]] = {
    ast.Assign: Emitter._store,
    ast.AnnAssign: Emitter._store,
    ast.AugAssign: Emitter._change,
    ast.If: Emitter._if,
    ast.While: Emitter._while,
    ast.For: Emitter._for,
    ast.Return: Emitter._return,
    ast.Expr: Emitter._expression,
    ast.Pass: Emitter._nothing,
    ast.Break: Emitter._break,
    ast.Continue: Emitter._continue,
}
