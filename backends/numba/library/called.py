"""NumPy's loop as LLVM code calls it: `loop(char **args, intp *dims, intp *steps, void *data)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .vectors import I64


class NumpysLoop:
    """A loop over lines of some operands, the result the last of them, in one function."""

    def __init__(self, builder: Any, loop: Any, data: Any, operands: int) -> None:
        """Makes room for what it is handed: `builder` is in the first block of the function."""
        self._builder = builder
        self._loop, self._data = loop, data
        self._args, self._steps = (room(builder, I64, operands) for _ in range(2))
        self._count = room(builder, I64, 1)

    def call(self, args: Sequence[Any], steps: Sequence[Any], count: Any) -> None:
        """Emits a call; addresses and steps in bytes are ints."""
        builder = self._builder
        for at, numbers in ((self._args, args), (self._steps, steps), (self._count, (count,))):
            for place, number in enumerate(numbers):
                builder.store(number, builder.gep(at, [I64(place)]))
        words = [builder.ptrtoint(at, I64) for at in (self._args, self._count, self._steps)]
        kind = ir.FunctionType(ir.VoidType(), [I64] * 4).as_pointer()
        builder.call(builder.inttoptr(self._loop, kind), [*words, self._data])


def room(builder: Any, kind: Any, count: int) -> Any:
    """Memory of a function, as a pointer to the first of some items."""
    slot = builder.alloca(ir.ArrayType(kind, count))
    slot.align = 64
    return builder.bitcast(slot, kind.as_pointer())


def line_of_two(function_of: Callable[[Any], Any]) -> Any:
    """`f(loop, data, source, step, by, step, target, step, n)` of kernels: lines of two operands.

    `function_of` gives the LLVM function of a module that takes the same nine ints.
    """

    @intrinsic
    def line(
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
