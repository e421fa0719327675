"""Scalar arithmetic in a kernel: Python's for Python scalars, NumPy's for NumPy scalars.

A row says how a function is computed and when the kernel has to leave for eager instead: an int
that would leave its range, a division by zero. What has no row is an opaque call of the function
itself.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...jit.ir.graph import Node, Value
from ...jit.ir.numbers import pick, quotient
from ...jit.ir.types import ScalarType
from .libm import functions
from .native import Flags


@dataclass(frozen=True, slots=True)
class ScalarRow:
    """One function on operands of one kind."""

    template: str
    """Over the operands {0}, {1}; {f} is the address of the library's function."""
    flags: Flags = Flags.PURE
    bail: str = ""
    """Expression under which the kernel bails to eager."""
    check: str = ""
    """The same, of the result {r}."""
    late: str = ""
    """In place of `bail`: an int that is negative where the result {r} is not to be used."""
    compute: str = ""
    """Storage that operands are brought to first; empty: they stay what they are."""
    library: str = ""
    """A function of the C library."""


Table = dict[str, ScalarRow]

_COMPARE = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
_ZERO = "uint64({1} + 1) < 2"
"""Divisors that raise, or whose quotient may leave 64 bits."""

_TRUTH: Table = {
    "truth": ScalarRow("{0} != 0"),
    "bool": ScalarRow("{0} != 0"),
    "not_": ScalarRow("{0} == 0"),
}
"""Of a bool, an int or a float; that of a NaN is silent too."""
_BOTH: Table = {
    **{name: ScalarRow(f"{{0}} {sign} {{1}}") for name, sign in _COMPARE.items()},
    **_TRUTH,
    "pos": ScalarRow("{0}"),
    "max": ScalarRow("{1} if {1} > {0} else {0}"),
    "min": ScalarRow("{1} if {1} < {0} else {0}"),
}
"""Of numbers of any kind."""
_INT: Table = {
    **_BOTH,
    "add": ScalarRow("{0} + {1}", bail="add_overflows({0}, {1})", late="({0} ^ {r}) & ({1} ^ {r})"),
    "sub": ScalarRow("{0} - {1}", bail="sub_overflows({0}, {1})", late="({0} ^ {1}) & ({0} ^ {r})"),
    "mul": ScalarRow("{0} * {1}", bail="mul_overflows({0}, {1})"),
    "square": ScalarRow("{0} * {0}", bail="mul_overflows({0}, {0})"),
    "neg": ScalarRow("-{0}", bail="sub_overflows(0, {0})"),
    "abs": ScalarRow("abs({0})", bail="sub_overflows(0, {0})"),
    "and_": ScalarRow("{0} & {1}"),
    "or_": ScalarRow("{0} | {1}"),
    "xor": ScalarRow("{0} ^ {1}"),
    "invert": ScalarRow("~{0}"),
    "rshift": ScalarRow("{0} >> {1}", bail="{1} < 0 or {1} > 63"),
    "floordiv": ScalarRow("{0} // {1}", bail=_ZERO),
    "mod": ScalarRow("{0} % {1}", bail=_ZERO),
    "pick": ScalarRow("{1} if {0} != 0 else {2}"),
    "index": ScalarRow("{0}"),
    "int": ScalarRow("{0}"),
    "float": ScalarRow("float64({0})"),
}
_PYTHON_INT: Table = {
    **_INT,
    # Shifted out bits are those of a bigger int.
    "lshift": ScalarRow("{0} << {1}", bail="{1} < 0 or {1} > 62 or ({0} << {1}) >> {1} != {0}"),
    # Correctly rounded, as Python promises, while both are exact as doubles.
    "truediv": ScalarRow(
        "float64({0}) / float64({1})",
        bail="{1} == 0 or abs({0}) >= 9007199254740992 or abs({1}) >= 9007199254740992",
    ),
}
_NUMPY_INT: Table = {
    **_INT,
    "truediv": ScalarRow("float64({0}) / float64({1})", Flags.REPORTS),
    "quotient": _PYTHON_INT["truediv"],
}
_BOOL: Table = {
    "and_": ScalarRow("{0} & {1}"),
    "or_": ScalarRow("{0} | {1}"),
    "xor": ScalarRow("{0} ^ {1}"),
}
_FLOAT: Table = {
    **{name: replace(row, flags=Flags.SILENT) for name, row in _BOTH.items()},
    **_TRUTH,
    "pos": ScalarRow("{0}"),
    "neg": ScalarRow("-{0}"),
    "abs": ScalarRow("fabs({0})"),
    "add": ScalarRow("{0} + {1}", Flags.REPORTS),
    "sub": ScalarRow("{0} - {1}", Flags.REPORTS),
    "mul": ScalarRow("{0} * {1}", Flags.REPORTS),
    "truediv": ScalarRow("{0} / {1}", Flags.REPORTS),
}
_TO_INT = ScalarRow("int64({0})", bail="not (-9.2e18 < {0} < 9.2e18)")
_TO_NUMBER: Table = {"float": ScalarRow("float64({0})"), "int": _TO_INT}
_NUMPY_DOUBLE: Table = {
    **_FLOAT,
    **_TO_NUMBER,
    "quotient": ScalarRow("{0} / {1}", Flags.REPORTS, bail="{1} == 0"),
    "pow": ScalarRow("libm2({f}, {0}, {1})", Flags.REPORTS, library="pow"),
    "square": ScalarRow("square({f}, {0})", Flags.REPORTS, library="pow"),
}
_NO_POWER = (
    "not (fabs({0}) < inf and fabs({1}) < inf) or ({0} == 0 and {1} < 0) "
    "or ({0} < 0 and {1} != floor({1}))"
)
"""Where Python has an answer of its own: infinities, errors, complex numbers."""
_PYTHON_FLOAT: Table = {
    # No flag is ever reported.
    **{
        name: replace(row, flags=Flags.SILENT) if row.flags is Flags.REPORTS else row
        for name, row in _FLOAT.items()
    },
    **_TO_NUMBER,
    "truediv": ScalarRow("{0} / {1}", Flags.SILENT, bail="{1} == 0.0"),
    "pow": ScalarRow(
        "libm2({f}, {0}, {1})",
        Flags.SILENT,
        bail=_NO_POWER,
        check="not (fabs({r}) < inf)",
        library="pow",
    ),
    "square": ScalarRow(
        "square({f}, {0})", Flags.SILENT, check="not (fabs({r}) < inf)", library="pow"
    ),
}
EXACT = 2**53
"""Ints up to here are the same numbers as doubles."""


def scalar_row(node: Node, constants: Mapping[Value, Any]) -> ScalarRow | None:
    """How this OPERATOR node is computed natively, or None; `constants` are known values."""
    types = [value.type for value in node.inputs]
    result = node.outputs[0].type
    function = node.attrs["function"]
    scalars = [type_ for type_ in types if isinstance(type_, ScalarType)]
    if len(scalars) < len(types) or not isinstance(result, ScalarType):
        return None
    if any(_is_foreign(type_.dtype) for type_ in (*scalars, result)):
        return None
    if function in _MATH:
        rounds = function in (math.floor, math.ceil, math.trunc)
        if rounds and types[0].dtype.kind != "f":
            return None  # an int stays what it is
        return replace(_MATH[function], compute="float64")
    name = _name(function)
    kinds = {type_.dtype.kind for type_ in scalars}
    if kinds == {"b"} and name in _BOOL and result.dtype.kind == "b":
        return _BOOL[name]
    if name == "pow" and constants.get(node.inputs[1]) == 2:
        name = "square"
    if "f" in kinds:
        return _of_floats(name, scalars)
    return _of_ints(name, scalars, result)


def _is_foreign(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of a dtype are not computed with here."""
    return dtype.kind not in "biuf" or dtype.char in "eg" or dtype == np.uint64


# ---- ints ----------------------------------------------------------------------------------------


def _of_ints(name: str, types: list[ScalarType], result: ScalarType) -> ScalarRow | None:
    """In 64 bits; a result that leaves the range of a smaller type is eager's to report."""
    python = all(type_.python for type_ in types)
    row = (_PYTHON_INT if python else _NUMPY_INT).get(name)
    if row is None or (result.dtype.kind == "b") != (name in _COMPARE or name in _TRUTH):
        return None
    if len(set(types)) > 1 and name in ("min", "max"):
        return None
    if name == "invert" and any(type_.dtype.kind in "bu" for type_ in types):
        return None  # that of a bool is deprecated, that of an unsigned number another one
    numpy = [type_.dtype for type_ in types if type_.dtype.kind in "iu" and not type_.python]
    common = np.result_type(*numpy) if numpy else np.dtype(int)
    if common.itemsize < 8:
        return _of_small_ints(name, row, types, common)
    return replace(row, compute="int64")


def _of_small_ints(
    name: str, row: ScalarRow, types: list[ScalarType], common: np.dtype[Any]
) -> ScalarRow | None:
    if name in ("float", "int", "index") or name in _TRUTH:
        return replace(row, compute="int64")
    if name == "truediv":
        return None  # of small numbers it has another precision
    info = np.iinfo(common)
    outside = [
        f"not ({info.min} <= {{{k}}} <= {info.max})"
        for k, type_ in enumerate(types)
        if type_.python
    ]
    bail = " or ".join([*filter(None, [row.bail]), *outside])
    check = "" if name in _COMPARE else f"not ({info.min} <= {{r}} <= {info.max})"
    return replace(row, compute="int64", bail=bail, check=check)


# ---- floats --------------------------------------------------------------------------------------


def _of_floats(name: str, types: list[ScalarType]) -> ScalarRow | None:
    """In the precision of the floats; Python's numbers have that of double."""
    floats = {type_.dtype.char for type_ in types if type_.dtype.kind == "f"}
    if floats == {"f"}:
        table = {**_FLOAT, **_TO_NUMBER}
        return table.get(name) if all(type_.dtype.char == "f" for type_ in types) else None
    if floats != {"d"}:
        return None
    python = all(type_.python for type_ in types)
    row = (_PYTHON_FLOAT if python else _NUMPY_DOUBLE).get(name)
    if row is None:
        return None
    if name in ("min", "max"):
        return row if len(set(types)) == 1 else None
    if name in _COMPARE:
        return _with_exact_ints(row, types)
    return replace(row, compute="float64")


def _with_exact_ints(row: ScalarRow, types: list[ScalarType]) -> ScalarRow:
    """For comparisons, which are exact in Python: the ints have to be as doubles too."""
    large = [f"abs({{{k}}}) > {EXACT}" for k, type_ in enumerate(types) if type_.dtype.kind == "i"]
    return replace(row, bail=" or ".join(large), compute="float64")


# ---- functions of the math module ----------------------------------------------------------------


def _library_row(name: str) -> ScalarRow:
    """`math` raises where the result is no number but the operands are."""
    operands = 2 if name in ("atan2", "fmod", "pow") else 1
    listed = ", ".join(f"{{{k}}}" for k in range(operands))
    finite = " and ".join(f"fabs({{{k}}}) < inf" for k in range(operands))
    return ScalarRow(
        f"libm{operands}({{f}}, {listed})",
        Flags.SILENT,
        bail=f"not ({finite})",
        check="not (fabs({r}) < inf)",
        library=name,
    )


_MATH: dict[Callable[..., Any], ScalarRow] = {
    **{function: _library_row(name) for function, name in functions().items()},
    math.sqrt: ScalarRow("sqrt({0})", Flags.SILENT, bail="{0} < 0"),
    math.fabs: ScalarRow("fabs({0})"),
    math.floor: replace(_TO_INT, template="int64(floor({0}))"),
    math.ceil: replace(_TO_INT, template="int64(ceil({0}))"),
    math.trunc: _TO_INT,
    math.isnan: ScalarRow("{0} != {0}", Flags.SILENT),
    math.isinf: ScalarRow("fabs({0}) == inf", Flags.SILENT),
    math.isfinite: ScalarRow("fabs({0}) < inf", Flags.SILENT),
}


_OF_GRAPHS: dict[Callable[..., Any], str] = {
    np.float64: "float",
    np.int64: "int",
    np.bool_: "bool",
    quotient: "quotient",
    pick: "pick",
}
"""Functions that only graphs call, by what they do to a number."""


def _name(function: Callable[..., Any]) -> str:
    if function in _OF_GRAPHS:
        return _OF_GRAPHS[function]
    name: str = getattr(function, "__name__", "")
    if getattr(operator, name, None) is function or getattr(builtins, name, None) is function:
        return name
    return ""
