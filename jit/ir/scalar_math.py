"""Names that NumPy uses in warnings from arithmetic on its scalars.

Two scalars of one type, or with one that converts safely to the other's type, use NumPy's scalar
arithmetic ("scalar divide"). All other operands are handled as arrays ("divide").
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
"""Ranks of kinds. A Python number converts to a NumPy scalar of the same or a higher rank."""


def warned_name(name: str, operands: Sequence[ScalarType]) -> str:
    """Return the name in warnings of an operator, given by its Python name, on these operands."""
    ufunc = _UFUNCS.get(name, name)
    return f"scalar {ufunc}" if _is_of_numbers(operands) else ufunc


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
