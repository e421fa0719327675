"""Scalar arithmetic: Python's rules for Python scalars, NumPy's for NumPy scalars.

A row says how a function is computed and when the kernel has to bail, such as on overflow or
division by zero. A function without a row is called as an opaque function.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.ir.graph import Node, Value
from ....jit.ir.numbers import StoredAs
from ....jit.ir.primitives import OPERATORS
from ....jit.ir.primitives.operators import OF_MATH
from ....jit.ir.types import ScalarType
from .int_rules import int_rule
from .rows import ScalarRow
from .rows_of_complex import row_of_complex
from .rows_of_floats import row_of_floats
from .table import CODE


def scalar_row(
    node: Node, constants: Mapping[Value, Any], naturals: Container[Value] = ()
) -> ScalarRow | None:
    """Return the row for an OPERATOR node, or None.

    `constants` are known values, `naturals` ints that are never negative.
    """
    types = [value.type for value in node.inputs]
    result = node.outputs[0].type
    function = node.attrs["function"]
    scalars = [type_ for type_ in types if isinstance(type_, ScalarType)]
    if len(scalars) < len(types) or not isinstance(result, ScalarType):
        return None
    if any(_is_foreign(type_.dtype) for type_ in (*scalars, result)):
        return None
    name = _name(function)
    code = CODE.get(name)
    if code is not None and code.of_math is not None:
        serves = types[0].dtype.kind in code.kinds
        return replace(code.of_math, compute="float64") if serves else None
    if isinstance(function, StoredAs):
        return _row_of_store(scalars[0], result.dtype)
    if isinstance(function, type) and issubclass(function, np.number):
        return _row_of_cast(scalars[0], result.dtype) if len(scalars) == 1 else None
    if name == "pow" and constants.get(node.inputs[1]) == 2:
        row = _row_of_numbers("square", scalars, result)
        return row or _row_of_numbers("pow", scalars, result)
    return _row_of_numbers(name, scalars, result, node.inputs[-1] in naturals)


def _row_of_numbers(
    name: str, types: list[ScalarType], result: ScalarType, by_natural: bool = False
) -> ScalarRow | None:
    if any(type_.dtype.kind == "c" for type_ in types):
        return row_of_complex(name, types)
    if any(type_.dtype.kind == "f" for type_ in types):
        return row_of_floats(name, types)
    return int_rule(name, types, result, by_natural)


def _is_foreign(dtype: np.dtype[Any]) -> bool:
    """True if numbers of this dtype are not computed here."""
    return dtype.kind not in "biufc" or dtype.char in "egG"


# ---- casts --------------------------------------------------------------------------------------


def _row_of_store(source: ScalarType, target: np.dtype[Any]) -> ScalarRow | None:
    """Return the row of an assignment to an element: a cast that bails if the number does not fit.

    NumPy ints wrap in unsigned elements, but have to fit in signed ones.
    """
    if target.kind == "b":
        return ScalarRow("{0} != 0")
    row = _row_of_cast(source, target)
    if row is None or source.python or source.dtype.kind not in "iu" or target.kind != "i":
        return row
    info = np.iinfo(target)
    if source.dtype.kind == "u":
        return replace(row, bail=f"{{0}} > {source.dtype}({info.max})")
    return replace(row, bail=f"not ({info.min} <= {{0}} <= {info.max})")


def _row_of_cast(source: ScalarType, target: np.dtype[Any]) -> ScalarRow | None:
    """Return the row of `np.int32(number)` and similar casts.

    It bails for numbers that do not fit.
    """
    storage = target.name
    if target.kind in "iu" and source.dtype.kind in "biu":
        info = np.iinfo(target)
        if source.python and target != np.int64:
            return ScalarRow("{0}", bail=f"not ({info.min} <= {{0}} <= {min(info.max, 2**63 - 1)})")
        return ScalarRow("{0}")
    if target.kind in "iu" and source.dtype.kind == "f":
        least, most = max(-(2.0**62), np.iinfo(target).min), min(2.0**62, np.iinfo(target).max)
        return ScalarRow(
            "int64({0})", bail=f"not ({float(least)} <= {{0}} <= {float(most)})", compute="float64"
        )
    if target == np.float64 and source.dtype.kind in "biuf":
        return ScalarRow("{0}", compute=storage)
    if target == np.float32 and source.dtype.kind in "biuf":
        limits = {"i": "abs({0}) > 16777216", "f": "not (1e-37 < fabs({0}) < 3e38 or {0} == 0)"}
        bail = limits.get(source.dtype.kind, "") if source.dtype != np.float32 else ""
        return ScalarRow("{0}", bail=bail)
    return None


def _name(function: Callable[..., Any]) -> str:
    """Return the name of a function in the table of code, or ""."""
    row = OPERATORS.get(function)
    if row is None:
        return ""
    return f"math.{row.name}" if row.family is OF_MATH else row.name
