"""Fixed-point arithmetic with 200 fractional bits, for computing tables of doubles.

A number x is the int x * 2**200.
"""

from __future__ import annotations

BITS = 200
ONE = 1 << BITS


def _inverse_tangent(divisor: int) -> int:
    """Return atan(1 / divisor)."""
    total, power, odd = 0, ONE // divisor, 1
    while power:
        total += power // odd if odd % 4 == 1 else -(power // odd)
        power, odd = power // divisor**2, odd + 2
    return total


PI = 16 * _inverse_tangent(5) - 4 * _inverse_tangent(239)
"""By Machin's formula, 1706."""


def sine(angle: int) -> int:
    """Return the sine by its series."""
    total, term, place = 0, angle, 1
    while term:
        total += term
        term = -(term * angle >> BITS) * angle // ((place + 1) * (place + 2) << BITS)
        place += 2
    return total


def exponential(number: int) -> int:
    """Return the exponential by its series."""
    total, term, place = 0, ONE, 1
    while term:
        total += term
        term, place = (term * number >> BITS) // place, place + 1
    return total


def logarithm(number: int) -> int:
    """Return the logarithm of a number near one, by the series of atanh."""
    part = ((number - ONE) << BITS) // (number + ONE)
    total, power, odd = 0, part, 1
    while abs(power) > 1:
        total += power // odd
        power, odd = (power * part >> BITS) * part >> BITS, odd + 2
    return 2 * total


LN2 = -logarithm(ONE >> 1)


def rounded(number: int, bits: int) -> float:
    """Return a number truncated to its first `bits` bits, at most 53."""
    cut = max(abs(number).bit_length() - bits, 0)
    return (abs(number) >> cut << cut) / ONE * (-1 if number < 0 else 1)


def without(number: int, part: float) -> float:
    """Return the difference between a number and a double, as a double."""
    numerator, denominator = part.as_integer_ratio()
    return (number - numerator * ONE // denominator) / ONE
