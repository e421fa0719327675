"""Functions of numbers that only graphs call: what OPERATOR nodes may hold beside Python's own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..frozen import dataclass


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


def wrapping_add(one: Any, other: Any) -> Any:
    """`one + other` of NumPy's ints where nobody is told that it leaves their type."""
    return one + other


def wrapping_sub(one: Any, other: Any) -> Any:
    """`one - other`, as `wrapping_add`."""
    return one - other


def wrapping_mul(one: Any, other: Any) -> Any:
    """`one * other`, as `wrapping_add`."""
    return one * other


WRAPPING: dict[Callable[..., Any], Callable[..., Any]] = {
    operator.add: wrapping_add,
    operator.sub: wrapping_sub,
    operator.mul: wrapping_mul,
}
"""Of functions whose result is taken to be in its type, those whose result may have wrapped."""


@dataclass(frozen=True, slots=True)
class StoredAs:
    """What an element of an array is after a number was assigned to it.

    Raises, like the assignment, where the number does not fit: Python's ints and NaNs.
    """

    dtype: np.dtype[Any]

    @property
    def __name__(self) -> str:
        return f"stored as {self.dtype}"

    def __call__(self, number: Any) -> Any:
        cell = np.empty(1, self.dtype)
        cell[0] = number
        return cell[0]
