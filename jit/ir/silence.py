"""Nodes that certainly raise no exception and no reported flag: rules that rows of ops name.

A rule is asked about one node; `known` has the constants of the graph, which decide if Python
numbers fit the dtypes of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .graph import Node, Value
from .primitives import Answers, Flags, of_node, ufunc_of
from .schema import Numbers
from .types import ArrayType, ScalarType


def of_numbers(node: Node, known: Numbers) -> bool:
    """True if a function of numbers answers for all numbers of the operands' types."""
    types = [value.type for value in node.inputs if isinstance(value.type, ScalarType)]
    if len(types) < len(node.inputs):
        return False
    answers = of_node(node).answers
    if answers is Answers.REALS:
        return all(type_.dtype.kind in "biuf" for type_ in types) and not _may_overflow(types)
    return answers is Answers.PYTHON_INTS and all(
        type_.python and type_.dtype.kind in "bi" for type_ in types
    )


def elementwise(node: Node, known: Numbers) -> bool:
    """True if a ufunc raises no flag for arrays of these types, and its numbers fit."""
    if not _makes_array(node) or not all(map(_is_plain, node.inputs)):
        return False
    row, kinds = ufunc_of(node), {value.type.dtype.kind for value in node.inputs}
    if row.flags is None or (row.flags is Flags.FLOATS and "f" in kinds):
        return False
    return _fit(node.inputs, known, wraps=row.takes_any_int)


def if_numbers_fit(node: Node, known: Numbers) -> bool:
    """True if the numbers among the two choices of `where` fit the result."""
    return _makes_array(node) and _fit(node.inputs[1:], known, wraps=True)


def if_dtype_holds_all(node: Node, known: Numbers) -> bool:
    """True if an array is converted to a dtype that holds all its numbers."""
    source, target = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    return _makes_array(node) and np.can_cast(source, target, "safe")


def if_not_filled(node: Node, known: Numbers) -> bool:
    """True if an empty list is no error."""
    return not node.attrs["filled"]


def _makes_array(node: Node) -> bool:
    return isinstance(node.outputs[0].type, ArrayType)


def _may_overflow(types: list[ScalarType]) -> bool:
    """True if NumPy casts a Python number to a smaller float, which may warn about overflow."""
    weak = any(type_.python for type_ in types)
    small = (not one.python and one.dtype.kind == "f" and one.dtype.itemsize < 8 for one in types)
    return weak and any(small)


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
