"""The code for ints and bools: Python's, and NumPy's of each width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.ir.types import ScalarType
from .rows import Code, ScalarRow, cell
from .table import CODE

_ZERO = "{1} == 0"


def int_rule(
    name: str, types: Sequence[ScalarType], result: ScalarType, by_natural: bool
) -> ScalarRow | None:
    """Return the row of a function of ints and bools, or None.

    `by_natural`: the second operand is never negative.
    """
    code = CODE.get(name)
    if code is None:
        return None
    if {*(type_.dtype.kind for type_ in types), result.dtype.kind} == {"b"} and code.bools:
        return code.bools
    if (result.dtype.kind == "b") != code.tells or (code.picks and len(set(types)) > 1):
        return None
    if name == "invert" and any(type_.dtype.kind == "b" for type_ in types):
        return None  # deprecated
    numpy = [type_.dtype for type_ in types if type_.dtype.kind in "iu" and not type_.python]
    common = np.result_type(*numpy) if numpy else np.dtype(int)
    if common == np.uint64:
        return _of_unsigned(code, types)
    python = all(type_.python for type_ in types)
    row = cell(code, "python_ints" if python else "numpy_ints")
    if row is not None and row.by_natural and by_natural:
        row = replace(row, template=row.by_natural, bail=_ZERO)
    if row is None or common.kind not in "iu":
        return None
    if code.wraps:
        row = replace(row, template=row.template.replace("{bits}", str(8 * common.itemsize)))
    return _in_range(code, replace(row, compute="int64"), types, result, common)


def _of_unsigned(code: Code, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row for unsigned 64-bit numbers; a negative Python operand needs its own rule."""
    row = cell(code, "uint64")
    if row is None:
        return None
    negative = [f"{{{k}}} < 0" for k, type_ in enumerate(types) if type_.dtype.kind != "u"]
    return replace(row, compute="uint64", before=" or ".join(negative))


def _in_range(
    code: Code,
    row: ScalarRow,
    types: Sequence[ScalarType],
    result: ScalarType,
    common: np.dtype[Any],
) -> ScalarRow | None:
    """Add checks of operands and result for types below 64 bits."""
    if common.itemsize == 8 or code.converts:
        return row
    if result.dtype.kind == "f":
        return row if result.dtype == np.float64 else None
    info = np.iinfo(common)
    outside = [
        f"not ({info.min} <= {{{k}}} <= {info.max})"
        for k, type_ in enumerate(types)
        if type_.python
    ]
    bail = " or ".join([*filter(None, [row.bail]), *outside])
    silent = code.compares or code.wraps
    check = "" if silent else f"not ({info.min} <= {{r}} <= {info.max})"
    return replace(row, bail=bail, check=check)
