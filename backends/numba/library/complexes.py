"""Complex products and quotients as in Python since 3.14, following C99 Annex G.

If both parts are NaN, infinities and zeros are recovered: `1 / complex(inf, inf)` is 0.
"""

from __future__ import annotations

from math import copysign, inf, nan
from typing import Any

from numba.extending import register_jitable


def complexes() -> dict[str, Any]:
    """Return the functions by their names in kernels."""
    return {
        "times_again": times_again,
        "through_again": through_again,
        "real_through": real_through,
    }


@register_jitable
def one_if_infinite(part: float) -> float:
    """Return 1 for an infinity and 0 for any other number, with the number's sign."""
    return copysign(1.0 if abs(part) == inf else 0.0, part)


@register_jitable
def zero_if_nan(part: float) -> float:
    """Return the number, or for NaN a zero with its sign."""
    return copysign(0.0, part) if part != part else part


@register_jitable
def times_again(left: complex, right: complex) -> complex:
    """Return the product."""
    a = left.real
    b = left.imag
    c = right.real
    d = right.imag
    ac = a * c
    bd = b * d
    ad = a * d
    bc = b * c
    real = ac - bd
    imag = ad + bc
    if real == real or imag == imag:
        return complex(real, imag)
    again = False
    if abs(a) == inf or abs(b) == inf:
        a = one_if_infinite(a)
        b = one_if_infinite(b)
        c = zero_if_nan(c)
        d = zero_if_nan(d)
        again = True
    if abs(c) == inf or abs(d) == inf:
        c = one_if_infinite(c)
        d = one_if_infinite(d)
        a = zero_if_nan(a)
        b = zero_if_nan(b)
        again = True
    if not again:
        if abs(ac) != inf and abs(bd) != inf and abs(ad) != inf and abs(bc) != inf:
            return complex(real, imag)
        a = zero_if_nan(a)
        b = zero_if_nan(b)
        c = zero_if_nan(c)
        d = zero_if_nan(d)
    return complex(inf * (a * c - b * d), inf * (a * d + b * c))


@register_jitable
def through_again(left: complex, right: complex) -> complex:
    """Return the quotient; the divisor must not be zero."""
    size_real = abs(right.real)
    size_imag = abs(right.imag)
    real = nan
    imag = nan
    if size_real >= size_imag:
        ratio = right.imag / right.real
        scale = right.real + right.imag * ratio
        real = (left.real + left.imag * ratio) / scale
        imag = (left.imag - left.real * ratio) / scale
    elif size_imag >= size_real:
        ratio = right.real / right.imag
        scale = right.real * ratio + right.imag
        real = (left.real * ratio + left.imag) / scale
        imag = (left.imag * ratio - left.real) / scale
    if real == real or imag == imag:
        return complex(real, imag)
    if (abs(left.real) == inf or abs(left.imag) == inf) and size_real < inf and size_imag < inf:
        x = one_if_infinite(left.real)
        y = one_if_infinite(left.imag)
        real = inf * (x * right.real + y * right.imag)
        imag = inf * (y * right.real - x * right.imag)
    elif (size_real == inf or size_imag == inf) and abs(left.real) < inf and abs(left.imag) < inf:
        x = one_if_infinite(right.real)
        y = one_if_infinite(right.imag)
        real = 0.0 * (left.real * x + left.imag * y)
        imag = 0.0 * (left.imag * x - left.real * y)
    return complex(real, imag)


@register_jitable
def real_through(left: float, right: complex) -> complex:
    """Return the quotient of a real and a complex number; the divisor must not be zero."""
    size_real = abs(right.real)
    size_imag = abs(right.imag)
    real = nan
    imag = nan
    if size_real >= size_imag:
        ratio = right.imag / right.real
        scale = right.real + right.imag * ratio
        real = left / scale
        imag = (-left * ratio) / scale
    elif size_imag >= size_real:
        ratio = right.real / right.imag
        scale = right.real * ratio + right.imag
        real = (left * ratio) / scale
        imag = (-left) / scale
    if real == real or imag == imag:
        return complex(real, imag)
    if (size_real == inf or size_imag == inf) and abs(left) < inf:
        real = 0.0 * (left * one_if_infinite(right.real))
        imag = 0.0 * (-left * one_if_infinite(right.imag))
    return complex(real, imag)
