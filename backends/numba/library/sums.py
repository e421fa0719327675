"""Sums of lines in NumPy's order, as LLVM code.

Fewer than eight numbers are added one by one, up to 128 in eight sums side by side (one vector
here); longer lines are the sums of their halves. pairwise.py tests that NumPy does so.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .pairwise_blocks import LANES, MOST

_I64 = ir.IntType(64)


def sums() -> dict[str, Any]:
    """Return `pairwise_float64(address, count)` and its like by their names in kernels."""
    kinds = {"float64": types.float64, "float32": types.float32}
    return {f"pairwise_{name}": _intrinsic(kind) for name, kind in kinds.items()}


def _intrinsic(kind: Any) -> Any:
    @intrinsic
    def pairwise(typing: Any, address: Any, count: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            number = context.get_value_type(kind)
            return builder.call(_function(builder.module, number), args)

        return kind(types.int64, types.int64), generate

    return pairwise


def _function(module: Any, number: Any) -> Any:
    """Return the module's recursive function that sums a line."""
    name = f"framejit.pairwise.{number}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(number, [_I64, _I64]), name)
    function.linkage = "internal"
    address, count = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    items = builder.inttoptr(address, number.as_pointer())
    with builder.if_then(builder.icmp_signed("<", count, _I64(LANES))):
        builder.ret(_one_by_one(builder, items, _I64(0), count, number(-0.0)))
    with builder.if_then(builder.icmp_signed("<=", count, _I64(MOST))):
        whole = builder.and_(count, _I64(-LANES))
        total = _side_by_side(builder, items, whole)
        builder.ret(_one_by_one(builder, items, whole, count, total))
    half = builder.and_(builder.ashr(count, _I64(1)), _I64(-LANES))
    behind = builder.ptrtoint(builder.gep(items, [half]), _I64)
    first = builder.call(function, [address, half])
    second = builder.call(function, [behind, builder.sub(count, half)])
    builder.ret(builder.fadd(first, second))
    return function


def _one_by_one(builder: Any, items: Any, start: Any, stop: Any, total: Any) -> Any:
    """Add the items from `start` on to `total`, one by one."""
    return _loop(
        builder,
        (start, stop, _I64(1)),
        total,
        lambda place, total: builder.fadd(total, builder.load(builder.gep(items, [place]))),
    )


def _side_by_side(builder: Any, items: Any, stop: Any) -> Any:
    """Add eight interleaved sums, then join neighbours repeatedly."""
    number = items.type.pointee
    vector = ir.VectorType(number, LANES)
    size = 8 if isinstance(number, ir.DoubleType) else 4

    def at(place: Any) -> Any:
        there = builder.bitcast(builder.gep(items, [place]), vector.as_pointer())
        return builder.load(there, align=size)

    total = _loop(
        builder,
        (_I64(LANES), stop, _I64(LANES)),
        at(_I64(0)),
        lambda place, total: builder.fadd(total, at(place)),
    )
    width = LANES
    while width > 1:
        left, right = (_every_second(builder, total, first, width) for first in (0, 1))
        total = builder.fadd(left, right)
        width //= 2
    return builder.extract_element(total, ir.IntType(32)(0))


def _every_second(builder: Any, vector: Any, first: int, width: int) -> Any:
    places = ir.Constant(ir.VectorType(ir.IntType(32), width // 2), list(range(first, width, 2)))
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), places)


def _loop(builder: Any, bounds: tuple[Any, Any, Any], total: Any, add: Any) -> Any:
    """Emit `for place in range(*bounds): total = add(place, total)` and return the total."""
    start, stop, step = bounds
    before = builder.block
    head, body, end = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    place, found = builder.phi(_I64), builder.phi(total.type)
    place.add_incoming(start, before)
    found.add_incoming(total, before)
    builder.cbranch(builder.icmp_signed("<", place, stop), body, end)
    builder.position_at_end(body)
    made = add(place, found)
    place.add_incoming(builder.add(place, step), builder.block)
    found.add_incoming(made, builder.block)
    builder.branch(head)
    builder.position_at_end(end)
    return found
