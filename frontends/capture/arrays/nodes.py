"""Adds nodes for symbolic values; handlers reach the builder through this module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.flags import KINDS, NO_MODES
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.infer import CannotInfer, HasEffect, HasItems, NotHeld, NotKnown
from ....jit.ir.nests import Nest
from ....jit.ir.opaque import OpaqueCall
from ....jit.ir.ops import ACCUMULATE, CAST, DRAW, GUFUNC, OPAQUE, OPERATOR, REDUCE, UFUNC, Op
from ....jit.ir.primitives import primitive
from ....jit.ir.types import ArrayType, ObjectType, ScalarType
from ..objects.lists import new_list
from ..state.frame import Frame
from ..state.graph_values import graph_value, sample_value
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import ARGUMENT, EFFECT, NOT_PLAIN, NUMPY_REFUSED, GraphBreak
from ..values.python_bodies import holds_decompositions
from ..values.symbolic import Array, Known, Opaque, Scalar, Symbolic, Tuple
from .arguments import opaque
from .comparisons import within_range
from .probe import Position, UfuncCall, probe


def add(
    machine: Machine,
    frame: Frame,
    op: Op,
    inputs: tuple[ir.Value, ...],
    attrs: Mapping[str, Any],
    name: str,
) -> Array | Scalar:
    """Add a node and return a value for its result; break if NumPy refuses."""
    return add_node(machine, frame, NewNode(op, inputs, attrs, name))


@dataclass(frozen=True, slots=True)
class NewNode:
    """A node to be added."""

    op: Op
    inputs: tuple[ir.Value, ...]
    attrs: Mapping[str, Any]
    name: str
    """Name of the function, for messages."""


def add_node(
    machine: Machine, frame: Frame, new: NewNode, *, located: bool = True
) -> Array | Scalar:
    """Add a node.

    `located`: NumPy warns about the node at the user's line. NumPy's functions written in Python
    warn at a line of their own.
    """
    op, name = new.op, new.name
    located = located and (
        not holds_decompositions(frame.namespace) or frame.modes.ignored == KINDS
    )
    if frame.modes != NO_MODES and not located:
        raise GraphBreak(EFFECT, f"{name} within np.errstate, which warns at an unknown line")
    try:
        value = machine.builder.add(
            op, new.inputs, new.attrs, frame.location() if located else None
        )
    except HasItems:
        raise
    except CannotInfer as error:
        raise _break_of(error, name) from None
    if isinstance(value.type, ArrayType):
        is_owned = machine.builder.block.nodes[-1].attrs.get("owned")
        if op not in (OPAQUE, DRAW) or is_owned:
            machine.memory.fresh(value)
        else:  # it may be a view of an argument
            machine.memory.given(value, frame.location())
        return Array(value)
    return Scalar(value)


def _break_of(error: CannotInfer, name: str) -> GraphBreak:
    """Return the break for a node that could not be added."""
    codes = {HasEffect: EFFECT, NotHeld: NOT_PLAIN, NotKnown: ARGUMENT}
    code = codes.get(type(error), NUMPY_REFUSED)
    return GraphBreak(code, f"{name}: {error}")


def ufunc_call(
    machine: Machine,
    frame: Frame,
    ufunc: np.ufunc,
    operands: tuple[Symbolic, ...],
    *,
    located: bool = True,
) -> Symbolic:
    """Apply a ufunc, also to scalars, as NumPy defines that too."""
    realised = tuple(realise(machine, operand) for operand in operands)
    ufunc, operands = within_range(ufunc, realised)
    values = tuple(graph_value(machine, value) for value in operands)
    if ufunc.nout != 1 or len(operands) != ufunc.nin:
        return opaque_call(machine, frame, ufunc, operands, {})
    op = UFUNC if ufunc.signature is None else GUFUNC
    attrs = {"ufunc": ufunc}
    return add_node(machine, frame, NewNode(op, values, attrs, ufunc.__name__), located=located)


def operator_call(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: tuple[Symbolic, ...],
    *,
    located: bool = True,
) -> Scalar:
    """Apply a pure function of numbers that returns a number."""
    values = tuple(graph_value(machine, value) for value in operands)
    row = primitive(function)
    if "over" in frame.modes.ignored and row.wrapping is not None and _are_ints(values):
        function = row.wrapping
    attrs = {"function": function}
    new = NewNode(OPERATOR, values, attrs, function.__name__)
    made = add_node(machine, frame, new, located=located)
    if not isinstance(made, Scalar):
        raise GraphBreak(NOT_PLAIN, f"{function.__name__} of numbers gives no number")
    if row.keeps_positive and all(value in machine.builder.positive for value in values):
        machine.builder.positive.add(made.value)
    hints = [value.hint for value in values]
    if made.type.python and all(hint is not None for hint in hints):
        made.value.hint = _evaluate(function, hints)
        if type(made.value.hint) is int and not -(2**63) <= made.value.hint < 2**63:
            raise GraphBreak(NOT_PLAIN, f"{function.__name__} gives an int of more than 64 bits")
    return made


def _are_ints(values: tuple[ir.Value, ...]) -> bool:
    """True for ints of which one is NumPy's, so that the result is NumPy's too."""
    dtypes = [value.type.dtype for value in values]
    return all(dtype.kind in "biu" for dtype in dtypes) and not all(
        isinstance(value.type, ScalarType) and value.type.python for value in values
    )


def _evaluate(function: Callable[..., Any], hints: list[Any]) -> Any:
    try:
        return function(*hints)
    except ArithmeticError:
        return None


def probed_call(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: tuple[Symbolic, ...],
) -> Symbolic | None:
    """Return the call as one ufunc node or reduction, if it is nothing else; else None.

    A number that decides about the call (an axis, the decimals of round) is guarded.
    """
    values = tuple(sample_value(machine, value) for value in operands)
    found = probe(machine.builder, function, values)
    if found is None:
        return None
    deciding = _deciding(machine, function, operands, values, found)
    if deciding:
        known = {k: concrete(machine, operands[k]) for k in deciding}
        if None in known.values():
            return None
        chosen = tuple(known.get(k) or operand for k, operand in enumerate(operands))
        return probed_call(machine, frame, function, chosen)
    if found.method == "reduce":
        return _reduce(machine, frame, found, operands)
    if found.method == "accumulate":
        return _accumulate(machine, frame, found, operands)
    if found.kwargs:
        return None
    chosen = tuple(
        operands[item.index] if isinstance(item, Position) else Known(item) for item in found.inputs
    )
    return ufunc_call(machine, frame, found.ufunc, chosen, located=not found.by_library)


def _deciding(
    machine: Machine,
    function: Callable[..., Any],
    operands: tuple[Symbolic, ...],
    values: tuple[ir.Value, ...],
    found: UfuncCall,
) -> list[int]:
    """Return the indices of numbers on whose value the probed call depends."""
    numbers = [k for k, one in enumerate(operands) if isinstance(realise(machine, one), Scalar)]
    passed_on = {item.index for item in found.inputs if isinstance(item, Position)}
    deciding = [k for k in numbers if k not in passed_on]
    # CPython has one object per small int, so it may be a constant of NumPy's instead.
    small = [k for k in numbers if k not in deciding and _may_be_shared(values[k].hint)]
    if deciding or not small or isinstance(function, np.ufunc):
        return deciding
    others = list(values)
    for k in small:
        hint = values[k].hint
        others[k] = ir.Value(values[k].type, not hint if type(hint) is bool else hint + 1000 + k)
    return [] if probe(machine.builder, function, tuple(others)) == found else small


def _may_be_shared(number: Any) -> bool:
    return type(number) is bool or (type(number) is int and -5 <= number <= 256)


def _is_cast_first(ufunc: np.ufunc, given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """True if a reduction in another dtype equals casting the items first."""
    if wanted == np.bool:
        return primitive(ufunc).of_truth
    return primitive(ufunc).modular and given.kind in "bui" and wanted.kind in "ui"


def _is_exact(ufunc: np.ufunc, given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """True if a sum in this dtype is exact for these ints.

    No array has enough items for a sum that a double cannot represent.
    """
    return (
        primitive(ufunc).adds
        and wanted == np.float64
        and given.kind in "bui"
        and given.itemsize <= 2
    )


def _reduce(
    machine: Machine,
    frame: Frame,
    found: UfuncCall,
    operands: tuple[Symbolic, ...],
) -> Symbolic | None:
    """Add a node for `ufunc.reduce(x, axis, dtype, out, keepdims)` of one array."""
    ufunc, inputs = found.ufunc, found.inputs
    given = {name: value for name, value in found.kwargs.items() if value is not np._NoValue}
    axis, keepdims = given.pop("axis", 0), given.pop("keepdims", False)
    dtype = given.pop("dtype", None)
    if given.pop("where", True) is not True or any(one is not None for one in given.values()):
        return None
    if len(inputs) != 1 or not isinstance(inputs[0], Position) or type(keepdims) is not bool:
        return None
    if not (axis is None or isinstance(axis, int | tuple)):
        return None
    value = graph_value(machine, operands[inputs[0].index])
    name = f"{ufunc.__name__}.reduce"
    attrs = {"ufunc": ufunc, "axis": axis, "keepdims": keepdims}
    if dtype is not None:
        wanted, own = np.dtype(dtype), value.type.dtype
        if _is_exact(ufunc, own, wanted):
            in_ints = replace(found, kwargs={**found.kwargs, "dtype": np.int64})
            total = _reduce(machine, frame, in_ints, operands)
            return None if total is None else _in_doubles(machine, frame, total)
        if own.char != wanted.char and not _is_cast_first(ufunc, own, wanted):
            return None  # NumPy casts and reduces in blocks
        if not _keeps_dtype(machine, REDUCE, value, wanted, attrs):
            return None
        if own.char != wanted.char:
            cast = add(machine, frame, CAST, (value,), {"dtype": wanted}, name)
            value = graph_value(machine, cast)
    new = NewNode(REDUCE, (value,), attrs, name)
    return add_node(machine, frame, new, located=not found.by_library)


def _in_doubles(machine: Machine, frame: Frame, total: Symbolic) -> Array | Scalar:
    """Convert NumPy's ints to doubles, which represent them exactly."""
    if isinstance(total, Scalar):
        return operator_call(machine, frame, np.float64, (total,))
    return add(
        machine, frame, CAST, (graph_value(machine, total),), {"dtype": np.dtype("f8")}, "astype"
    )


def _keeps_dtype(
    machine: Machine, op: Op, value: ir.Value, dtype: np.dtype[Any], attrs: Mapping[str, Any]
) -> bool:
    """True if the op's result has the dtype of its items; sums of small ints are int64."""
    items = ir.Value(replace(value.type, dtype=dtype), value.hint)
    try:
        return machine.builder.infer(op, (items,), attrs).dtype.char == dtype.char
    except CannotInfer:
        return False


def _accumulate(
    machine: Machine,
    frame: Frame,
    found: UfuncCall,
    operands: tuple[Symbolic, ...],
) -> Symbolic | None:
    """Add a node for `ufunc.accumulate(x, axis, dtype)`, casting items first if dtype differs."""
    axis, wanted = found.kwargs.get("axis", 0), found.kwargs.get("dtype")
    (position,) = found.inputs
    if type(axis) is not int or not isinstance(position, Position):
        return None
    value = graph_value(machine, operands[position.index])
    attrs = {"ufunc": found.ufunc, "axis": axis}
    name = f"{found.ufunc.__name__}.accumulate"
    try:
        own = machine.builder.infer(ACCUMULATE, (value,), attrs).dtype
    except CannotInfer:
        return None
    wanted = own if wanted is None else np.dtype(wanted)
    if not np.can_cast(value.type.dtype, wanted):
        return None  # NumPy's warnings would differ
    if not _keeps_dtype(machine, ACCUMULATE, value, wanted, attrs):
        return None
    if wanted.char != value.type.dtype.char:
        cast = add(machine, frame, CAST, (value,), {"dtype": wanted}, name)
        value = graph_value(machine, cast)
    new = NewNode(ACCUMULATE, (value,), attrs, name)
    return add_node(machine, frame, new, located=not found.by_library)


def opaque_call(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: Mapping[str, Symbolic],
) -> Symbolic:
    """Add a node that calls a pure function."""
    inputs, call = opaque(machine, function, arguments, keywords)
    try:
        return handed_on(add(machine, frame, OPAQUE, inputs, {"call": call}, call.name))
    except HasItems:
        return _items(machine, frame, call, inputs)


def handed_on(result: Array | Scalar) -> Array | Scalar | Opaque:
    """Wrap a call's result as an Opaque value if it is an object to pass on."""
    type_ = result.value.type
    return Opaque(result.value, type_.kind) if isinstance(type_, ObjectType) else result


def _items(
    machine: Machine, frame: Frame, call: OpaqueCall, inputs: tuple[ir.Value, ...]
) -> Symbolic:
    """Add a call that returns a tuple or list."""
    try:
        nest, values = machine.builder.add_items(inputs, {"call": call}, frame.location())
    except CannotInfer as error:
        raise _break_of(error, call.name) from None
    for value in values:
        machine.memory.given(value, frame.location())
    items = (
        Array(value) if isinstance(value.type, ArrayType) else handed_on(Scalar(value))
        for value in values
    )
    return _nested(machine, nest, items)


def _nested(machine: Machine, nest: Nest, items: Iterator[Symbolic]) -> Symbolic:
    """Build a tuple or list from the next items."""
    made = tuple(
        next(items) if inner is None else _nested(machine, inner, items) for inner in nest.items
    )
    if nest.kind is list:
        return new_list(machine, made)
    return Tuple(made, named=None if nest.kind is tuple else nest.kind)
