"""Scalar arithmetic in a kernel: Python's for Python scalars, NumPy's for NumPy scalars.

A row says how an operator is computed and when the kernel has to leave for eager instead: an int
that would leave 64 bits, a division by zero. What has no row is an opaque call of the operator
itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...jit.ir.graph import Node
from ...jit.ir.types import ScalarType, Type
from .native import Flags


@dataclass(frozen=True, slots=True)
class ScalarRow:
    """One operator on operands of one kind."""

    template: str
    flags: Flags
    bail: str = ""
    """Expression under which the kernel bails to eager."""


_COMPARE = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}

_INT: dict[str, ScalarRow] = {
    "add": ScalarRow("{0} + {1}", Flags.PURE, "add_overflows({0}, {1})"),
    "sub": ScalarRow("{0} - {1}", Flags.PURE, "sub_overflows({0}, {1})"),
    "mul": ScalarRow("{0} * {1}", Flags.PURE, "mul_overflows({0}, {1})"),
    "neg": ScalarRow("-{0}", Flags.PURE, "sub_overflows(0, {0})"),
    "pos": ScalarRow("{0}", Flags.PURE),
    "and_": ScalarRow("{0} & {1}", Flags.PURE),
    "or_": ScalarRow("{0} | {1}", Flags.PURE),
    "xor": ScalarRow("{0} ^ {1}", Flags.PURE),
    **{name: ScalarRow(f"{{0}} {sign} {{1}}", Flags.PURE) for name, sign in _COMPARE.items()},
}
_TRUTH: dict[str, ScalarRow] = {
    "truth": ScalarRow("{0} != 0", Flags.PURE),
    "not_": ScalarRow("{0} == 0", Flags.PURE),
}
"""Of a bool, an int or a float of any kind; that of a NaN is silent too."""
_INT_PYTHON: dict[str, ScalarRow] = {
    **_INT,
    "floordiv": ScalarRow("{0} // {1}", Flags.PURE, "{1} == 0 or {1} == -1"),
    "mod": ScalarRow("{0} % {1}", Flags.PURE, "{1} == 0 or {1} == -1"),
    # Correctly rounded, as Python promises, while both are exact as doubles.
    "truediv": ScalarRow(
        "float64({0}) / float64({1})",
        Flags.PURE,
        "{1} == 0 or abs({0}) >= 9007199254740992 or abs({1}) >= 9007199254740992",
    ),
}
_FLOAT: dict[str, ScalarRow] = {
    "add": ScalarRow("{0} + {1}", Flags.REPORTS),
    "sub": ScalarRow("{0} - {1}", Flags.REPORTS),
    "mul": ScalarRow("{0} * {1}", Flags.REPORTS),
    "truediv": ScalarRow("{0} / {1}", Flags.REPORTS),
    "neg": ScalarRow("-{0}", Flags.PURE),
    "pos": ScalarRow("{0}", Flags.PURE),
    **{name: ScalarRow(f"{{0}} {sign} {{1}}", Flags.SILENT) for name, sign in _COMPARE.items()},
}


def scalar_row(node: Node) -> ScalarRow | None:
    """How this OPERATOR node is computed natively, or None."""
    types = [value.type for value in node.inputs]
    result = node.outputs[0].type
    name = _name(node.attrs["function"])
    if not all(isinstance(type_, ScalarType) for type_ in types):
        return None
    chars: set[str] = {type_.dtype.char for type_ in types}
    python = {type_.python for type_ in types if isinstance(type_, ScalarType)}
    if name in _TRUTH and types[0].dtype.kind in "biuf":
        return _TRUTH[name]
    if python == {True}:
        if chars <= {"l"}:
            return _INT_PYTHON.get(name)
        if chars <= {"l", "d"} and result.dtype.char in "d?":
            return _python_float(name, types)
        return None
    if chars == {"d"}:
        return _FLOAT.get(name)
    if chars == {"d", "l"} and _weak_int(types):
        return _with_exact_ints(_FLOAT.get(name), types) if name in _COMPARE else _FLOAT.get(name)
    if chars == {"f"}:
        return _FLOAT.get(name)
    if chars == {"l"}:
        return _INT.get(name)
    return None


EXACT = 2**53
"""Ints up to here are the same numbers as doubles."""


def _with_exact_ints(row: ScalarRow | None, types: list[Type]) -> ScalarRow | None:
    """For comparisons, which are exact in Python: the ints have to be as doubles too."""
    if row is None:
        return None
    large = [f"abs({{{k}}}) > {EXACT}" for k, type_ in enumerate(types) if type_.dtype.kind == "i"]
    return ScalarRow(row.template, row.flags, " or ".join(large))


def _weak_int(types: list[Type]) -> bool:
    """Whether every int is a Python int: NumPy makes a double of it."""
    return all(
        isinstance(type_, ScalarType) and (type_.python or type_.dtype.char == "d")
        for type_ in types
    )


def _python_float(name: str, types: list[Type]) -> ScalarRow | None:
    """Python float arithmetic: the same IEEE operations, but no flag is ever reported.

    A division by zero raises.
    """
    row = _FLOAT.get(name)
    if row is not None and name in _COMPARE:
        row = _with_exact_ints(row, types)
    if row is None:
        return None
    bail = row.bail or "{1} == 0.0" if name == "truediv" else ""
    flags = Flags.PURE if row.flags is Flags.PURE else Flags.SILENT
    return ScalarRow(row.template, flags, bail)


def _name(function: Callable[..., Any]) -> str:
    return function.__name__ if getattr(operator, function.__name__, None) is function else ""
