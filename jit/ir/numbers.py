"""Functions on numbers that OPERATOR nodes use in addition to Python's `operator` module."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frozen import dataclass


def pick(condition: Any, one: Any, other: Any) -> Any:
    """Return `one` if the condition is true, else `other`; both have the same type."""
    return one if condition else other


def quotient(one: Any, other: Any) -> Any:
    """Return `one / other`, raising for a zero divisor even where NumPy scalars give infinity.

    Raises:
        ZeroDivisionError: the divisor is zero; the caller knows whether eager raises or warns.
    """
    if other == 0:
        raise ZeroDivisionError
    return one / other


def wrapping_add(one: Any, other: Any) -> Any:
    """Return `one + other` of NumPy ints, wrapping around without a warning."""
    return one + other


def wrapping_sub(one: Any, other: Any) -> Any:
    """Return `one - other` of NumPy ints, wrapping around without a warning."""
    return one - other


def wrapping_mul(one: Any, other: Any) -> Any:
    """Return `one * other` of NumPy ints, wrapping around without a warning."""
    return one * other


@dataclass(frozen=True, slots=True)
class StoredAs:
    """The value that an element of an array has after a number was assigned to it.

    Raises as the assignment does if the number does not fit: large Python ints, NaN into ints.
    """

    dtype: np.dtype[Any]

    @property
    def __name__(self) -> str:
        return f"stored as {self.dtype}"

    def __call__(self, number: Any) -> Any:
        cell = np.empty(1, self.dtype)
        cell[0] = number
        return cell[0]
