"""Scalar arithmetic for which LLVM has no instruction."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from .complexes import complexes

_I64 = ir.IntType(64)
_HALF = _I64(int(np.float64(0.5).view(np.int64)))


def arithmetic() -> dict[str, Any]:
    """Return the functions by their names in kernels."""
    return {
        **{f"wrapped_{name}": _wrapping_intrinsic(name) for name in ("add", "sub", "mul")},
        "add_overflows": _overflow_intrinsic("sadd_with_overflow"),
        "sub_overflows": _overflow_intrinsic("ssub_with_overflow"),
        "mul_overflows": _overflow_intrinsic("smul_with_overflow"),
        "umul_overflows": _overflow_intrinsic("umul_with_overflow", types.uint64),
        "libm1": _library_intrinsic(1),
        "libm2": _library_intrinsic(2),
        "libm2f": _library_intrinsic(2, types.float32),
        "square": square,
        "truncated": truncated,
        "floor": _rounding_intrinsic("floor"),
        "ceil": _rounding_intrinsic("ceil"),
        **_quotients(),
        "natural_rest": natural_rest,
        "natural_quotient": natural_quotient,
        "times": times,
        "trip_count": trip_count,
        "over": _division(np.float64(1)),
        "overf": _division(np.float32(1)),
        "through": through,
        **complexes(),
        "bounded": bounded,
    }


def _wrapping_intrinsic(operation: str) -> Any:
    """Return an intrinsic for integer arithmetic that wraps around.

    Numba's own promises LLVM that no overflow occurs, so that `x + y < x` becomes `y < 0`.
    """

    @intrinsic
    def wrapped(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, operation)(*args)

        return left(left, left), generate

    return wrapped


def _overflow_intrinsic(operation: str, kind: Any = types.int64) -> Any:
    """Return an intrinsic that is true if a 64-bit integer operation overflows."""

    @intrinsic
    def overflows(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pair = getattr(builder, operation)(*args)
            return builder.extract_value(pair, 1)

        return types.boolean(kind, kind), generate

    return overflows


def _library_intrinsic(arity: int, kind: Any = types.float64) -> Any:
    """Return an intrinsic that calls a C function on doubles, or floats, by its address."""

    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.DoubleType() if kind is types.float64 else ir.FloatType()
        function_type = ir.FunctionType(number, [number] * arity)
        target = builder.inttoptr(args[0], function_type.as_pointer())
        return builder.call(target, args[1:])

    if arity == 1:

        @intrinsic
        def call(typing: Any, function: Any, first: Any) -> Any:
            return kind(types.int64, kind), make

        return call

    @intrinsic
    def call2(typing: Any, function: Any, first: Any, second: Any) -> Any:
        return kind(types.int64, kind, kind), make

    return call2


@intrinsic
def square(typing: Any, power: Any, value: Any) -> Any:
    """Compute `pow(value, 2.0)`: as a product if that is certain, else by calling `pow`.

    For numbers that are neither huge nor tiny, glibc's `pow` is off by less than 0.516 ulp
    (e_pow.c: 0.511 from exp, 0.004 from log). If the exact square is within 0.484 ulp of the
    rounded product, `pow` rounds to the product too. So the product is certain if adding its error
    times 0.5 / 0.484 does not change it.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        double = ir.DoubleType()
        function, number = args
        product, one = builder.fmul(number, number), ir.Constant(double, 1.0)
        first, last = (int(np.float64(bound).view(np.int64)) for bound in (2.0**-64, 2.0**64))
        place = builder.sub(builder.bitcast(product, _I64), ir.Constant(_I64, first))
        inside = builder.icmp_unsigned("<", place, ir.Constant(_I64, last - first))
        # The error term of an infinity would raise "invalid".
        base, squared = (builder.select(inside, value, one) for value in (number, product))
        error = builder.fma(base, base, builder.fneg(squared))
        beside = builder.fma(error, ir.Constant(double, 0.5 / 0.484), squared)
        certain = builder.and_(builder.fcmp_ordered("==", beside, squared), inside)
        before = builder.block
        with builder.if_then(builder.not_(certain), likely=False):
            function_type = ir.FunctionType(double, [double, double])
            target = builder.inttoptr(function, function_type.as_pointer())
            called = builder.call(target, [number, ir.Constant(double, 2.0)])
            slow = builder.block
        result = builder.phi(double)
        result.add_incoming(product, before)
        result.add_incoming(called, slow)
        return result

    return types.float64(types.int64, types.float64), generate


@register_jitable
def trip_count(start: int, stop: int, step: int) -> int:
    """Return the number of items of a range, but at most 2**63 - 1."""
    if step == 0 or (stop <= start if step > 0 else stop >= start):
        return 0
    if step > 0:
        between = (np.uint64(stop) - np.uint64(start) - np.uint64(1)) // np.uint64(step)
    else:
        between = (np.uint64(start) - np.uint64(stop) - np.uint64(1)) // np.uint64(-step)
    return int(np.int64(min(between, np.uint64(2**63 - 2)))) + 1


def _of_bits(condition: Callable[[Any, Any], Any]) -> Any:
    """Return an intrinsic that tests the bits of a double."""

    @intrinsic
    def holds(typing: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return condition(builder, builder.bitcast(args[0], _I64))

        return types.boolean(types.float64), generate

    return holds


is_negative = _of_bits(lambda builder, bits: builder.icmp_signed("<", bits, _I64(0)))
"""True for a set sign bit, even of zeros and NaN."""
is_beyond_half = _of_bits(lambda builder, bits: builder.icmp_signed(">", bits, _HALF))
"""True above 0.5, for numbers that are not negative."""


def _quotients() -> dict[str, Any]:
    """Return `//` and `%` of doubles, with the sign of the divisor, as in CPython and NumPy.

    Both call the C library's `fmod`, whose address is the first argument. Signs are read from bits,
    since comparison instructions would raise "invalid" for NaN.
    """
    fmod, floor = _library_intrinsic(2), _rounding_intrinsic("floor")

    @register_jitable
    def remainder(function: int, left: float, right: float) -> float:
        rest: float = fmod(function, left, right)
        if right == 0.0:
            return rest
        if rest == 0.0:
            return copysign(0.0, right)
        return rest + right if is_negative(right) != is_negative(rest) else rest

    @register_jitable
    def floor_divide(function: int, left: float, right: float) -> float:
        if right == 0.0:
            return left / right
        rest: float = fmod(function, left, right)
        quotient: float = (left - rest) / right
        if rest != 0.0 and is_negative(right) != is_negative(rest):
            quotient -= 1.0
        if quotient == 0.0:
            return copysign(0.0, left / right)
        whole: float = floor(quotient)
        return whole + 1.0 if is_beyond_half(quotient - whole) else whole

    return {"remainder": remainder, "floor_divide": floor_divide}


def _by_natural(make: Callable[[Any, Any, Any], Any]) -> Any:
    """Return an intrinsic for a function of two ints, the second one positive, that rounds down."""

    @intrinsic
    def divide(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return make(builder, *args)

        return types.int64(types.int64, types.int64), generate

    return divide


def _rest(builder: Any, left: Any, right: Any) -> Any:
    rest = builder.srem(left, right)
    below = builder.ashr(rest, ir.Constant(_I64, 63))
    return builder.add(rest, builder.and_(below, right))


def _quotient(builder: Any, left: Any, right: Any) -> Any:
    quotient = builder.sdiv(left, right)
    rest = builder.sub(left, builder.mul(quotient, right))
    return builder.add(quotient, builder.ashr(rest, ir.Constant(_I64, 63)))


natural_rest, natural_quotient = _by_natural(_rest), _by_natural(_quotient)


def _rounding_intrinsic(name: str) -> Any:
    """Return an intrinsic that rounds a double to a whole number."""

    @intrinsic
    def rounded(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = builder.module.declare_intrinsic(f"llvm.{name}", [ir.DoubleType()])
            return builder.call(function, args)

        return types.float64(types.float64), generate

    return rounded


@intrinsic
def truncated(typing: Any, value: Any) -> Any:
    """Convert a double to an int; the smallest int stands for values out of range and NaN."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = ir.VectorType(ir.DoubleType(), 2)
        name = "llvm.x86.sse2.cvttsd2si64"
        function = builder.module.declare_intrinsic(name, (), ir.FunctionType(_I64, [pair]))
        place = ir.Constant(ir.IntType(32), 0)
        return builder.call(function, [builder.insert_element(pair(ir.Undefined), args[0], place)])

    return types.int64(types.float64), generate


@register_jitable
def bounded(place: int, length: int) -> int:
    """Return a slice bound counted from the start and clipped to the length of the axis."""
    if place < 0:
        place = max(0, place + length)
    return min(place, length)


@register_jitable
def times(left: complex, right: complex) -> complex:
    """Return the product of two complex numbers, with each operation rounded separately."""
    real = left.real * right.real - left.imag * right.imag
    return complex(real, left.real * right.imag + left.imag * right.real)


def _division(one: Any) -> Any:
    """Return the quotient of complex numbers as NumPy's scalars compute it (Smith 1962).

    `one` is the number 1 in the precision of the parts.
    """

    @register_jitable
    def over(left: complex, right: complex) -> complex:
        size_real = abs(right.real)
        size_imag = abs(right.imag)
        if size_real >= size_imag:
            if size_real == 0 and size_imag == 0:
                return complex(left.real / size_real, left.imag / size_real)
            ratio = right.imag / right.real
            scale = one / (right.real + right.imag * ratio)
            real = (left.real + left.imag * ratio) * scale
            return complex(real, (left.imag - left.real * ratio) * scale)
        ratio = right.real / right.imag
        scale = one / (right.imag + right.real * ratio)
        real = (left.real * ratio + left.imag) * scale
        return complex(real, (left.imag * ratio - left.real) * scale)

    return over


@register_jitable
def through(left: complex, right: complex) -> complex:
    """Return the quotient of two complex numbers as CPython does; the divisor must not be zero."""
    size_real = abs(right.real)
    size_imag = abs(right.imag)
    if size_real >= size_imag:
        ratio = right.imag / right.real
        scale = right.real + right.imag * ratio
        real = (left.real + left.imag * ratio) / scale
        return complex(real, (left.imag - left.real * ratio) / scale)
    if size_imag >= size_real:
        ratio = right.real / right.imag
        scale = right.real * ratio + right.imag
        real = (left.real * ratio + left.imag) / scale
        return complex(real, (left.imag * ratio - left.real) / scale)
    return complex(np.nan, np.nan)
