"""Remainders of lines of ints by one number, without the division instruction.

That instruction takes 10 to 20 cycles per item and has no vector form. With v = 1 / d, rounded, and
everything else exact,

   r0 = a - trunc(a v) d,  r1 = r0 - trunc(r0 v) d

satisfy |r0| < 2^13 + |d|, since a double keeps 53 of 64 bits, and |r1| <= |d|, where the sign of r1
may be wrong: adding or subtracting d once gives the remainder with the sign of d. (Division by a
precomputed reciprocal: Alverson, ARITH 1991.) For 32-bit items the first step is exact already, but
both are done. No flag other than "inexact" is raised.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from llvmlite import ir

from .called import NumpysLoop, line_of_two
from .names import REMAINDERS
from .vectors import DOUBLE, DOUBLES, I64, INTS, LANES, doubles, in_range, ints, spread

MOST = 2**50
"""Magnitude of the divisors handled here."""
_LARGEST = 2.0**63 - 1024
"""A quotient of 2**63, a multiple of 2 rounded up, becomes the double below: converting it to an
int could raise "invalid", and the remainder is still below 2**13."""
_GROUP = {bits: ir.VectorType(ir.IntType(bits), LANES) for bits in (32, 64)}


def remainders() -> dict[str, Any]:
    """Return `f(loop, data, source, step, by, step, target, step, n)` for each type of ints."""
    return {name: line_of_two(partial(_function, kind=name)) for name in REMAINDERS}


def _function(module: Any, kind: str) -> Any:
    """Return the module's function; lines that it does not handle go to NumPy's loop."""
    name = f"framejit.{kind}"
    if name in module.globals:
        return module.globals[name]
    bits, signed = int(kind[-2:]), "uint" not in kind
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 9), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("optsize")
    loop, data, source, step, by, by_step, target, out_step, count = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    numpys = NumpysLoop(builder, loop, data, operands=3)
    number = builder.load(builder.inttoptr(by, ir.IntType(bits).as_pointer()))
    divisor = _wide(builder, number, I64, signed)
    usual = builder.icmp_signed("==", by_step, I64(0))
    for each in (step, out_step):
        usual = builder.and_(usual, builder.icmp_signed("==", each, I64(bits // 8)))
    size = divisor
    if signed:
        negative = builder.icmp_signed("<", divisor, I64(0))
        size = builder.select(negative, builder.neg(divisor), divisor)
    for sign, bound in ((">", 1), ("<", MOST)):
        usual = builder.and_(usual, builder.icmp_signed(sign, size, I64(bound)))
    whole = builder.select(usual, builder.and_(count, I64(-LANES)), I64(0))
    with builder.if_then(builder.icmp_signed(">", whole, I64(0))):
        _write_groups(builder, (source, target), divisor, whole, bits, signed)
    rest = builder.sub(count, whole)
    with builder.if_then(builder.icmp_signed(">", rest, I64(0))):
        addresses = [
            builder.add(start, builder.mul(whole, each))
            for start, each in ((source, step), (by, by_step), (target, out_step))
        ]
        numpys.call(addresses, (step, by_step, out_step), rest)
    builder.ret_void()
    return function


def _wide(builder: Any, number: Any, kind: Any, signed: bool) -> Any:
    """Extend ints to 64 bits."""
    if number.type == kind:
        return number
    return builder.sext(number, kind) if signed else builder.zext(number, kind)


def _write_groups(
    builder: Any, ends: tuple[Any, Any], divisor: Any, count: Any, bits: int, signed: bool
) -> None:
    by = spread(builder, divisor)
    inverse = builder.fdiv(doubles(1.0), spread(builder, builder.sitofp(divisor, DOUBLE)))
    group, full = _GROUP[bits], bits == 64 and not signed
    with in_range(builder, count, LANES) as place:
        offset = builder.mul(place, I64(bits // 8))
        at, to = (
            builder.inttoptr(builder.add(start, offset), group.as_pointer()) for start in ends
        )
        given = _wide(builder, builder.load(at, align=bits // 8), INTS, signed)
        rest = given
        for first in (True, False):
            unsigned = first and full
            number = (builder.uitofp if unsigned else builder.sitofp)(rest, DOUBLES)
            times = builder.fmul(number, inverse)
            if unsigned:
                fits = builder.fcmp_ordered("<", times, doubles(_LARGEST))
                times = builder.select(fits, times, doubles(_LARGEST))
            rest = builder.sub(rest, builder.mul(builder.fptosi(times, INTS), by))
        rest = _between(builder, rest, by)
        if bits < 64:
            rest = builder.trunc(rest, group)
        builder.store(rest, to, align=bits // 8)


def _between(builder: Any, rest: Any, by: Any) -> Any:
    """Emit code that gives a remainder, no larger than the divisor, the divisor's sign."""
    nothing = ints(0)
    other = builder.icmp_signed("<", builder.xor(rest, by), nothing)
    wrong = builder.and_(other, builder.icmp_signed("!=", rest, nothing))
    rest = builder.select(wrong, builder.add(rest, by), rest)
    less = builder.sub(rest, by)
    alike = builder.icmp_signed(">=", builder.xor(less, by), nothing)
    over = builder.or_(alike, builder.icmp_signed("==", less, nothing))
    return builder.select(over, less, rest)
