"""Numbers that are Python's or NumPy's, decided only at run time: each as either of the two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....jit.ir import graph as ir
from .symbolic import Array, Scalar, Symbolic, Union

PYTHON, NUMPY = 0, 1
"""Tags of a number of either kind; also positions among its alternatives."""
NUMBER_CLASSES: dict[str, tuple[type, type]] = {
    "?": (bool, np.bool_),
    "l": (int, np.int64),
    "d": (float, np.float64),
}
"""Python's and NumPy's class of a number, by dtype character."""
CLASSES_WITH_COMPLEX: dict[str, tuple[type, type]] = {
    **NUMBER_CLASSES,
    "D": (complex, np.complex128),
}
"""The same with classes whose arithmetic differs."""
_ALIKE = {"d": "dD", "l": "ldD"}
"""Dtypes of arrays that take both kinds of number for the same."""


def as_numpy(value: Symbolic) -> Symbolic:
    """Return a number of either kind as NumPy's; other values unchanged."""
    if isinstance(value, Union) and value.either_number:
        number = value.alternatives[NUMPY][1]
        assert isinstance(number, Scalar)
        return number
    return value


def as_python(value: Symbolic) -> Symbolic:
    """Return a number of either kind as Python's; other values unchanged."""
    if isinstance(value, Union) and value.either_number:
        number = value.alternatives[PYTHON][1]
        assert isinstance(number, Scalar)
        return number
    return value


def is_either_number(value: Symbolic | None) -> bool:
    """True if the value may be a Python number or a NumPy scalar, decided only at run time."""
    return isinstance(value, Union) and value.either_number


def for_array(value: Symbolic, array: Array) -> Symbolic:
    """Return a number of either kind as an array's operand, if the array treats both alike."""
    number = as_numpy(value)
    if number is value or not isinstance(number, Scalar):
        return value
    return number if array.type.dtype.char in _ALIKE.get(number.type.dtype.char, "") else value


def with_box(number: Scalar | Union, box: ir.Value) -> Scalar | Union:
    """Return a number of any kind with the place of its object."""
    if isinstance(number, Scalar):
        return replace(number, box=box)
    kinds = [(k, replace(one, box=box)) for k, one in number.alternatives if type(one) is Scalar]
    return replace(number, alternatives=tuple(kinds), box=box)
