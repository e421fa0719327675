"""Names that NumPy uses in warnings from arithmetic on its scalars.

Two scalars of one type, or with one that converts safely to the other's type, use NumPy's scalar
arithmetic ("scalar divide"). All other operands are handled as arrays ("divide").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .primitives import primitive
from .types import ScalarType

_WEAK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""Ranks of kinds. A Python number converts to a NumPy scalar of the same or a higher rank."""


def warned_name(function: Callable[..., Any], operands: Sequence[ScalarType]) -> str:
    """Return the name in warnings of an operator on these operands."""
    ufunc = primitive(function).ufunc
    name = function.__name__ if ufunc is None else ufunc.__name__
    return f"scalar {name}" if _is_of_numbers(operands) else name


def _is_of_numbers(operands: Sequence[ScalarType]) -> bool:
    first = operands[0]
    if first.dtype.kind == "b" and not first.python:
        return False  # bool has no scalar arithmetic of its own
    pairs = zip(operands, reversed(operands), strict=True)
    return any(_takes(one, other) for one, other in pairs)


def _takes(one: ScalarType, other: ScalarType) -> bool:
    """True if NumPy's scalar `one` converts the other operand to its own type."""
    if one.python or one.dtype.kind == "b":
        return False
    if not other.python:
        return np.can_cast(other.dtype, one.dtype, "safe")
    return _WEAK[other.dtype.kind] <= _WEAK[one.dtype.kind]
