"""Lowers an elementwise node to an LLVM expression or to NumPy's inner loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import frexp
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.graph import Node
from ....jit.ir.ops import CAST, COPY, UFUNC, WHERE
from ....jit.ir.primitives import of_node, primitive
from ....jit.ir.types import ArrayType, ScalarType, Type
from ..library.names import storage_name
from ..native import TRUTH, Flags, row_of
from ..proofs import is_proved
from .casts import int_of_float
from .faster import faster

DType = np.dtype[Any]
HALF = np.dtype(np.float16)


@dataclass(frozen=True, slots=True)
class Lowering:
    """One elementwise computation on operands of exactly these dtypes."""

    operands: tuple[DType, ...]
    result: DType
    flags: Flags
    template: str = ""
    """Numba expression; "" if `loop` computes it."""
    loop: tuple[np.ufunc, int] | None = None
    """A ufunc and the index of its inner loop."""
    holds: str = ""
    """Test on the first operand that the template equals NumPy's result; the launch bails
    otherwise."""


def lower(node: Node) -> Lowering | None:
    """Return the lowering of an elementwise node, or None if NumPy has to be called."""
    types = [value.type for value in node.inputs]
    if HALF in (t.dtype for t in (*types, node.outputs[0].type)) and not _all_half(node):
        return None
    if storage_name(node.outputs[0].type.dtype) is None:
        return None
    if any(storage_name(type_.dtype) is None for type_ in types):
        return None
    rule = RULES.get(node.op.name)
    return None if rule is None else rule(node, types)


def lower_as_ufunc(node: Node) -> Lowering | None:
    """Return the lowering of an operator on NumPy's floating point scalars; None for others."""
    row = of_node(node)
    types = [value.type for value in node.inputs]
    result = node.outputs[0].type
    scalars = [type_ for type_ in types if isinstance(type_, ScalarType) and type_.dtype != HALF]
    floating = any(type_.dtype.kind in "fc" and not type_.python for type_ in scalars)
    if not row.loop_of_floats or row.ufunc is None or len(scalars) < len(types) or not floating:
        return None
    numpy = {type_.dtype.char for type_ in scalars if not type_.python}
    if not numpy <= {"d", "D"} and any(type_.python for type_ in scalars):
        return None  # the conversion of Python's number to another precision is left to NumPy
    lowering = _lower_ufunc(row.ufunc, types)
    return lowering if lowering is not None and lowering.result == result.dtype else None


def _all_half(node: Node) -> bool:
    """True for arithmetic on float16 only: LLVM code has none, NumPy's loops do it."""
    values = (*node.inputs, *node.outputs)
    return all(isinstance(v.type, ArrayType) and v.type.dtype == HALF for v in values)


def _lower_node_of_ufunc(node: Node, types: list[Type]) -> Lowering | None:
    lowering = _lower_ufunc(node.attrs["ufunc"], types)
    if lowering is not None and _divides_lines(node, lowering):
        return replace(lowering, template="", loop=(np.divide, DOUBLES))
    return lowering


def _lower_ufunc(ufunc: np.ufunc, types: list[Type]) -> Lowering | None:
    dtypes = loop_dtypes(ufunc, types)
    if dtypes is None:
        return None
    *operands, result = dtypes
    if any(storage_name(dtype) is None for dtype in dtypes):
        return None
    arrays = zip(types, operands, strict=True)
    if any(isinstance(t, ArrayType) and lower_cast(t.dtype, dtype) is None for t, dtype in arrays):
        return None  # logical_or converts complex numbers to bool
    native = row_of(ufunc, tuple(operands))
    if native is not None and not is_proved(ufunc, native, operands[0]):
        native = None
    if native is not None and native.numbers:
        arrays_behind = any(isinstance(type_, ArrayType) for type_ in types[1:])
        native = None if arrays_behind else native
    if native is not None and operands[0] != HALF:
        flags = native.flags if operands[0].kind == "f" else Flags.PURE
        template = native.template.replace("{bits}", str(8 * operands[0].itemsize))
        return Lowering(tuple(operands), result, flags, template)
    index = loop_index(ufunc, dtypes)
    if index is None:
        return None
    return Lowering(tuple(operands), result, Flags.REPORTS, loop=(ufunc, index))


DOUBLES = np.divide.types.index("dd->d")
MOST = 2.0**1000
"""Bound on numbers that are tested for being powers of two."""


def _divides_lines(node: Node, lowering: Lowering) -> bool:
    """True if lines of doubles are each divided by one number, as quotients.py does.

    Division by a power of two is a multiplication in LLVM. With gaps, NumPy's loops are not fused.
    """
    if node.attrs["ufunc"] is not np.divide or {*lowering.operands} != {np.dtype(np.float64)}:
        return False
    if faster(np.divide, DOUBLES) is None:
        return False
    (array, number), result = (value.type for value in node.inputs), node.outputs[0].type
    if not isinstance(array, ArrayType) or array != result or not array.layout.is_c:
        return False
    if isinstance(number, ArrayType):
        alike = number.ndim == array.ndim > 1 and number.layout.is_c and number.dtype == array.dtype
        return alike and number.dims[-1] == 1 != array.dims[-1]
    hint = node.inputs[1].hint
    known = isinstance(hint, int | float) and abs(hint) < MOST
    return not known or abs(frexp(hint)[0]) != 0.5


def loop_dtypes(ufunc: np.ufunc, types: list[Type]) -> tuple[DType, ...] | None:
    """Return the dtypes of NumPy's loop, operands and result; None if NumPy rejects the types."""
    weak: dict[str, DType | type] = {"?": np.dtype(bool), "l": int, "d": float, "D": complex}
    asked: list[DType | type | None] = [
        weak[t.dtype.char] if isinstance(t, ScalarType) and t.python else t.dtype for t in types
    ]
    try:
        resolved: tuple[DType, ...] = ufunc.resolve_dtypes((*asked, *[None] * ufunc.nout))
    except (TypeError, ValueError):
        return None
    return resolved


def loop_index(ufunc: np.ufunc, dtypes: tuple[DType, ...]) -> int | None:
    """Return the first loop with that signature; later ones may give other bits.

    None if there is none, or if it may raise, as a negative power of an int does.
    """
    if dtypes[-1].kind in primitive(ufunc).raises:
        return None
    ins = "".join(dtype.char for dtype in dtypes[: ufunc.nin])
    outs = "".join(dtype.char for dtype in dtypes[ufunc.nin :])
    signature = f"{ins}->{outs}"
    return ufunc.types.index(signature) if signature in ufunc.types else None


def _lower_where(node: Node, types: list[Type]) -> Lowering | None:
    if types[0].dtype.kind != "b":
        return None
    result = node.outputs[0].type.dtype
    template = "{1} if {0} != 0 else {2}"
    return Lowering((types[0].dtype, result, result), result, Flags.PURE, template)


def _lower_copy(node: Node, types: list[Type]) -> Lowering | None:
    return lower_cast(types[0].dtype, types[0].dtype)


def _lower_cast_of_program(node: Node, types: list[Type]) -> Lowering | None:
    """Lower a cast written by the program.

    Casting a signalling NaN is invalid in any float dtype.
    """
    source, target = types[0].dtype, node.attrs["dtype"]
    lowering = lower_cast(source, target)
    if lowering is None or source == target or source.kind not in "fc" or target.kind not in "fc":
        return lowering
    return replace(lowering, flags=Flags.REPORTS)


def lower_cast(source: DType, target: DType) -> Lowering | None:
    """Lower a cast that LLVM performs as NumPy does; None for others."""
    if storage_name(source) is None or storage_name(target) is None:
        return None
    if source == target:
        return Lowering((source,), target, Flags.PURE, "{0}")
    if source.kind == "c":
        wider = target.kind == "c" and target.itemsize > source.itemsize
        return Lowering((source,), target, Flags.PURE, "{0}") if wider else None
    if target.kind == "b":
        flags = Flags.SILENT if source.kind == "f" else Flags.PURE
        return Lowering((source,), target, flags, "{0} != 0")
    if source.kind == "f":
        if target.kind in "iu" and source != HALF:
            template, holds = int_of_float(source, target)
            return Lowering((source,), target, Flags.PURE, template, holds=holds)
        if target.kind not in "fc":
            return None
        narrowing = target.itemsize // (2 if target.kind == "c" else 1) < source.itemsize
        return Lowering((source,), target, Flags.REPORTS if narrowing else Flags.PURE, "{0}")
    return Lowering((source,), target, Flags.PURE, TRUTH if source.kind == "b" else "{0}")


RULES: dict[str, Callable[[Node, list[Type]], Lowering | None]] = {
    UFUNC.name: _lower_node_of_ufunc,
    WHERE.name: _lower_where,
    COPY.name: _lower_copy,
    CAST.name: _lower_cast_of_program,
}
"""The function that lowers each elementwise op, from a node and the types of its operands."""
