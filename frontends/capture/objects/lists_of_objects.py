"""Lists of arrays or lists that a region changes: Python lists, manipulated by calls."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.indexing import Ref
from ....jit.ir.opaque import OpaqueCall
from ....jit.ir.ops import COUNT, DRAW, MAKE, OPAQUE, PUT
from ....jit.ir.types import (
    ANY_LENGTH,
    PY_INT,
    ArrayType,
    Dim,
    ListType,
    ObjectsType,
    ScalarType,
    Sym,
    Type,
)
from ...runtime import exit_calls

if TYPE_CHECKING:
    from ..state.machine import Machine


def joint_type(machine: Machine, one: Type, other: Type) -> Type | None:
    """Return the common type of two objects; None if they are of different kinds."""
    if isinstance(one, ObjectsType) and isinstance(other, ObjectsType):
        item = joint_type(machine, one.item, other.item)
        return None if item is None else ObjectsType.of_items(item, one.ours and other.ours)
    if not isinstance(one, ArrayType) or not isinstance(other, ArrayType):
        return one if one == other else None
    if (one.char, one.layout, one.ndim) != (other.char, other.layout, other.ndim):
        return None
    dims = (_joined(machine, *pair) for pair in zip(one.dims, other.dims, strict=True))
    return replace(one, dims=tuple(dims))


def _joined(machine: Machine, one: Dim, other: Dim) -> Dim:
    resolve = machine.builder.resolve
    return one if resolve(one) == resolve(other) else ANY_LENGTH


def make(machine: Machine, items: Sequence[ir.Value], type_: ObjectsType) -> ir.Value:
    """Make a list of these objects; lengths that come later are unknown."""
    for one in items:
        machine.memory.hold(one)
    refs = tuple(map(Ref, range(len(items))))
    return _made(machine, items, OpaqueCall(list, (refs,), {}), type_)


def of_numbers(machine: Machine, array: ir.Value, type_: ObjectsType) -> ir.Value:
    """Make a list of an array's numbers."""
    assert isinstance(type_.item, ScalarType)
    function = np.ndarray.tolist if type_.item.python else list
    return _made(machine, (array,), OpaqueCall(function, (Ref(0),), {}), type_)


def copied(machine: Machine, made: ir.Value, type_: ObjectsType) -> ir.Value:
    """Copy a list in its present state, with the lists in it."""
    function = exit_calls.copy_of_lists if isinstance(type_.item, ObjectsType) else list
    return _made(machine, (made,), OpaqueCall(function, (Ref(0),), {}), type_)


def _made(
    machine: Machine, inputs: Sequence[ir.Value], call: OpaqueCall, type_: ObjectsType
) -> ir.Value:
    known = ObjectsType.of_items(_known(machine, type_.item), type_.ours)
    made = machine.builder.typed(MAKE, tuple(inputs), {"call": call}, known)
    machine.memory.fresh(made)
    return made


def _known(machine: Machine, type_: Type) -> Type:
    """Return a type without what is unknown here about later objects."""
    if isinstance(type_, ObjectsType):
        return ObjectsType.of_items(_known(machine, type_.item), type_.ours)
    if not isinstance(type_, ArrayType):
        return type_
    count = machine.builder.sym_count
    later = (isinstance(dim, Sym) and dim.index >= count for dim in type_.dims)
    dims = zip(type_.dims, later, strict=True)
    return replace(type_, dims=tuple(ANY_LENGTH if later else dim for dim, later in dims))


def longer(machine: Machine, made: ir.Value, items: Sequence[ir.Value]) -> ir.Value:
    """Return a list with some more objects."""
    for one in items:
        machine.memory.hold(one)
    assert isinstance(made.type, ObjectsType)
    refs = [Ref(k) for k in range(1, len(items) + 1)]
    return _made(machine, (made, *items), OpaqueCall(operator.add, (Ref(0), refs), {}), made.type)


def append(machine: Machine, made: ir.Value, item: ir.Value) -> None:
    """Capture `made.append(item)`."""
    machine.memory.hold(item)
    _change(machine, list.append, (made, item))


def set_item(machine: Machine, made: ir.Value, index: ir.Value, item: ir.Value) -> None:
    """Capture `made[index] = item`."""
    machine.memory.hold(item)
    _change(machine, operator.setitem, (made, index, item))


def pop(machine: Machine, made: ir.Value, *, first: bool) -> ir.Value:
    """Capture `made.pop()`, or with `first` `made.pop(0)`."""
    place = (0,) if first else ()
    attrs = {"call": OpaqueCall(list.pop, (Ref(0), *place), {}), "visible": False}
    type_ = _item_type(machine, made)
    return _item(machine, made, machine.builder.typed(DRAW, (made,), attrs, type_))


def item_at(machine: Machine, made: ir.Value, index: ir.Value) -> ir.Value:
    """Return `made[index]`."""
    attrs = {"call": OpaqueCall(operator.getitem, (Ref(0), Ref(1)), {})}
    type_ = _item_type(machine, made)
    return _item(machine, made, machine.builder.typed(OPAQUE, (made, index), attrs, type_))


def _item(machine: Machine, made: ir.Value, item: ir.Value) -> ir.Value:
    """Return an item of a list; nothing outside refers to arrays made here."""
    assert isinstance(made.type, ObjectsType)
    if made.type.ours and not machine.memory.is_visible(made):
        machine.memory.own(item)
        machine.memory.hold(item)
    return item


def count(machine: Machine, made: ir.Value) -> ir.Value:
    """Return `len(made)`, also for lists of numbers."""
    if isinstance(made.type, ListType):
        return machine.builder.typed(COUNT, (made,), {}, PY_INT)
    return machine.builder.typed(OPAQUE, (made,), {"call": OpaqueCall(len, (Ref(0),), {})}, PY_INT)


def _change(machine: Machine, function: Callable[..., Any], inputs: tuple[ir.Value, ...]) -> None:
    call = OpaqueCall(function, tuple(map(Ref, range(len(inputs)))), {})
    machine.builder.effect(PUT, inputs, {"call": call, "visible": False})


def _item_type(machine: Machine, made: ir.Value) -> Type:
    assert isinstance(made.type, ObjectsType)
    item = made.type.item
    if not isinstance(item, ArrayType):
        return item
    fresh = machine.builder.fresh_sym
    return replace(item, dims=tuple(fresh() if dim == ANY_LENGTH else dim for dim in item.dims))
