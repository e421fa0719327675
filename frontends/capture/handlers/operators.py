"""Operators; NumPy decides which ufunc an operator is."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ....jit.ir.primitives import OPERATORS, of_numbers
from ....jit.ir.types import PY_INT
from ...numpy.numpy_calls import as_operand
from ..arrays.elision import as_eager_computes
from ..arrays.nodes import opaque_call, operator_call, probed_call
from ..arrays.steps import called_in_place
from ..arrays.stores import assign_out
from ..state.frame import Frame
from ..state.live import concrete, realise
from ..state.machine import Machine, handles
from ..state.number_kinds import of_any_kind
from ..values.either_number import for_array, is_either_number
from ..values.folding import folded, is_constant
from ..values.symbolic import Array, Instance, Known, Scalar, Symbolic
from .either_number import apply_to_either, realise_numbers
from .overloads import in_place, on_objects, refuse
from .percent import percent

Function = Callable[..., Any]
BINARY: dict[str, Function] = {
    row.symbol: row.function for row in OPERATORS.values() if row.symbol and row.compares is None
}
COMPARE: dict[str, Function] = {
    row.symbol: row.function for row in OPERATORS.values() if row.compares is not None
}


@handles("BINARY_OP")
def binary_op(machine: Machine, frame: Frame, arg: Any) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    function = BINARY[arg.operator]
    left, right = of_any_kind(machine, function, (left, right), in_place=arg.inplace)
    if arg.inplace:
        frame.stack.append(apply_in_place(machine, frame, function, left, right))
        return
    frame.stack.append(_apply_binary(machine, frame, function, left, right))


def apply_in_place(
    machine: Machine, frame: Frame, function: Function, left: Symbolic, right: Symbolic
) -> Symbolic:
    """Apply `left += right`; an array, list, dict or user object changes in place."""
    owner = left if is_either_number(left) else realise(machine, left)
    if isinstance(owner, Array):
        if not called_in_place(machine, frame, function, (owner, right)):
            result = apply(machine, frame, function, (owner, right))
            assign_out(machine, frame, owner, result, _ufunc_behind(machine, result))
        return owner
    made = in_place(machine, frame, function, owner, right)
    return _apply_binary(machine, frame, function, left, right) if made is None else made


def _apply_binary(
    machine: Machine, frame: Frame, function: Function, left: Symbolic, right: Symbolic
) -> Symbolic:
    result = apply(machine, frame, function, (left, right))
    as_eager_computes(machine, frame, function, (left, right), result)
    return result


def _ufunc_behind(machine: Machine, result: Symbolic) -> np.ufunc | None:
    """Return the ufunc that an operator just became; None if it is called as it is."""
    nodes = machine.builder.block.nodes
    if isinstance(result, Array | Scalar) and nodes and result.value in nodes[-1].outputs:
        ufunc = nodes[-1].attrs.get("ufunc")
        return ufunc if isinstance(ufunc, np.ufunc) else None
    return None


@handles("COMPARE_OP")
def compare_op(machine: Machine, frame: Frame, symbol: str) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    operands = of_any_kind(machine, COMPARE[symbol], (left, right))
    frame.stack.append(apply(machine, frame, COMPARE[symbol], operands))


@handles("UNARY_NEGATIVE")
def unary_negative(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(apply(machine, frame, operator.neg, (frame.stack.pop(),)))


@handles("UNARY_POSITIVE")
def unary_positive(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(apply(machine, frame, operator.pos, (frame.stack.pop(),)))


@handles("UNARY_INVERT")
def unary_invert(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(apply(machine, frame, operator.invert, (frame.stack.pop(),)))


def apply(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic:
    """Apply a function of the operator module."""
    if any(map(is_either_number, operands)):
        made = _of_either_kind(machine, frame, function, operands)
        if made is not None:
            return made
    realised = tuple(realise(machine, value) for value in operands)
    if any(isinstance(value, Array) for value in realised):
        made = _of_left_object(machine, frame, function, realised)
        if made is not None:
            return made
        realised = tuple(as_operand(machine, frame, value) for value in realised)
        return _on_arrays(machine, frame, function, realised)
    if all(isinstance(value, Known) and is_constant(value.object) for value in realised):
        return Known(folded(function, *(v.object for v in realised if isinstance(v, Known))))
    if function is operator.mul and _is_one(realised[0]) and _is_int(realised[1]):
        return realised[1]  # products of lengths start like this
    known = _of_positive(machine, function, realised)
    if known is not None:
        return known
    if function is operator.or_ and all(map(_is_plain_class, realised)):
        return Known(folded(function, *(v.object for v in realised if isinstance(v, Known))))
    if function is operator.mod and isinstance(realised[0], Known):
        text = percent(machine, realised[0].object, realised[1])
        if text is not None:
            return text
    if all(isinstance(value, Scalar | Known) for value in realised):
        return operator_call(machine, frame, function, realised)
    made = on_objects(machine, frame, function, realised)
    if made is None:
        raise refuse(function, realised)
    return made


def _of_left_object(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Return the answer of a user object on the left, asked before an array on its right."""
    left = operands[0]
    if not isinstance(left, Instance) or issubclass(left.kind, np.ndarray):
        return None
    return on_objects(machine, frame, function, operands)


def _of_positive(
    machine: Machine, function: Function, operands: tuple[Symbolic, ...]
) -> Known | None:
    """Fold the comparison of a positive length with 0."""
    number, zero = operands if len(operands) == 2 else (None, None)
    if of_numbers(function).compares is None or not isinstance(number, Scalar):
        return None
    if number.value not in machine.builder.positive or not isinstance(zero, Known):
        return None
    if type(zero.object) is not int or zero.object != 0:
        return None
    one = 1 if number.type.python else number.type.dtype.type(1)
    return Known(function(one, 0))


def _is_one(value: Symbolic) -> bool:
    return isinstance(value, Known) and type(value.object) is int and value.object == 1


def _is_int(value: Symbolic) -> bool:
    return isinstance(value, Scalar) and value.type == PY_INT


def _is_plain_class(value: Symbolic) -> bool:
    """True for operands of which `|` makes a union of classes, without involving a metaclass."""
    kinds = (type, types.UnionType, types.NoneType)
    return isinstance(value, Known) and any(type(value.object) is kind for kind in kinds)


def _of_either_kind(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Apply an operator to numbers of either kind; None if their kind has to be known."""
    realised = realise_numbers(machine, operands)
    array = next((value for value in realised if isinstance(value, Array)), None)
    if array is None:
        return apply_to_either(machine, frame, function, realised)
    chosen = tuple(for_array(value, array) for value in realised)
    if any(map(is_either_number, chosen)):
        return None
    return apply(machine, frame, function, chosen)


def _on_arrays(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic:
    """Probe which ufunc the operator calls: `x ** 2` is square, `x ** 0.5` is sqrt."""
    if function is operator.pow:
        operands = (operands[0], concrete(machine, operands[1]) or operands[1])
    made = probed_call(machine, frame, function, operands)
    if made is None:
        return opaque_call(machine, frame, function, operands, {})
    return made
