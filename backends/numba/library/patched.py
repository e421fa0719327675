"""Computes lines of doubles eight at a time, leaving uncertain items to NumPy's own loop.

A line is processed in chunks. The computed mask tells which items are certain; the others are
gathered without a branch for each, passed to NumPy's loop in one call, and scattered back. Flags
for these items are those of NumPy's loop; code here must not raise any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .called import NumpysLoop, line_of_two, room
from .vectors import (
    DOUBLE,
    DOUBLES,
    I1,
    I8,
    I64,
    LANES,
    doubles,
    in_range,
    is_directed,
    set_bits,
    spread,
)

CHUNK = 512
"""Number of items computed before NumPy's loop is called. As a block (items.py) has as many, one
call suffices for it, as if NumPy's loop did all of it."""
_WORD = 64

Evaluate = Callable[[Any, Any, Any], tuple[Any, Any]]
"""Emits results for eight numbers, and a mask of certain ones: (builder, numbers, extra number)."""


def line_of(name: str, evaluate: Evaluate, more: int = 0) -> Any:
    """Return the intrinsic `f(loop, data, source, step, target, step, count)`."""

    @intrinsic
    def line(  # noqa: PLR0913 (Numba wants each operand)
        typing: Any, loop: Any, data: Any, source: Any, step: Any, target: Any, out: Any, n: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.call(_function_of_one(builder.module, name, evaluate), [*args, I64(more)])
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), generate

    return line


def line_with_number(name: str, evaluate: Evaluate) -> Any:
    """Return the intrinsic `f(loop, data, source, step, by, step, target, step, count)`.

    It handles lines combined with one number, whose bits `evaluate` gets; two lines go to NumPy.
    """
    return line_of_two(partial(_function_of_two, name=name, evaluate=evaluate))


def _function_of_one(module: Any, name: str, evaluate: Evaluate) -> Any:
    """Return the module's function `f(loop, data, source, step, target, step, count, more)`."""
    if name in module.globals:
        return module.globals[name]
    builder, args = _begun(module, name, 8)
    loop, data, source, step, target, out_step, count, more = args
    line = _Line(builder, evaluate, NumpysLoop(builder, loop, data, operands=2), (), more)
    line.write_all(source, step, target, out_step, count, I1(0))
    return module.globals[name]


def _function_of_two(module: Any, name: str, evaluate: Evaluate) -> Any:
    """Return the module's function `f(loop, data, source, step, by, step, target, step, count)`."""
    if name in module.globals:
        return module.globals[name]
    builder, args = _begun(module, name, 9)
    loop, data, source, step, by, by_step, target, out_step, count = args
    number = builder.load(builder.inttoptr(by, I64.as_pointer()))
    numpys = NumpysLoop(builder, loop, data, operands=3)
    line = _Line(builder, evaluate, numpys, ((by, by_step),), number)
    two = builder.icmp_signed("!=", by_step, I64(0))
    line.write_all(source, step, target, out_step, count, two)
    return module.globals[name]


def _begun(module: Any, name: str, count: int) -> tuple[Any, Any]:
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * count), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("optsize")  # compiles in 30 ms less
    return ir.IRBuilder(function.append_basic_block()), function.args


class _Line:
    """Emits the code for a line, with buffers of a chunk's size."""

    def __init__(
        self,
        builder: Any,
        evaluate: Evaluate,
        numpys: NumpysLoop,
        between: Sequence[tuple[Any, Any]],
        more: Any,
    ) -> None:
        self.builder = builder
        self.evaluate = evaluate
        self.numpys = numpys
        self.between = between
        """Address and stride of the operands between the first one and the result."""
        self.more = spread(builder, more)
        self.given, self.made, self.picked = (room(builder, DOUBLE, CHUNK) for _ in range(3))
        self.places = room(builder, I64, CHUNK)
        self.doubtful = room(builder, I64, CHUNK // _WORD)
        """One bit for each item of a chunk: set if it is uncertain."""
        self.count = builder.alloca(I64)

    def _address(self, room: Any) -> Any:
        return self.builder.ptrtoint(room, I64)

    def write_all(
        self, source: Any, step: Any, target: Any, out_step: Any, count: Any, is_numpys: Any
    ) -> None:
        """Emit the loop over chunks, and the end of the function."""
        builder = self.builder
        few = builder.icmp_signed("<", count, I64(LANES))
        with builder.if_then(builder.or_(builder.or_(few, is_numpys), is_directed(builder))):
            self._call(source, step, target, out_step, count)
            builder.ret_void()
        with in_range(builder, count, CHUNK) as first:
            rest = builder.sub(count, first)
            size = builder.select(builder.icmp_signed("<", rest, I64(CHUNK)), rest, I64(CHUNK))
            at = builder.add(source, builder.mul(first, step))
            to = builder.add(target, builder.mul(first, out_step))
            self._write(at, step, to, out_step, size)
        builder.ret_void()

    def _call(self, source: Any, step: Any, target: Any, out_step: Any, count: Any) -> None:
        """Emit a call of NumPy's loop."""
        operands = ((source, step), *self.between, (target, out_step))
        args, steps = zip(*operands, strict=True)
        self.numpys.call(args, steps, count)

    def _write(self, source: Any, step: Any, target: Any, out_step: Any, size: Any) -> None:
        """Emit the code for a chunk; whole groups of eight without gaps are processed in place."""
        builder, pointer = self.builder, DOUBLE.as_pointer()
        whole = builder.icmp_signed("==", builder.and_(size, I64(LANES - 1)), I64(0))
        apart = builder.icmp_signed("!=", source, target)  # uncertain items are read again later
        dense, dense_out = (builder.icmp_signed("==", each, I64(8)) for each in (step, out_step))
        reads = builder.and_(builder.and_(whole, dense), apart)
        writes = builder.and_(whole, dense_out)
        given = builder.select(reads, builder.inttoptr(source, pointer), self.given)
        made = builder.select(writes, builder.inttoptr(target, pointer), self.made)
        with builder.if_then(builder.not_(reads)):
            last = builder.gep(self.given, [builder.and_(builder.sub(size, I64(1)), I64(-LANES))])
            builder.store(doubles(1.0), builder.bitcast(last, DOUBLES.as_pointer()), align=8)
            self._copy(source, step, self._address(self.given), I64(8), size)
        self._compute(given, made, size)
        self._patch(given, made)
        with builder.if_then(builder.not_(writes)):
            self._copy(self._address(self.made), I64(8), target, out_step, size)

    def _copy(self, source: Any, step: Any, target: Any, out_step: Any, size: Any) -> None:
        builder, pointer = self.builder, DOUBLE.as_pointer()
        with in_range(builder, size) as place:
            at = builder.inttoptr(builder.add(source, builder.mul(place, step)), pointer)
            to = builder.inttoptr(builder.add(target, builder.mul(place, out_step)), pointer)
            builder.store(builder.load(at), to)

    def _compute(self, given: Any, made: Any, size: Any) -> None:
        """Emit the computation of a chunk and the bits of uncertain items."""
        builder = self.builder
        for word in range(CHUNK // _WORD):
            builder.store(I64(0), builder.gep(self.doubtful, [I64(word)]))
        marks = builder.bitcast(self.doubtful, I8.as_pointer())
        with in_range(builder, size, LANES) as place:
            at, to = (
                builder.bitcast(builder.gep(room, [place]), DOUBLES.as_pointer())
                for room in (given, made)
            )
            results, certain = self.evaluate(builder, builder.load(at, align=8), self.more)
            builder.store(results, to, align=8)
            mark = builder.not_(builder.bitcast(certain, I8))
            builder.store(mark, builder.gep(marks, [builder.lshr(place, I64(3))]))

    def _patch(self, given: Any, made: Any) -> None:
        """Emit the replacement of uncertain items by NumPy's results."""
        builder = self.builder
        self._pick(given)
        count = builder.load(self.count)
        with builder.if_then(builder.icmp_signed("!=", count, I64(0))):
            picked = self._address(self.picked)
            self._call(picked, I64(8), picked, I64(8), count)
            with in_range(builder, count) as place:
                result = builder.load(builder.gep(self.picked, [place]))
                where = builder.load(builder.gep(self.places, [place]))
                builder.store(result, builder.gep(made, [where]))

    def _pick(self, given: Any) -> None:
        """Emit code that gathers uncertain items and their positions, word by word."""
        builder = self.builder
        builder.store(I64(0), self.count)
        with in_range(builder, I64(CHUNK), _WORD) as start:
            word = builder.gep(self.doubtful, [builder.lshr(start, I64(6))])
            with set_bits(builder, builder.load(word)) as bit:
                place = builder.add(start, bit)
                count = builder.load(self.count)
                builder.store(place, builder.gep(self.places, [count]))
                item = builder.load(builder.gep(given, [place]))
                builder.store(item, builder.gep(self.picked, [count]))
                builder.store(builder.add(count, I64(1)), self.count)
