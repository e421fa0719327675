"""Vectorised sines and cosines of doubles with the bits of NumPy's loops.

A result is computed as hi + lo, with an error far below the last place of hi. If lo is not near
half an ulp, every function whose own error is small enough rounds to hi (Ziv, ACM TOMS 17, 1991).
Items that are too near, too large, too small or not finite are left to NumPy's loop, see
patched.py. libm_proofs.py tests that this loop's error is known.

The method is that of Tang (ACM TOMS 15, 1989). With x = k pi/128 + r, and S and C the sine and
cosine of k pi/128,

   sin x = S + (C r + (S (cos r - 1) + C (sin r - r)))

where |r| < 2**-6.3, so that only S and C r have to be known beyond 53 bits. S and C come from a
two-part table; C r has its error by FMA, the sum of both by Dekker's two-sum (Numerische Mathematik
18, 1971: S is 0, or larger than C r). pi/128 has four parts (Cody and Waite, 1980): k times the
first two is exact, as are the differences; where |r| > 2**-23 so is the one from which the tail of
r is made. Errors relative to the result:

   2**-65.7  each of six roundings in S (cos r - 1), which is 2**-12.7 of the result at most
   2**-68    each of those in C (sin r - r), at most 2**-15.3
   2**-69    r**9 / 9!, the first term omitted
   2**-72    the tail of r where |r| < 2**-23 and S is not 0; where it is, and k is not, the result
             is below 2**-22 and left to NumPy
   2**-73    the tails of S and C, of which 20 bits are kept

In total less than 2**-62.9, or 2**-9.9 units in the last place. No flag is raised but "inexact",
which nothing reads: arguments that are not handled here are replaced by 1.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from .exact import BITS, ONE, PI, sine
from .patched import line_of
from .vectors import (
    DOUBLE,
    DOUBLES,
    I64,
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

LEAST, MOST = 2.0**-300, 2.0**23
"""Magnitudes of arguments computed here, besides zeros: cubes of smaller ones would raise
"underflow", and so does NumPy for subnormal ones."""
LOWEST = 2.0**-22
"""Smallest magnitude of results for arguments beyond 1."""
MARGIN = 1 / 16
"""Distance from a rounding boundary, in ulp, within which a result is left to NumPy. It must exceed
the combined errors of NumPy's loop and of this code. glibc states 0.55
(sysdeps/ieee754/dbl-64/s_sin.c, since 2.28), of which half an ulp is the final rounding, so that
results next to a power of two are certain too."""
_PARTS = 128
"""Number of table entries per half turn."""
_TURN, _QUARTER = 2 * _PARTS, _PARTS // 2


def sines() -> dict[str, Any]:
    """Return `f(loop, data, source, step, target, step, count)` for both functions, by name."""
    return {
        "sines": line_of("framejit.sines", _evaluate),
        "cosines": line_of("framejit.sines", _evaluate, _QUARTER),  # a quarter turn ahead
    }


# ---- numbers -------------------------------------------------------------------------------------

_PART = PI // _PARTS


def _parts_of_part() -> tuple[float, ...]:
    """Return pi/128 as a sum of two numbers of 24 bits and two of 53."""
    rest, parts = _PART, []
    for bits in (24, 24, 53, 53):
        cut = rest.bit_length() - bits
        first = rest >> cut << cut
        parts.append(first / ONE)
        rest -= first
    return tuple(parts)


@cache
def _tables() -> tuple[list[float], list[int]]:
    """Return sines for a turn and a quarter, and the tails of sines and cosines for a turn.

    The upper halves of both tails' bits are packed into one word, the sine's first. Read as one
    number, the word is close enough to the sine's tail.
    """
    rising = [*(sine(_PART * k) for k in range(_QUARTER)), ONE]
    half = [*rising, *rising[-2:0:-1]]
    exact = [*half, *(-sine for sine in half), *rising]
    heads = [sine / ONE for sine in exact]
    tails = [
        (sine - int(head * 2.0**100) * 2 ** (BITS - 100)) / ONE
        for sine, head in zip(exact, heads, strict=True)
    ]
    uppers = [int(np.float64(tail).view(np.uint64)) >> 32 for tail in tails]
    return heads, [uppers[k] << 32 | uppers[k + _QUARTER] for k in range(_TURN)]


# ---- eight at a time -----------------------------------------------------------------------------


def _evaluate(builder: Any, given: Any, ahead: Any) -> tuple[Any, Any]:
    """Return sines, and a mask of those that are certain."""
    both, less = builder.and_, partial(builder.icmp_unsigned, "<")
    least, most, lowest, one = (ints(bits_of(bound)) for bound in (LEAST, MOST, LOWEST, 1.0))
    size = both(builder.bitcast(given, INTS), ints(SIZE))
    nothing = builder.icmp_unsigned("==", size, ints(0))
    usual = less(builder.sub(size, least), builder.sub(most, least))
    inside = builder.or_(usual, nothing)
    hi, lo = _sum(builder, builder.select(inside, given, doubles(1.0)), ahead)
    is_sine = builder.icmp_unsigned("==", ahead, ints(0))
    result = builder.select(both(nothing, is_sine), given, hi)  # keeps the sign of zero
    beyond = fma(builder, lo, doubles(0.5 / (0.5 - MARGIN)), hi)
    clear = both(inside, builder.fcmp_ordered("==", beyond, hi))
    height = both(builder.bitcast(hi, INTS), ints(SIZE))
    return result, both(clear, builder.or_(less(size, one), less(lowest, height)))


def _sum(builder: Any, x: Any, ahead: Any) -> tuple[Any, Any]:
    """Return hi and lo of each sine."""
    mul, add, sub = builder.fmul, builder.fadd, builder.fsub

    fused = partial(fma, builder)
    rounded = fused(x, doubles(ONE / _PART), doubles(WHOLE))
    minus_k = sub(doubles(WHOLE), rounded)
    p1, p2, p3, p4 = map(doubles, _parts_of_part())
    near = fused(minus_k, p2, fused(minus_k, p1, x))
    r = fused(minus_k, p3, near)
    tail = fused(minus_k, p4, fused(minus_k, p3, sub(near, r)))

    place = builder.add(builder.bitcast(rounded, INTS), ahead)
    s, c, s_tail, c_tail = _look_up(builder, builder.and_(place, ints(_TURN - 1)))

    z = mul(r, r)
    cosine = fused(z, fused(z, doubles(-1 / 720), doubles(1 / 24)), doubles(-1 / 2))
    sine = fused(z, fused(z, doubles(-1 / 5040), doubles(1 / 120)), doubles(-1 / 6))
    along = mul(c, fused(mul(r, z), sine, tail))
    small = add(fused(mul(s, z), cosine, s_tail), fused(c_tail, r, along))
    cr = mul(c, r)
    top = add(s, cr)
    low = add(sub(cr, sub(top, s)), add(fused(c, r, builder.fneg(cr)), small))
    hi = add(top, low)
    return hi, sub(low, sub(hi, top))


def _look_up(builder: Any, place: Any) -> tuple[Any, Any, Any, Any]:
    """Return sines and cosines at eight table positions, and their tails."""
    heads, tails = _tables()
    sines_at = table(builder, "framejit.table.of.sines", DOUBLE, heads)
    tails_at = table(builder, "framejit.table.of.tails", I64, tails)
    offset = builder.shl(place, ints(3))
    sine = gather(builder, DOUBLES, sines_at, offset)
    cosine = gather(builder, DOUBLES, builder.add(sines_at, I64(8 * _QUARTER)), offset)
    both = gather(builder, INTS, tails_at, offset)
    c_tail = builder.bitcast(builder.shl(both, ints(32)), DOUBLES)
    return sine, cosine, builder.bitcast(both, DOUBLES), c_tail
