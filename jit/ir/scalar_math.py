"""What NumPy calls an operation on its numbers when it warns.

Its numbers have arithmetic of their own ("scalar divide") for two of a kind, or where one of them
is safely converted to the kind of the other. All else goes the way of arrays ("divide").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .types import ScalarType

_UFUNCS = {
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "neg": "negative",
    "abs": "absolute",
}
_WEAK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""A number of Python's is taken for one of NumPy's of the same rank or a higher one."""


def warned_name(name: str, operands: Sequence[ScalarType]) -> str:
    """The name of an operator on these, by Python's name of it."""
    ufunc = _UFUNCS.get(name, name)
    return f"scalar {ufunc}" if _is_of_numbers(operands) else ufunc


def _is_of_numbers(operands: Sequence[ScalarType]) -> bool:
    first = operands[0]
    if first.dtype.kind == "b" and not first.python:
        return False  # it has no arithmetic, and is asked first
    pairs = zip(operands, reversed(operands), strict=True)
    return any(_takes(one, other) for one, other in pairs)


def _takes(one: ScalarType, other: ScalarType) -> bool:
    """Whether a number of NumPy's converts the other to its own kind."""
    if one.python or one.dtype.kind == "b":
        return False
    if not other.python:
        return np.can_cast(other.dtype, one.dtype, "safe")
    return _WEAK[other.dtype.kind] <= _WEAK[one.dtype.kind]
