"""Rows for ints and bools: Python's, and NumPy's of each width.

The kernel bails if a Python int leaves 64 bits, or if a NumPy int leaves its type, where NumPy
warns. NumPy's shifts silently drop bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.ir.types import ScalarType
from ..native import Flags
from .rows import BOTH, COMPARE, TRUTH, ScalarRow, Table

_NO_QUOTIENT = "uint64({1} + 1) < 2 and ({1} == 0 or sub_overflows(0, {0}))"
"""Matches divisors that raise, and -1 if the quotient would overflow."""
_ZERO = "{1} == 0"

_INT: Table = {
    **BOTH,
    "add": ScalarRow(
        "{0} + {1}",
        bail="add_overflows({0}, {1})",
        late="({0} ^ {r}) & ({1} ^ {r})",
        wrapped="wrapped_add({0}, {1})",
    ),
    "sub": ScalarRow(
        "{0} - {1}",
        bail="sub_overflows({0}, {1})",
        late="({0} ^ {1}) & ({0} ^ {r})",
        wrapped="wrapped_sub({0}, {1})",
    ),
    "mul": ScalarRow("{0} * {1}", bail="mul_overflows({0}, {1})", wrapped="wrapped_mul({0}, {1})"),
    "square": ScalarRow("{0} * {0}", bail="mul_overflows({0}, {0})"),
    "neg": ScalarRow("-{0}", bail="sub_overflows(0, {0})"),
    "abs": ScalarRow("abs({0})", bail="sub_overflows(0, {0})"),
    "and_": ScalarRow("{0} & {1}"),
    "or_": ScalarRow("{0} | {1}"),
    "xor": ScalarRow("{0} ^ {1}"),
    "invert": ScalarRow("~{0}"),
    "floordiv": ScalarRow("{0} // {1}", bail=_NO_QUOTIENT, by_natural="natural_quotient({0}, {1})"),
    "mod": ScalarRow("{0} % {1}", bail=_NO_QUOTIENT, by_natural="natural_rest({0}, {1})"),
    "pick": ScalarRow("{1} if {0} != 0 else {2}"),
    "index": ScalarRow("{0}"),
    "int": ScalarRow("{0}"),
    "float": ScalarRow("float64({0})"),
}
_PYTHON_INT: Table = {
    **_INT,
    "rshift": ScalarRow("{0} >> {1}", bail="{1} < 0 or {1} > 63"),
    # Bits shifted out would belong to a bigger int.
    "lshift": ScalarRow("{0} << {1}", bail="{1} < 0 or {1} > 62 or ({0} << {1}) >> {1} != {0}"),
    # Correctly rounded, as Python guarantees, if both are exact as doubles.
    "truediv": ScalarRow(
        "float64({0}) / float64({1})",
        bail="{1} == 0 or abs({0}) >= 9007199254740992 or abs({1}) >= 9007199254740992",
    ),
}
_NUMPY_INT: Table = {
    **_INT,
    "lshift": ScalarRow("({0} << {1} if 0 <= {1} < {bits} else 0)"),
    "rshift": ScalarRow("({0} >> {1} if 0 <= {1} < {bits} else {0} >> 63)"),
    "truediv": ScalarRow("float64({0}) / float64({1})", Flags.REPORTS),
    "quotient": _PYTHON_INT["truediv"],
    "wrapping_add": ScalarRow("wrapped_add({0}, {1})"),
    "wrapping_sub": ScalarRow("wrapped_sub({0}, {1})"),
    "wrapping_mul": ScalarRow("wrapped_mul({0}, {1})"),
}
_UINT64: Table = {
    **{name: row for name, row in _INT.items() if name not in ("square", "neg", "abs", "float")},
    "abs": ScalarRow("{0}"),
    "add": ScalarRow("{0} + {1}", check="{r} < {0}"),
    "sub": ScalarRow("{0} - {1}", bail="{0} < {1}"),
    "mul": ScalarRow("{0} * {1}", bail="umul_overflows({0}, {1})"),
    "floordiv": ScalarRow("{0} // {1}", bail="{1} == 0"),
    "mod": ScalarRow("{0} % {1}", bail="{1} == 0"),
    "lshift": ScalarRow("({0} << {1} if {1} < uint64(64) else uint64(0))"),
    "rshift": ScalarRow("({0} >> {1} if {1} < uint64(64) else uint64(0))"),
    "truediv": _NUMPY_INT["truediv"],
    "float": ScalarRow("float64({0})"),
    "wrapping_add": ScalarRow("{0} + {1}"),
    "wrapping_sub": ScalarRow("{0} - {1}"),
    "wrapping_mul": ScalarRow("{0} * {1}"),
    "int": ScalarRow("{0}", bail="{0} > uint64(9223372036854775807)"),
    "index": ScalarRow("{0}", bail="{0} > uint64(9223372036854775807)"),
}
_BOOL: Table = {
    "and_": ScalarRow("{0} & {1}"),
    "or_": ScalarRow("{0} | {1}"),
    "xor": ScalarRow("{0} ^ {1}"),
}
_WRAPS = ("lshift", "rshift", "invert", "wrapping_add", "wrapping_sub", "wrapping_mul")
"""Functions whose results silently wrap around."""


def row_of_ints(
    name: str, types: Sequence[ScalarType], result: ScalarType, by_natural: bool
) -> ScalarRow | None:
    """Return the row of a function of ints and bools, or None.

    `by_natural`: the second operand is never negative.
    """
    if (
        {type_.dtype.kind for type_ in types} == {"b"}
        and name in _BOOL
        and result.dtype.kind == "b"
    ):
        return _BOOL[name]
    if (result.dtype.kind == "b") != (name in COMPARE or name in TRUTH):
        return None
    if len(set(types)) > 1 and name in ("min", "max"):
        return None
    if name == "invert" and any(type_.dtype.kind == "b" for type_ in types):
        return None  # deprecated
    numpy = [type_.dtype for type_ in types if type_.dtype.kind in "iu" and not type_.python]
    common = np.result_type(*numpy) if numpy else np.dtype(int)
    if common == np.uint64:
        return _of_unsigned(name, types)
    python = all(type_.python for type_ in types)
    row = (_PYTHON_INT if python else _NUMPY_INT).get(name)
    if row is not None and row.by_natural and by_natural:
        row = replace(row, template=row.by_natural, bail=_ZERO)
    if row is None or common.kind not in "iu":
        return None
    if name in _WRAPS:
        row = replace(row, template=row.template.replace("{bits}", str(8 * common.itemsize)))
    return _in_range(name, replace(row, compute="int64"), types, result, common)


def _of_unsigned(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row for unsigned 64-bit numbers; a negative Python operand needs its own rule."""
    row = _UINT64.get(name)
    if row is None:
        return None
    negative = [f"{{{k}}} < 0" for k, type_ in enumerate(types) if type_.dtype.kind != "u"]
    return replace(row, compute="uint64", before=" or ".join(negative))


def _in_range(
    name: str,
    row: ScalarRow,
    types: Sequence[ScalarType],
    result: ScalarType,
    common: np.dtype[Any],
) -> ScalarRow | None:
    """Add checks of operands and result for types below 64 bits."""
    if common.itemsize == 8 or name in ("float", "int", "index") or name in TRUTH:
        return row
    if name == "truediv":
        return row if result.dtype == np.float64 else None
    info = np.iinfo(common)
    outside = [
        f"not ({info.min} <= {{{k}}} <= {info.max})"
        for k, type_ in enumerate(types)
        if type_.python
    ]
    bail = " or ".join([*filter(None, [row.bail]), *outside])
    silent = name in COMPARE or name in _WRAPS
    check = "" if silent else f"not ({info.min} <= {{r}} <= {info.max})"
    return replace(row, bail=bail, check=check)
