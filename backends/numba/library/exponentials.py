"""Vectorised exponentials of doubles with the bits of NumPy's loop.

As in sines.py, a result hi + lo is computed, and items near a rounding boundary, too large or too
small are left to NumPy. With x = k ln(2)/128 + r and T = 2**(k/128) from a two-part table (Tang,
ACM TOMS 15, 1989),

   exp x = T + T (r + r**2/2 + ... + r**6/720)

where |r| < 2**-8.5. ln(2)/128 has two parts; k times the first is exact, as is the difference.
Errors relative to the result:

   2**-62    each of three roundings: of r, of the series, of its product with T
   2**-61.5  the product of the series with the tail of T, which is omitted
   2**-71    r**7/5040, the first term omitted

In total less than 2**-59.8, or 2**-6.8 units in the last place.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from .exact import LN2, ONE, exponential, rounded, without
from .patched import line_of
from .vectors import (
    DOUBLE,
    DOUBLES,
    INTS,
    SIZE,
    WHOLE,
    bits_of,
    doubles,
    fma,
    gather,
    ints,
    table,
)

LEAST, MOST = 2.0**-300, 700.0
"""Magnitudes of arguments computed here, besides zeros: squares of smaller ones would raise
"underflow", and results of larger ones may over- or underflow."""
MARGIN = 1 / 32
"""Distance from a rounding boundary, in ulp, within which a result is left to NumPy. It must exceed
the combined errors of NumPy's loop and of this code. glibc states 0.509
(sysdeps/ieee754/dbl-64/e_exp_data.c, since 2.28; with FMA), of which half an ulp is the final
rounding, so that results next to a power of two are certain too."""
_BITS = 7
_PARTS = 1 << _BITS
"""Number of table entries per power of two."""
_PART = LN2 // _PARTS


def exponentials() -> dict[str, Any]:
    """Return `exponentials(loop, data, source, step, target, step, count)` by its kernel name."""
    return {"exponentials": line_of("framejit.exponentials", _evaluate)}


@cache
def _tables() -> tuple[list[float], list[float]]:
    """Return the tables of 2**(k/128) in two parts."""
    exact = [exponential(_PART * k) for k in range(_PARTS)]
    heads = [number / ONE for number in exact]
    return heads, [without(*parts) for parts in zip(exact, heads, strict=True)]


def _evaluate(builder: Any, given: Any, more: Any) -> tuple[Any, Any]:
    """Return exponentials, and a mask of those that are certain."""
    least, most = ints(bits_of(LEAST)), ints(bits_of(MOST))
    size = builder.and_(builder.bitcast(given, INTS), ints(SIZE))
    nothing = builder.icmp_unsigned("==", size, ints(0))
    usual = builder.icmp_unsigned("<=", builder.sub(size, least), builder.sub(most, least))
    inside = builder.or_(usual, nothing)
    result, clear = rounded_of(builder, builder.select(inside, given, doubles(1.0)))
    return result, builder.and_(inside, clear)


def rounded_of(builder: Any, x: Any, tail: Any = None) -> tuple[Any, Any]:
    """Return exponentials of x, or of x + tail, and a mask of those that are certain."""
    hi, lo, power = _sum(builder, x, tail)
    beyond = fma(builder, lo, doubles(0.5 / (0.5 - MARGIN)), hi)
    result = builder.bitcast(builder.add(builder.bitcast(hi, INTS), power), DOUBLES)
    return result, builder.fcmp_ordered("==", beyond, hi)


def _sum(builder: Any, x: Any, more: Any) -> tuple[Any, Any, Any]:
    """Return hi and lo between 1 and 2, and what has to be added to the bits of both."""
    add, sub = builder.fadd, builder.fsub
    fused = partial(fma, builder)
    shifted = fused(x, doubles(ONE / _PART), doubles(WHOLE))
    minus_k = sub(doubles(WHOLE), shifted)
    first = rounded(_PART, 35)  # k has 17 bits, so the product with k is exact
    near, second = fused(minus_k, doubles(first), x), doubles(without(_PART, first))
    r = fused(minus_k, second, near) if more is None else add(near, fused(minus_k, second, more))

    k = builder.bitcast(shifted, INTS)
    place = builder.and_(k, ints(_PARTS - 1))
    power = builder.shl(builder.sub(k, place), ints(52 - _BITS))
    heads, tails = _tables()
    offset = builder.shl(place, ints(3))
    heads_at = table(builder, "framejit.table.of.powers", DOUBLE, heads)
    tails_at = table(builder, "framejit.table.of.tails.of.powers", DOUBLE, tails)
    head = gather(builder, DOUBLES, heads_at, offset)
    tail = gather(builder, DOUBLES, tails_at, offset)

    z = builder.fmul(r, r)
    low = fused(r, doubles(1 / 6), doubles(1 / 2))
    middle = fused(r, doubles(1 / 120), doubles(1 / 24))
    series = fused(z, fused(z, fused(z, doubles(1 / 720), middle), low), r)
    small = fused(head, series, tail)
    hi = add(head, small)
    return hi, sub(small, sub(hi, head)), power
