"""Operators: which ufunc an operator means is NumPy's to say."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.builder import CannotInfer
from ....jit.ir.infer import Examples
from ....jit.ir.ops import OPERATOR, UFUNC
from ....jit.ir.types import ArrayType, ScalarType, captured_dtype
from ..breaks import NOT_PLAIN, NUMPY_REFUSED, GraphBreak
from ..live import concrete, look
from ..stores import assign
from ..machine import Frame, Machine, handles
from ..values import Array, Known, Scalar, Symbolic

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
    owner = look(machine, left)
    if arg.inplace and isinstance(owner, Array):
        result = apply(machine, frame, BINARY[arg.operator], (owner, right))
        assign(machine, frame, owner, result, "same_kind")
        frame.stack.append(owner)
        return
    frame.stack.append(apply(machine, frame, BINARY[arg.operator], (left, right)))


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
    looked = tuple(look(machine, value) for value in operands)
    if any(isinstance(value, Array) for value in looked):
        return _on_arrays(machine, frame, function, looked)
    if all(isinstance(value, Known) and type(value.object) in _FOLDED for value in looked):
        return _fold(function, looked)
    if all(isinstance(value, Scalar | Known) for value in looked):
        return _on_scalars(machine, frame, function, looked)
    names = ", ".join(type(value).__name__.lower() for value in looked)
    raise GraphBreak(NOT_PLAIN, f"{function.__name__} of {names}")


def _fold(function: Function, operands: tuple[Symbolic, ...]) -> Known:
    try:
        return Known(function(*(value.object for value in operands if isinstance(value, Known))))
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None


def graph_value(machine: Machine, value: Symbolic) -> ir.Value:
    """The graph value of an array or number; breaks for anything else."""
    value = look(machine, value)
    if isinstance(value, Array | Scalar):
        return value.value
    if isinstance(value, Known):
        known = value.object
        small = type(known) is not int or -(2**63) <= known < 2**63
        plain = type(known) in (bool, int, float, complex)
        if (plain and small) or (isinstance(known, np.generic) and captured_dtype(known.dtype)):
            return machine.builder.const(known)
        raise GraphBreak(NOT_PLAIN, f"a {type(known).__name__}")
    raise GraphBreak(NOT_PLAIN, f"a {type(value).__name__.lower()}")


def symbolic(machine: Machine, value: ir.Value) -> Array | Scalar:
    """What stands for a graph value that was just made."""
    machine.memory.fresh(value)
    return Array(value) if isinstance(value.type, ArrayType) else Scalar(value)


def ufunc_call(
    machine: Machine, frame: Frame, ufunc: np.ufunc, operands: tuple[Symbolic, ...]
) -> Symbolic:
    """`ufunc(*operands)`."""
    if ufunc.nout != 1 or ufunc.signature is not None or len(operands) != ufunc.nin:
        raise GraphBreak(NOT_PLAIN, f"{ufunc.__name__} with {len(operands)} arguments")
    values = tuple(graph_value(machine, value) for value in operands)
    try:
        value = machine.builder.add(UFUNC, values, {"ufunc": ufunc}, frame.location())
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, f"{ufunc.__name__}: {error}") from None
    return symbolic(machine, value)


class _Probe(np.ndarray[Any, Any]):
    """An example that writes down which ufunc an operator turns into, and on what operands."""

    seen: list[tuple[np.ufunc, str, tuple[Any, ...]]]

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        self.seen.append((ufunc, method, inputs))
        return None


def _on_arrays(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic:
    """Asks NumPy which ufunc the operator calls: `x ** 2` is square, `x ** 0.5` is sqrt."""
    if function is operator.pow:
        operands = (operands[0], concrete(machine, operands[1]) or operands[1])
    values = [graph_value(machine, value) for value in operands]
    examples = Examples()
    seen: list[tuple[np.ufunc, str, tuple[Any, ...]]] = []
    probes = []
    for value in values:
        example = examples.of(machine.builder.resolved(value.type), value.hint)
        if isinstance(value.type, ArrayType):
            example = example.view(_Probe)
            example.seen = seen
        probes.append(example)
    try:
        function(*probes)
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
    if len(seen) != 1 or seen[0][1] != "__call__":
        raise GraphBreak(NOT_PLAIN, f"{function.__name__} is not one ufunc call here")
    ufunc, _, inputs = seen[0]
    chosen = []
    for item in inputs:
        places = [k for k, probe in enumerate(probes) if probe is item]
        if not places:
            raise GraphBreak(NOT_PLAIN, f"{function.__name__} changes its operands here")
        chosen.append(operands[places[0]])
    return ufunc_call(machine, frame, ufunc, tuple(chosen))


def _on_scalars(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic:
    values = tuple(graph_value(machine, value) for value in operands)
    try:
        value = machine.builder.add(OPERATOR, values, {"function": function}, frame.location())
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, f"{function.__name__}: {error}") from None
    if not isinstance(value.type, ScalarType):
        raise GraphBreak(NOT_PLAIN, f"{function.__name__} of numbers gives no number")
    return Scalar(value)
