"""Powers of doubles with one exponent, with the bits of NumPy's loop, where only one is possible.

As in sines.py: x**y is the exponential of y log x, which is known as a product with its error by
FMA (logarithms.py, exponentials.py). The logarithm is wrong by less than 2**-68.5, or 2**-60.9 of
itself where that is less, so that for exponents up to 64 the power is wrong by less than 2**-62.5
more than an exponential is: 2**-59.5 of itself, or 2**-6.5 units in the last place.

glibc's own is wrong by less than 0.509 units and 1.3 * 2**-15 more for each unit of y log x
(sysdeps/ieee754/dbl-64/e_pow.c, since 2.28; with FMA), which is 64 at most here. NumPy squares
where y is 2, which gives the nearest double: where a power is certain, it is that one. Where y is
an int, the power of a negative number is that of its size, with its sign where y is odd: in C too.
"""

from __future__ import annotations

from typing import Any

from .exponentials import rounded_of
from .logarithms import sum_of
from .patched import line_with_number
from .vectors import DOUBLES, INTS, LANES, SIZE, bits_of, declared, doubles, fma, ints

LEAST, MOST = 2.0**-200, 64.0
"""Sizes of exponents: products with smaller ones might raise "underflow"."""
MOST_OF_ALL = 64.0
"""Of y log x: results are far from being too large or too small."""


def powers() -> dict[str, Any]:
    """By the name in kernels: `powers(loop, data, source, step, by, step, target, step, n)`."""
    return {"powers": line_with_number("framejit.powers", _evaluate)}


def _evaluate(builder: Any, given: Any, more: Any) -> tuple[Any, Any]:
    """The powers, and where they are certain; `more` is the bits of the exponent."""
    least, most = ints(bits_of(LEAST)), ints(bits_of(MOST))
    size = builder.sub(builder.and_(more, ints(SIZE)), least)
    usual = builder.icmp_unsigned("<=", size, builder.sub(most, least))
    exponent = builder.select(usual, builder.bitcast(more, DOUBLES), doubles(1.0))

    trunc = declared(builder.module, f"llvm.trunc.v{LANES}f64", DOUBLES, [DOUBLES])
    half = builder.fmul(exponent, doubles(0.5))
    is_whole = builder.fcmp_ordered("==", builder.call(trunc, [exponent]), exponent)
    is_odd = builder.fcmp_unordered("!=", builder.call(trunc, [half]), half)
    is_odd = builder.and_(is_whole, is_odd)
    bits = builder.bitcast(given, INTS)
    size = builder.select(is_whole, builder.and_(bits, ints(SIZE)), bits)
    sign = builder.select(is_odd, builder.and_(bits, ints(-SIZE - 1)), ints(0))

    hi, lo, inside = sum_of(builder, builder.bitcast(size, DOUBLES))
    product = builder.fmul(exponent, hi)
    error = fma(builder, exponent, hi, builder.fneg(product))
    height = builder.and_(builder.bitcast(product, INTS), ints(SIZE))
    near = builder.icmp_unsigned("<=", height, ints(bits_of(MOST_OF_ALL)))
    inside = builder.and_(builder.and_(usual, inside), near)
    argument = builder.select(near, product, doubles(0.0))
    result, clear = rounded_of(builder, argument, fma(builder, exponent, lo, error))
    result = builder.bitcast(builder.or_(builder.bitcast(result, INTS), sign), DOUBLES)
    return result, builder.and_(inside, clear)
