"""Constants and functions to 200 binary places, from which tables and series of doubles are made.

A number is an int here: so many of 2**-200.
"""

from __future__ import annotations

BITS = 200
ONE = 1 << BITS


def _inverse_tangent(divisor: int) -> int:
    """Of 1 / divisor."""
    total, power, odd = 0, ONE // divisor, 1
    while power:
        total += power // odd if odd % 4 == 1 else -(power // odd)
        power, odd = power // divisor**2, odd + 2
    return total


PI = 16 * _inverse_tangent(5) - 4 * _inverse_tangent(239)
"""Machin, 1706."""


def sine(angle: int) -> int:
    """By its series."""
    total, term, place = 0, angle, 1
    while term:
        total += term
        term = -(term * angle >> BITS) * angle // ((place + 1) * (place + 2) << BITS)
        place += 2
    return total


def exponential(number: int) -> int:
    """By its series."""
    total, term, place = 0, ONE, 1
    while term:
        total += term
        term, place = (term * number >> BITS) // place, place + 1
    return total


def logarithm(number: int) -> int:
    """Of a positive number near one, by the series of the inverse hyperbolic tangent."""
    part = ((number - ONE) << BITS) // (number + ONE)
    total, power, odd = 0, part, 1
    while abs(power) > 1:
        total += power // odd
        power, odd = (power * part >> BITS) * part >> BITS, odd + 2
    return 2 * total


LN2 = -logarithm(ONE >> 1)


def rounded(number: int, bits: int) -> float:
    """The first bits of a number, at most 53 of them, cut off."""
    cut = max(abs(number).bit_length() - bits, 0)
    return (abs(number) >> cut << cut) / ONE * (-1 if number < 0 else 1)


def without(number: int, part: float) -> float:
    """What is left of a number behind a double, as a double."""
    numerator, denominator = part.as_integer_ratio()
    return (number - numerator * ONE // denominator) / ONE
