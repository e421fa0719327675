"""Effects of nodes and of the nodes in their regions: which may be dropped, which write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..ir.graph import Node, Value
from ..ir.ops import CAST, IF, LISTED, OPERATOR, UFUNC, WHERE, Kind
from ..ir.primitives import Answers, Flags, of_node, ufunc_of
from ..ir.types import ArrayType, ScalarType

Numbers = Mapping[Value, Any]
"""Values of the constants of a graph."""


def may_write(node: Node) -> bool:
    """True if a node, or one in its regions, may change the memory of arrays."""
    if node.blocks:
        return any(may_write(inner) for block in node.blocks for inner in block.nodes)
    return node.op.effect is not None and node.op.kind is not Kind.CONTROL


def reads_memory(node: Node) -> bool:
    """True if the node's result depends on the items of arrays."""
    return node.op.kind is not Kind.VIEW and any(
        isinstance(value.type, ArrayType) for value in node.inputs
    )


# ---- numbers -------------------------------------------------------------------------------------


def is_removable(node: Node) -> bool:
    """True for nodes that make numbers, and branches of such nodes, without any other effect.

    False for all nodes that make arrays, see `is_silent`.
    """
    if node.op is IF:
        return all(is_removable(inner) for block in node.blocks for inner in block.nodes)
    if node.op is not OPERATOR:
        return is_silent_number(node)
    types = [value.type for value in node.inputs if isinstance(value.type, ScalarType)]
    if len(types) < len(node.inputs):
        return False
    answers = of_node(node).answers
    if answers is Answers.REALS:
        return all(type_.dtype.kind in "biuf" for type_ in types) and not _may_overflow(types)
    return answers is Answers.PYTHON_INTS and all(
        type_.python and type_.dtype.kind in "bi" for type_ in types
    )


def is_silent_number(node: Node) -> bool:
    """True if a node makes a number and never raises, warns or leaves."""
    return node.op.silent and node.op.kind in (Kind.SCALAR, Kind.CONTROL)


def _may_overflow(types: list[ScalarType]) -> bool:
    """True if NumPy casts a Python number to a smaller float, which may warn about overflow."""
    weak = any(type_.python for type_ in types)
    small = (not one.python and one.dtype.kind == "f" and one.dtype.itemsize < 8 for one in types)
    return weak and any(small)


# ---- arrays --------------------------------------------------------------------------------------


def is_silent(node: Node, known: Numbers) -> bool:
    """True if a node that makes numbers or arrays has no observable effect besides its results.

    Its operations raise no exception and no reported flag; `known` has the constants, which decide
    if Python numbers fit the dtypes of arrays.
    """
    if node.op.silent or is_removable(node):
        return True
    if node.op is LISTED:
        return not node.attrs["filled"]
    if not isinstance(node.outputs[0].type, ArrayType):
        return False
    if node.op is WHERE:
        return _fit(node.inputs[1:], known, wraps=True)
    if node.op is CAST:
        return np.can_cast(node.inputs[0].type.dtype, node.outputs[0].type.dtype, "safe")
    if node.op is not UFUNC or not all(map(_is_plain, node.inputs)):
        return False
    row, kinds = ufunc_of(node), {value.type.dtype.kind for value in node.inputs}
    if row.flags is None or (row.flags is Flags.FLOATS and "f" in kinds):
        return False
    return _fit(node.inputs, known, wraps=row.takes_any_int)


def _is_plain(value: Value) -> bool:
    """True if the value is real and cannot overflow when cast to a smaller float."""
    type_ = value.type
    if _is_weak(value) and type_.dtype.kind == "f":
        return False
    return type_.dtype.kind in "biu" or type_.dtype.char in "fd"


def _is_weak(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.python


def _fit(values: Sequence[Value], known: Numbers, *, wraps: bool) -> bool:
    """True if NumPy casts the Python numbers among the operands without a warning or error.

    NumPy refuses ints that do not fit an int dtype, except, with `wraps`, where it wraps them. A
    number too large for a float dtype raises a reported flag.
    """
    dtypes = [value.type.dtype for value in values if not _is_weak(value)]
    if not dtypes:
        return True
    common = np.result_type(*dtypes)
    return all(_fits(one, common, known.get(one), wraps) for one in values if _is_weak(one))


def _fits(value: Value, common: np.dtype[Any], number: Any, wraps: bool) -> bool:
    """True if one number can be cast; `number` is None if it is known only at run time."""
    kind = value.type.dtype.kind
    if kind == "b" or common.kind == "b":
        return True
    if common.kind in "iu":
        if kind != "i" or wraps:
            return True  # with a Python float the result is a double
        info = np.iinfo(common)
        least, largest = (-(2**63), 2**63 - 1) if number is None else (number, number)
        return int(info.min) <= least and largest <= int(info.max)
    bound = (float(2**63) if kind == "i" else np.inf) if number is None else abs(number)
    return bool(common.char in "dD" or bound <= float(np.finfo(common).max))
