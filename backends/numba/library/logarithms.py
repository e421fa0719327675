"""Vectorised logarithms of doubles with the bits of NumPy's loop.

As in sines.py, a result hi + lo is computed; items near a rounding boundary, and those that are not
normal positive numbers, are left to NumPy. With x = 2**k z, z near 1, and c the inverse of the
middle of the interval that contains z (Tang, ACM TOMS 16, 1990),

   log x = k ln 2 - log c + log(1 + r),    r = z c - 1

where |r| < 2**-7.9. r is known exactly, as a difference and the error of z c by FMA. ln 2 and log c
have two parts each, the first a multiple of 2**-42, so that their sum A is exact. c is 1 where z is
near 1: there A is 0 and r is the leading term; elsewhere the result exceeds 2**-9.1. Errors
relative to the result:

   2**-61    each of two roundings in the series times r**2, which is 2**-17 at most
   2**-62    each of two where the small parts are added
   2**-65    r**9/9, the first term omitted

In total less than 2**-59.4, or 2**-6.4 units in the last place.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise
from typing import Any

from .exact import LN2, ONE, logarithm, rounded, without
from .patched import line_of
from .vectors import DOUBLE, DOUBLES, INTS, bits_of, doubles, fma, gather, ints, table

LEAST = 2.0**-1022
"""Smallest argument computed here; smaller numbers are subnormal."""
MARGIN = 1 / 24
"""Distance from a rounding boundary, in ulp, within which a result is left to NumPy. It must exceed
the combined errors of NumPy's loop and of this code. glibc states 0.519
(sysdeps/ieee754/dbl-64/e_log.c, since 2.28; with FMA), of which half an ulp is the final rounding,
so that results next to a power of two are certain too."""
_BITS = 7
_PARTS = 1 << _BITS
_BIAS = 1023
_FRACTION = 52
_LOWEST = bits_of(0.6875) + (1 << _FRACTION - _BITS - 1)
"""Bits of the smallest z: half an interval above 0.6875, so that 1 lies inside an interval."""
_STEP = 2.0**-42


def logarithms() -> dict[str, Any]:
    """Return `logarithms(loop, data, source, step, target, step, count)` by its name in kernels."""
    return {"logarithms": line_of("framejit.logarithms", _evaluate)}


@cache
def _tables() -> tuple[list[float], list[float], list[float]]:
    """Return c for each interval, and -log(c) in two parts."""
    edges = [_double(_LOWEST + (k << _FRACTION - _BITS)) for k in range(_PARTS + 1)]
    inverses = [1.0 if low <= 1.0 < high else 2 / (low + high) for low, high in pairwise(edges)]
    exact = [-logarithm(int(inverse * 2.0**60) * (ONE >> 60)) for inverse in inverses]
    heads = [round(number / ONE / _STEP) * _STEP for number in exact]
    return inverses, heads, [without(*parts) for parts in zip(exact, heads, strict=True)]


def _double(bits: int) -> float:
    return float.fromhex(f"0x1.{bits & (1 << _FRACTION) - 1:013x}p{(bits >> _FRACTION) - _BIAS}")


def _evaluate(builder: Any, given: Any, more: Any) -> tuple[Any, Any]:
    """Return logarithms, and a mask of those that are certain."""
    hi, lo, inside = sum_of(builder, given)
    beyond = fma(builder, lo, doubles(0.5 / (0.5 - MARGIN)), hi)
    return hi, builder.and_(inside, builder.fcmp_ordered("==", beyond, hi))


def sum_of(builder: Any, given: Any) -> tuple[Any, Any, Any]:
    """Return hi, lo and a mask of normal positive arguments; others get 0."""
    least, infinite = bits_of(LEAST), bits_of(float("inf"))
    above = builder.sub(builder.bitcast(given, INTS), ints(least))
    inside = builder.icmp_unsigned("<", above, ints(infinite - least))
    return *_sum(builder, builder.select(inside, given, doubles(1.0))), inside


def _sum(builder: Any, x: Any) -> tuple[Any, Any]:
    mul, add, sub = builder.fmul, builder.fadd, builder.fsub
    fused = partial(fma, builder)
    k, z, place = _parted(builder, x)
    c, head, tail = _look_up(builder, place)
    product = mul(z, c)
    r, rest = sub(product, doubles(1.0)), fused(z, c, builder.fneg(product))

    ln2 = rounded(LN2, 42)
    top = fused(k, doubles(ln2), head)
    more = fused(k, doubles(without(LN2, ln2)), tail)
    high = add(top, r)
    low = add(sub(top, high), r)
    more = add(more, fused(mul(rest, r), sub(r, doubles(1.0)), rest))  # rest / (1 + r)

    square = mul(r, r)
    first = fused(r, doubles(1 / 3), doubles(-1 / 2))
    second = fused(r, doubles(1 / 5), doubles(-1 / 4))
    third = fused(r, doubles(1 / 7), doubles(-1 / 6))
    series = fused(square, fused(square, doubles(-1 / 8), third), second)
    series = fused(square, series, first)
    small = add(low, fused(square, series, more))
    hi = add(high, small)
    return hi, sub(small, sub(hi, high))


def _parted(builder: Any, x: Any) -> tuple[Any, Any, Any]:
    """Return k as a double, z, and the number of its interval."""
    bits = builder.bitcast(x, INTS)
    above = builder.sub(bits, ints(_LOWEST - (_BIAS << _FRACTION)))
    exponent = builder.lshr(above, ints(_FRACTION))
    z = builder.sub(bits, builder.shl(builder.sub(exponent, ints(_BIAS)), ints(_FRACTION)))
    whole = builder.or_(exponent, ints(bits_of(2.0**52)))
    k = builder.fsub(builder.bitcast(whole, DOUBLES), doubles(2.0**52 + _BIAS))
    place = builder.and_(builder.lshr(above, ints(_FRACTION - _BITS)), ints(_PARTS - 1))
    return k, builder.bitcast(z, DOUBLES), place


def _look_up(builder: Any, place: Any) -> tuple[Any, ...]:
    """Return the table entries for eight intervals."""
    offset = builder.shl(place, ints(3))
    names = ("framejit.table.of.inverses", "framejit.table.of.logs", "framejit.table.of.log.tails")
    return tuple(
        gather(builder, DOUBLES, table(builder, name, DOUBLE, numbers), offset)
        for name, numbers in zip(names, _tables(), strict=True)
    )
