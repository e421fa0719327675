"""Operators: which ufunc an operator means is NumPy's to say."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..folding import folded
from ..frame import Frame
from ..live import concrete, look
from ..machine import Machine, handles
from ..nodes import opaque_call, operator_call, probed_call
from ..stores import assign_out
from ..twins import for_array, is_twins, look_at_numbers, with_twins
from ..values import Array, Known, Scalar, Symbolic
from .overloads import in_place, on_objects, refuse

Function = Callable[..., Any]
BINARY: dict[str, Function] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARE: dict[str, Function] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
_FOLDED = (bool, int, float, complex, str, bytes, type(None), tuple)
"""Types whose operators are pure."""


@handles("BINARY_OP")
def binary_op(machine: Machine, frame: Frame, arg: Any) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    owner = left if is_twins(left) else look(machine, left)
    if arg.inplace and isinstance(owner, Array):
        result = apply(machine, frame, BINARY[arg.operator], (owner, right))
        assign_out(machine, frame, owner, result, _ufunc_behind(machine, result))
        frame.stack.append(owner)
        return
    if arg.inplace:
        made = in_place(machine, frame, BINARY[arg.operator], owner, right)
        if made is not None:
            frame.stack.append(made)
            return
    frame.stack.append(apply(machine, frame, BINARY[arg.operator], (left, right)))


def _ufunc_behind(machine: Machine, result: Symbolic) -> np.ufunc | None:
    """The ufunc that an operator has just come down to; None where it is called as it is."""
    nodes = machine.builder.block.nodes
    if isinstance(result, Array | Scalar) and nodes and result.value in nodes[-1].outputs:
        ufunc = nodes[-1].attrs.get("ufunc")
        return ufunc if isinstance(ufunc, np.ufunc) else None
    return None


@handles("COMPARE_OP")
def compare_op(machine: Machine, frame: Frame, symbol: str) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(apply(machine, frame, COMPARE[symbol], (left, right)))


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
    """`function(*operands)` for a function of the operator module."""
    if any(map(is_twins, operands)):
        made = _of_either_kind(machine, frame, function, operands)
        if made is not None:
            return made
    looked = tuple(look(machine, value) for value in operands)
    if any(isinstance(value, Array) for value in looked):
        return _on_arrays(machine, frame, function, looked)
    if all(isinstance(value, Known) and type(value.object) in _FOLDED for value in looked):
        return Known(folded(function, *(v.object for v in looked if isinstance(v, Known))))
    if all(isinstance(value, Scalar | Known) for value in looked):
        return operator_call(machine, frame, function, looked)
    made = on_objects(machine, frame, function, looked)
    if made is None:
        raise refuse(function, looked)
    return made


def _of_either_kind(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Where numbers are Python's or NumPy's; None where it has to be known."""
    looked = look_at_numbers(machine, operands)
    array = next((value for value in looked if isinstance(value, Array)), None)
    if array is None:
        return with_twins(machine, frame, function, looked)
    chosen = tuple(for_array(value, array) for value in looked)
    if any(map(is_twins, chosen)):
        return None
    return apply(machine, frame, function, chosen)


def _on_arrays(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic:
    """Asks NumPy which ufunc the operator calls: `x ** 2` is square, `x ** 0.5` is sqrt."""
    if function is operator.pow:
        operands = (operands[0], concrete(machine, operands[1]) or operands[1])
    made = probed_call(machine, frame, function, operands, located=True)
    if made is None:
        return opaque_call(machine, frame, function, operands, {})
    return made
