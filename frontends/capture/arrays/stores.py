"""Stores to arrays: values are complete and cast before the first byte changes."""

from __future__ import annotations

import operator
from typing import Any, cast

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.infer import CannotInfer
from ....jit.ir.numbers import StoredAs
from ....jit.ir.ops import CAST, COPY, PUT, Kind
from ....jit.ir.types import ArrayType
from ..state.changed_arrays import arrays_changed_by, guard_writeable
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import NOT_PLAIN, NUMPY_REFUSED, GraphBreak
from ..values.either_number import for_array
from ..values.symbolic import Array, Known, Scalar, Symbolic
from ..values.wording import in_words, refusal
from .arguments import opaque
from .nodes import operator_call


def assign(
    machine: Machine,
    frame: Frame,
    target: Array,
    value: Symbolic,
    casting: str = "unsafe",
    within: np.ufunc | None = None,
) -> None:
    """Capture `target[...] = value` with NumPy's casting and broadcasting.

    `within` is the ufunc whose `out=` it is: warnings about the cast have its name.
    """
    value = realise(machine, for_array(machine.one_of(value) or value, target))
    if isinstance(value, Array | Scalar):
        _check_casting(value.type.dtype, target.type.dtype, casting)
    if within is None and isinstance(value, Array) and _is_cast_by_line(machine, value, target):
        inputs, call = opaque(machine, operator.setitem, (target, Known(...), value), {})
        where = frame.location()  # the warning comes when it is written
        machine.change_memory(
            PUT, target.value, inputs, {"call": call}, where, may_stop_midway=True
        )
        return
    if within is None and isinstance(value, Array) and _is_window(machine, value, target):
        for root in arrays_changed_by(machine, target.value):
            guard_writeable(machine, root)
        return
    made = cast_for_store(machine, frame, target, value, within)
    if isinstance(made.type, ArrayType):
        machine.builder.unify_store(target.type.dims, made.type.dims)
        if not broadcasts(machine, made.type, target.type):
            raise GraphBreak(NUMPY_REFUSED, "the value does not broadcast to the target")
    machine.write(target.value, made, frame.location())


def _is_window(machine: Machine, value: Array, target: Array) -> bool:
    """True if both are the same view of an array, as in `u[1:] += v` when the result is stored."""
    views = [_view_of(machine, one.value) for one in (value, target)]
    one, other = ((node.inputs, node.attrs["index"]) if node else None for node in views)
    return one is not None and one == other


def _view_of(machine: Machine, value: ir.Value) -> ir.Node | None:
    """Return the node in this block that makes a view."""
    nodes = reversed(machine.builder.block.nodes)
    found = next((node for node in nodes if value in node.outputs), None)
    return found if found is not None and found.op.indexes and found.op.kind is Kind.VIEW else None


def _check_casting(given: np.dtype[Any], wanted: np.dtype[Any], casting: str) -> None:
    try:
        may = np.can_cast(given, wanted, casting)  # type: ignore[arg-type]
    except ValueError as error:  # there is no such casting rule
        raise GraphBreak(NUMPY_REFUSED, str(error)) from None
    if not may:
        raise GraphBreak(NUMPY_REFUSED, f"no {casting} cast from {given} to {wanted}")


def _is_cast_by_line(machine: Machine, value: Array, target: Array) -> bool:
    """True if NumPy would cast floats to ints with another vectorisation than on contiguous memory.

    NaN and numbers out of range convert differently in its vectors and in the remainder of each
    line.
    """
    if value.type.dtype.kind != "f" or target.type.dtype.kind not in "iu":
        return False
    types = [machine.builder.resolved(one.type) for one in (value, target)]
    one, other = (type_ for type_ in types if isinstance(type_, ArrayType))
    packed = one.layout.packed and -1 not in (*one.layout.signs, *other.layout.signs)
    return one.dims != other.dims or one.layout != other.layout or not packed


def _is_moved(value: ArrayType, target: ArrayType) -> bool:
    """True if NumPy assigns without copying the value even if it overlaps the target.

    It does so along one axis in one direction, item by item from the safe end if strides are equal.
    Otherwise items may be read after they were overwritten, and that is the result: `x[::2] =
    x[:3]`.
    """
    if target.ndim != 1 or value.ndim == 0:
        return False
    return value.layout.signs[-1] * target.layout.signs[0] >= 0


def assign_out(
    machine: Machine,
    frame: Frame,
    out: Array,
    result: Symbolic,
    ufunc: np.ufunc | None,
    casting: str = "same_kind",
) -> None:
    """Capture what a ufunc or operator does with the array for its result.

    Unlike an assignment it drops no leading axes, and a generalised ufunc does not broadcast.
    """
    dims = result.type.dims if isinstance(result, Array) else ()
    if len(dims) > out.type.ndim:
        raise GraphBreak(NUMPY_REFUSED, "the result has more axes than the array it is written to")
    if ufunc is not None and ufunc.signature is not None:
        builder = machine.builder
        if len(dims) == out.type.ndim:
            for want, dim in zip(out.type.dims, dims, strict=True):
                builder.unify(want, dim)
        if tuple(map(builder.resolve, dims)) != tuple(map(builder.resolve, out.type.dims)):
            detail = f"another shape than that of the array that `{ufunc.__name__}` writes to"
            raise GraphBreak(NUMPY_REFUSED, detail)
    assign(machine, frame, out, result, casting, ufunc)


def cast_for_store(
    machine: Machine,
    frame: Frame,
    target: Array,
    value: Symbolic,
    within: np.ufunc | None = None,
) -> ir.Value:
    """Return a value cast to the target's dtype, in memory that writes to the target do not change.

    Raises:
        GraphBreak: NumPy's conversion is not known to graphs.
    """
    dtype = target.type.dtype
    if isinstance(value, Known):
        return machine.builder.const(_converted(value.object, dtype))
    if not isinstance(value, Array | Scalar):
        raise refusal(NOT_PLAIN, f"a store of {in_words(value)}", value)
    if isinstance(value, Scalar):
        return _cast_scalar(machine, frame, value, dtype)
    graph_value = value.value
    try:
        if value.type.dtype != dtype:
            attrs = {"dtype": dtype, "within": within}
            return machine.builder.add(CAST, (graph_value,), attrs, frame.location())
        memory = machine.memory
        is_safe = memory.is_fresh(graph_value) or memory.are_disjoint(graph_value, target.value)
        if not (is_safe or _is_moved(value.type, target.type)):  # it may overlap the target
            return machine.builder.add(COPY, (graph_value,), {"order": "K"}, frame.location())
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, str(error)) from None
    return graph_value


def _cast_scalar(machine: Machine, frame: Frame, value: Scalar, dtype: np.dtype[Any]) -> ir.Value:
    """Return a number as an element; the kernel bails if it does not fit."""
    if value.type.dtype == dtype:
        return value.value
    if dtype == np.float64 and (value.type.dtype.kind in "iu" or value.type.dtype == np.float32):
        return value.value
    if value.type.dtype.kind not in "biuf" or dtype.kind not in "biuf":
        raise GraphBreak(NOT_PLAIN, f"a store of {value.type} into {dtype}")
    return operator_call(machine, frame, StoredAs(dtype), (value,)).value


def _converted(known: Any, dtype: np.dtype[Any]) -> np.generic:
    """Convert a constant to an element, as NumPy does."""
    if not isinstance(known, int | float | complex | np.generic):
        raise GraphBreak(NOT_PLAIN, f"a store of a {type(known).__name__}")
    cell = np.zeros((), dtype)
    try:
        with np.errstate(all="raise"):
            cell[()] = known
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
    return cast(np.generic, cell[()])


def broadcasts(machine: Machine, value: ArrayType, target: ArrayType) -> bool:
    """True if a value broadcasts to the target; extra leading axes of length 1 are allowed."""
    dims = [machine.builder.resolve(dim) for dim in value.dims]
    wanted = [machine.builder.resolve(dim) for dim in target.dims]
    while len(dims) > len(wanted) and dims[0] == 1:
        del dims[0]
    if len(dims) > len(wanted):
        return False
    pairs = zip(dims, wanted[len(wanted) - len(dims) :], strict=True)
    return all(dim in (1, want) for dim, want in pairs)
