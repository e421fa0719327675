"""Sums of products over rows, as LLVM code that keeps the sums in registers.

A row is a line of numbers times one number. NumPy adds rows one after the other, so that the sums
of a line are independent of each other, and several vectors of them are added up at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ....jit.platforms import PROCESSOR
from ..machine_code.objects import features
from .vectors import I32, I64, while_

_AT_ONCE = (4, 2, 1)
"""Numbers of vectors of sums: with four, an addition need not wait for the one before."""


def row_products() -> dict[str, Any]:
    """Return `row_products_float64(into, x, x_step, y, y_step, rows, length)` and its like.

    They add `x[row] * y[row, k]` to `into[k]`, row after row. Steps are in bytes.
    """
    kinds = {"float64": types.float64, "float32": types.float32}
    return {f"row_products_{name}": _intrinsic(kind) for name, kind in kinds.items()}


def _intrinsic(kind: Any) -> Any:
    @intrinsic
    def products(  # noqa: PLR0913 (Numba wants each operand)
        typing: Any,
        into: Any,
        x: Any,
        x_step: Any,
        y: Any,
        y_step: Any,
        rows: Any,
        length: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.call(_function(builder.module, context.get_value_type(kind)), args)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), generate

    return products


def _function(module: Any, number: Any) -> Any:
    """Return the module's function."""
    name = f"framejit.row_products.{number}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 7), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    made = _Function(function, number)
    lanes = PROCESSOR.vector_bytes(features()) // made.size
    place: Any = I64(0)
    for vectors in _AT_ONCE:
        place = made.blocks(place, vectors, lanes)
    while lanes > 1:  # no lane may compute what the program does not: it would raise flags
        lanes //= 2
        place = made.blocks(place, 1, lanes)
    made.builder.ret_void()
    return function


class _Function:
    """The function for one type of numbers, while it is written."""

    def __init__(self, function: Any, number: Any) -> None:
        self.builder = ir.IRBuilder(function.append_basic_block())
        self.number = number
        self.size = 8 if isinstance(number, ir.DoubleType) else 4
        self.into, self.x, self.x_step, self.y, self.y_step, self.rows, self.length = function.args

    def blocks(self, place: Any, vectors: int, lanes: int) -> Any:
        """Emit a loop over blocks of the line while they fit; return where the rest begins."""
        builder, items = self.builder, I64(vectors * lanes)

        def fits(at: Any) -> Any:
            return builder.icmp_signed("<=", builder.add(at, items), self.length)

        with while_(builder, place, fits) as at:
            self._block(at, vectors, lanes)
            at.next = builder.add(at, items)
        return at

    def _block(self, place: Any, vectors: int, lanes: int) -> None:
        """Emit the loop over the rows of one block."""
        builder = self.builder
        offset = builder.mul(place, I64(self.size))
        into, y = builder.add(self.into, offset), builder.add(self.y, offset)
        cells = [self._cell(into, k, lanes) for k in range(vectors)]
        sums = [builder.load(cell, align=self.size) for cell in cells]
        before = builder.block
        head, body, end = (builder.append_basic_block() for _ in range(3))
        builder.branch(head)
        builder.position_at_end(head)
        row, x_at, y_at = (builder.phi(I64) for _ in range(3))
        found = [builder.phi(one.type) for one in sums]
        for phi, start in zip((row, x_at, y_at, *found), (I64(0), self.x, y, *sums), strict=True):
            phi.add_incoming(start, before)
        builder.cbranch(builder.icmp_signed("<", row, self.rows), body, end)
        builder.position_at_end(body)
        following = [
            builder.add(row, I64(1)),
            builder.add(x_at, self.x_step),
            builder.add(y_at, self.y_step),
            *self._added(found, x_at, y_at, lanes),
        ]
        for phi, value in zip((row, x_at, y_at, *found), following, strict=True):
            phi.add_incoming(value, builder.block)
        builder.branch(head)
        builder.position_at_end(end)
        for cell, total in zip(cells, found, strict=True):
            builder.store(total, cell, align=self.size)

    def _added(self, sums: Sequence[Any], x: Any, y: Any, lanes: int) -> list[Any]:
        """Return the sums after one row."""
        builder = self.builder
        vector = ir.VectorType(self.number, lanes)
        factor = builder.load(builder.inttoptr(x, self.number.as_pointer()))
        nothing = ir.Constant(vector, ir.Undefined)
        one = builder.insert_element(nothing, factor, I32(0))
        zeros = ir.Constant(ir.VectorType(I32, lanes), [0] * lanes)
        factors = builder.shuffle_vector(one, nothing, zeros)
        made = []
        for k, total in enumerate(sums):
            items = builder.load(self._cell(y, k, lanes), align=self.size)
            made.append(builder.fadd(total, builder.fmul(factors, items)))
        return made

    def _cell(self, address: Any, k: int, lanes: int) -> Any:
        """Return a pointer to a vector of a line."""
        vector = ir.VectorType(self.number, lanes)
        at = self.builder.add(address, I64(k * lanes * self.size))
        return self.builder.inttoptr(at, vector.as_pointer())
