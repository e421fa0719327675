"""Numbers that are Python's or NumPy's, decided only at run time: each as either of the two."""

from __future__ import annotations

from .symbolic import NUMPY, PYTHON, Array, Scalar, Symbolic, Union

_ALIKE = {"d": "dD", "l": "ldD"}
"""Dtypes of arrays that take both kinds of number for the same."""


def as_numpy(value: Symbolic) -> Symbolic:
    """Return a number of either kind as NumPy's; other values unchanged."""
    if isinstance(value, Union) and value.twins:
        number = value.alternatives[NUMPY][1]
        assert isinstance(number, Scalar)
        return number
    return value


def as_python(value: Symbolic) -> Symbolic:
    """Return a number of either kind as Python's; other values unchanged."""
    if isinstance(value, Union) and value.twins:
        number = value.alternatives[PYTHON][1]
        assert isinstance(number, Scalar)
        return number
    return value


def is_twins(value: Symbolic | None) -> bool:
    """True if the value may be a Python number or a NumPy scalar, decided only at run time."""
    return isinstance(value, Union) and value.twins


def for_array(value: Symbolic, array: Array) -> Symbolic:
    """Return a number of either kind as an array's operand, if the array treats both alike."""
    number = as_numpy(value)
    if number is value or not isinstance(number, Scalar):
        return value
    return number if array.type.dtype.char in _ALIKE.get(number.type.dtype.char, "") else value
