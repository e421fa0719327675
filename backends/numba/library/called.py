"""Calls of NumPy's inner loops in LLVM code.

Their C signature is `loop(char **args, intp *dims, intp *steps, void *data)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .vectors import I64


class NumpysLoop:
    """Argument memory for calls of one loop in an LLVM function; the result is the last operand."""

    def __init__(self, builder: Any, loop: Any, data: Any, operands: int) -> None:
        """Allocate the argument memory; `builder` must be in the entry block of the function."""
        self._builder = builder
        self._loop, self._data = loop, data
        self._args, self._steps = (room(builder, I64, operands) for _ in range(2))
        self._count = room(builder, I64, 1)

    def call(self, args: Sequence[Any], steps: Sequence[Any], count: Any) -> None:
        """Emit a call; addresses and strides in bytes are ints."""
        builder = self._builder
        for at, numbers in ((self._args, args), (self._steps, steps), (self._count, (count,))):
            for place, number in enumerate(numbers):
                builder.store(number, builder.gep(at, [I64(place)]))
        words = [builder.ptrtoint(at, I64) for at in (self._args, self._count, self._steps)]
        kind = ir.FunctionType(ir.VoidType(), [I64] * 4).as_pointer()
        builder.call(builder.inttoptr(self._loop, kind), [*words, self._data])


def room(builder: Any, kind: Any, count: int) -> Any:
    """Allocate stack memory for some items and return a pointer to the first one."""
    slot = builder.alloca(ir.ArrayType(kind, count))
    slot.align = 64
    return builder.bitcast(slot, kind.as_pointer())


def line_of_two(function_of: Callable[[Any], Any]) -> Any:
    """Return an intrinsic for lines of two operands.

    In kernels it is `f(loop, data, source, step, by, step, target, step, n)`. `function_of` returns
    the LLVM function of a module that takes these nine ints.
    """

    @intrinsic
    def line(  # noqa: PLR0913 (Numba wants each operand)
        typing: Any,
        loop: Any,
        data: Any,
        a: Any,
        step: Any,
        b: Any,
        by: Any,
        to: Any,
        out: Any,
        n: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.call(function_of(builder.module), args)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 9), generate

    return line
