"""Intervals of ints, and what operations make of them: the range rules of primitives.

An interval holds mathematical results. Ends are ints; linear combinations of variables, which can
be added and scaled but not compared, serve in the rules of sums, differences, products and
negations too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..frozen import dataclass

End = Any
"""An int, a linear combination, or None where the interval is unbounded."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `low` to `high`."""

    low: End = None
    high: End = None

    @property
    def is_natural(self) -> bool:
        """True if no number is negative."""
        return self.low is not None and self.low >= 0

    @property
    def size(self) -> int | None:
        """The largest magnitude; None if unbounded."""
        if self.low is None or self.high is None:
            return None
        size: int = max(abs(self.low), abs(self.high))
        return size

    def within(self, other: Interval) -> Interval:
        """Return the numbers that both contain."""
        low = self.low if other.low is None else other.low
        high = self.high if other.high is None else other.high
        if self.low is not None and other.low is not None:
            low = max(self.low, other.low)
        if self.high is not None and other.high is not None:
            high = min(self.high, other.high)
        return Interval(low, high)


ALL = Interval()
"""Any number: nothing is known."""
NATURAL = Interval(0)
LENGTH = Interval(0, 2**40)
"""Lengths of arrays and lists."""

Rule = Callable[[Sequence[Interval]], Interval]
"""Returns the interval of the result from those of the operands."""


def point(number: int) -> Interval:
    """Return the interval of one number."""
    return Interval(number, number)


def up_to(size: int) -> Interval:
    """Return the numbers up to a magnitude."""
    return Interval(-size, size)


def hull(given: Iterable[Interval]) -> Interval:
    """Return the smallest interval around all of these."""
    lows, highs = zip(*((one.low, one.high) for one in given), strict=True)
    return Interval(
        None if None in lows else min(lows),
        None if None in highs else max(highs),
    )


# ---- sums and products, for linear ends too ------------------------------------------------------


def _sum(one: End, other: End) -> End:
    return None if one is None or other is None else one + other


def _difference(one: End, other: End) -> End:
    return None if one is None or other is None else one - other


def plus(given: Sequence[Interval]) -> Interval:
    """Bound a sum."""
    one, other = given
    return Interval(_sum(one.low, other.low), _sum(one.high, other.high))


def minus(given: Sequence[Interval]) -> Interval:
    """Bound a difference."""
    one, other = given
    return Interval(_difference(one.low, other.high), _difference(one.high, other.low))


def negated(given: Sequence[Interval]) -> Interval:
    """Bound the negative."""
    (one,) = given
    return Interval(None if one.high is None else -one.high, None if one.low is None else -one.low)


def same(given: Sequence[Interval]) -> Interval:
    """Bound a conversion that keeps the number."""
    return given[0]


def times(given: Sequence[Interval]) -> Interval:
    """Bound a product: of ints, or of linear combinations with a constant."""
    one, other = given
    for factor, ends in ((one, other), (other, one)):
        if type(factor.low) is int and factor.low == factor.high:
            found = [None if end is None else end * factor.low for end in (ends.low, ends.high)]
            return Interval(*(found if factor.low >= 0 else found[::-1]))
    if one.is_natural and other.is_natural:
        high = None if one.high is None or other.high is None else one.high * other.high
        return Interval(one.low * other.low, high)
    if one.size is None or other.size is None:
        return ALL
    return up_to(one.size * other.size)


# ---- other operations, for ints ------------------------------------------------------------------


def quotient(given: Sequence[Interval]) -> Interval:
    """Bound a floored quotient by its dividend; a quotient of naturals is natural."""
    one, other = given
    if one.is_natural and other.is_natural:
        return Interval(0, one.high)
    return ALL if one.size is None else up_to(one.size)


def remainder(given: Sequence[Interval]) -> Interval:
    """Bound a floored remainder by its divisor, whose sign it has."""
    divisor = given[1]
    if divisor.is_natural:
        return Interval(0, divisor.high)
    return ALL if divisor.size is None else up_to(divisor.size)


def common_bits(given: Sequence[Interval]) -> Interval:
    """Bound `&`: a natural operand leaves no sign."""
    return NATURAL if any(one.is_natural for one in given) else ALL


def magnitude(given: Sequence[Interval]) -> Interval:
    """Bound an absolute value."""
    return Interval(0, given[0].size)


def largest(given: Sequence[Interval]) -> Interval:
    """Bound `max(...)`: one known lower end suffices."""
    lows = [one.low for one in given if one.low is not None]
    return Interval(max(lows, default=None), hull(given).high)


def smallest(given: Sequence[Interval]) -> Interval:
    """Bound `min(...)`."""
    highs = [one.high for one in given if one.high is not None]
    return Interval(hull(given).low, min(highs, default=None))


def picked(given: Sequence[Interval]) -> Interval:
    """Bound `pick(condition, one, other)`."""
    return hull(given[1:])
