"""Lines of doubles divided by one number, with the bits of the division instruction.

That instruction takes two cycles per item in vectors of any width. With r = 1 / b, rounded,

   q0 = a r,  q1 = q0 + (a - b q0) r,  q2 = q1 + (a - b q1) r

where each difference and each sum is one FMA. q0 is off by less than two ulp, so q1 is one of the
two doubles around a / b, and a - b q1 is exact; q2 is then a / b rounded to nearest (Markstein, IBM
J. Res. Dev. 34, 1990), if nothing overflows or underflows on the way. A group of eight with an item
for which that is uncertain, or with a zero, infinity or NaN, is divided by the instruction; all
flags are those of the instruction, as nothing else raises more than "inexact".
"""

from __future__ import annotations

from functools import partial
from typing import Any

from llvmlite import ir

from .called import line_of_two
from .vectors import (
    DOUBLE,
    DOUBLES,
    I8,
    I64,
    INTS,
    LANES,
    SIZE,
    bits_of,
    doubles,
    fma,
    in_range,
    ints,
    is_directed,
    spread,
)

LEAST, MOST = 2.0**-500, 2.0**500
"""Magnitudes of numbers for which multiplication is safe."""


def quotients() -> dict[str, Any]:
    """Return `quotients(loop, data, source, step, by, step, target, step, n)` by its name.

    It never calls NumPy's loop.
    """
    return {"quotients": line_of_two(_function)}


def _function(module: Any) -> Any:
    """Return the module's function."""
    name = "framejit.quotients"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 9), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("optsize")
    _, _, source, step, by, by_step, target, out_step, count = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    divisor = builder.load(_double_at(builder, by))
    size = builder.and_(builder.bitcast(divisor, I64), I64(SIZE))
    dense = (builder.icmp_signed("==", each, I64(8)) for each in (step, out_step))
    usual = builder.and_(*dense)
    for condition in (
        builder.icmp_signed("==", by_step, I64(0)),
        builder.icmp_signed(">=", count, I64(2 * LANES)),
        builder.icmp_unsigned(
            "<", builder.sub(size, I64(bits_of(LEAST))), I64(bits_of(MOST) - bits_of(LEAST))
        ),
        builder.not_(is_directed(builder)),
    ):
        usual = builder.and_(usual, condition)
    whole = builder.select(usual, builder.and_(count, I64(-LANES)), I64(0))
    with builder.if_then(usual):
        _write_groups(builder, source, divisor, target, whole)
    with in_range(builder, builder.sub(count, whole)) as place:
        at = builder.add(place, whole)
        items = (
            _double_at(builder, builder.add(start, builder.mul(at, each)))
            for start, each in ((source, step), (by, by_step), (target, out_step))
        )
        dividend, divisor, result = items
        builder.store(builder.fdiv(builder.load(dividend), builder.load(divisor)), result)
    builder.ret_void()
    return function


def _double_at(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, DOUBLE.as_pointer())


def _write_groups(builder: Any, source: Any, divisor: Any, target: Any, count: Any) -> None:
    by = spread(builder, divisor)
    inverse = builder.fdiv(doubles(1.0), by)
    pointer = DOUBLES.as_pointer()
    with in_range(builder, count, LANES) as place:
        offset = builder.shl(place, I64(3))
        at, to = (
            builder.inttoptr(builder.add(start, offset), pointer) for start in (source, target)
        )
        given = builder.load(at, align=8)
        size = builder.and_(builder.bitcast(given, INTS), ints(SIZE))
        width = ints(bits_of(MOST) - bits_of(LEAST))
        fits = builder.icmp_unsigned("<", builder.sub(size, ints(bits_of(LEAST))), width)
        all_fit = builder.icmp_signed("==", builder.bitcast(fits, I8), I8(-1))
        with builder.if_else(all_fit, likely=True) as (then, otherwise):
            with then:
                builder.store(_divided(builder, given, by, inverse), to, align=8)
            with otherwise:
                builder.store(builder.fdiv(given, by), to, align=8)


def _divided(builder: Any, given: Any, by: Any, inverse: Any) -> Any:
    fused = partial(fma, builder)
    minus = builder.fneg(by)
    quotient = builder.fmul(given, inverse)
    for _ in range(2):
        quotient = fused(fused(minus, quotient, given), inverse, quotient)
    return quotient
