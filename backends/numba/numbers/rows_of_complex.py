"""The code for complex numbers, computed by parts as in Python and in NumPy's scalars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ....jit.ir.types import ScalarType
from .rows import ScalarRow, cell
from .table import CODE

KEEPS_PARTS: Final = math.copysign(1.0, (complex(1.0, -0.0) + 1.0).imag) < 0.0
"""Since 3.14 a real operand has no imaginary part, and results with two NaNs are computed again."""
_OF_PARTS: Final[dict[tuple[bool, ...], str]] = {
    (False, True): "real_right",
    (True, False): "real_left",
}
"""Columns by which operands are real."""


def row_of_complex(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row of a function, or None."""
    numpy = {type_.dtype.char for type_ in types if not type_.python}
    if not numpy:
        return _row_of_python(name, types)
    if "D" in numpy and numpy <= {"d", "D"}:
        return _computed(name, "complexes", "complex128")
    if numpy == {"F"} and not any(type_.python for type_ in types):
        return _computed(name, "single_complexes", "complex64")
    return None


def _row_of_python(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    if name in ("eq", "ne") and any(type_.dtype.kind not in "fc" for type_ in types):
        return None  # an int is compared exactly
    column = "python_complexes"
    if KEEPS_PARTS:
        real = tuple(type_.dtype.kind != "c" for type_ in types)
        column = _OF_PARTS.get(real, "by_parts")
    return _computed(name, column, "complex128")


def _computed(name: str, column: str, kind: str) -> ScalarRow | None:
    row = cell(CODE.get(name), column)
    return None if row is None else replace(row, compute=kind)
