"""Functions of numbers that only graphs call: what OPERATOR nodes may hold beside Python's own."""

from __future__ import annotations

from typing import Any


def pick(condition: Any, one: Any, other: Any) -> Any:
    """`one` where the condition is true, else `other`; both are of one type."""
    return one if condition else other


def quotient(one: Any, other: Any) -> Any:
    """`one / other` of numbers that may be Python's, where NumPy's would give an infinity.

    Raises:
        ZeroDivisionError: the divisor is zero; whose it is decides what becomes of it.
    """
    if other == 0:
        raise ZeroDivisionError
    return one / other
