"""Vectorised powers of doubles with one exponent, with the bits of NumPy's loop.

As in sines.py, uncertain items are left to NumPy. x**y is the exponential of y log x, a product
known with its error by FMA (logarithms.py, exponentials.py). The logarithm is off by less than
2**-68.5, or 2**-60.9 of itself if that is less, so that for exponents up to 64 a power is off by
less than 2**-62.5 more than an exponential is: 2**-59.5 of itself, or 2**-6.5 units in the last
place.

glibc's error is below 0.509 ulp plus 1.3 * 2**-15 for each unit of y log x (e_pow.c in
sysdeps/ieee754/dbl-64, since 2.28; with FMA), which is at most 64 here. For y = 2 NumPy squares,
which gives the nearest double, as does a certain power. For an int y, the power of a negative
number is that of its magnitude, negated if y is odd, as in C.
"""

from __future__ import annotations

from typing import Any

from .exponentials import rounded_of
from .logarithms import sum_of
from .patched import line_with_number
from .vectors import DOUBLES, INTS, LANES, SIZE, bits_of, declared, doubles, fma, ints

LEAST, MOST = 2.0**-200, 64.0
"""Magnitudes of exponents; products with smaller ones might raise "underflow"."""
MOST_OF_ALL = 64.0
"""Largest y log x: results are far from overflow and underflow."""


def powers() -> dict[str, Any]:
    """Return `powers(loop, data, source, step, by, step, target, step, n)` by its kernel name."""
    return {"powers": line_with_number("framejit.powers", _evaluate)}


def _evaluate(builder: Any, given: Any, more: Any) -> tuple[Any, Any]:
    """Return powers, and a mask of those that are certain; `more` has the exponent's bits."""
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
