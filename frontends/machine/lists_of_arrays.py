"""Lists of arrays that a region changes: lists of Python's, which calls change and read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...jit.ir import graph as ir
from ...jit.ir.indexing import Ref
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import DRAW, MAKE, OPAQUE, PUT
from ...jit.ir.types import ANY_LENGTH, PY_INT, ArraysType, ArrayType, Dim, ListType, Sym

if TYPE_CHECKING:
    from .machine import Machine


def type_with(
    machine: Machine, value: ir.Value, type_: ListType | ArraysType | None
) -> ArraysType | None:
    """The type of a list of such arrays, and of those of `type_`; None for arrays of two kinds."""
    assert isinstance(value.type, ArrayType)
    found = ArraysType.of_items(value.type, not machine.memory.others(value))
    if type_ is None:
        return found
    if not isinstance(type_, ArraysType):
        return None
    one, other = type_.item, found.item
    if (one.char, one.layout, one.ndim) != (other.char, other.layout, other.ndim):
        return None
    dims = (_joined(machine, *pair) for pair in zip(one.dims, other.dims, strict=True))
    return ArraysType.of_items(replace(one, dims=tuple(dims)), type_.ours and found.ours)


def _joined(machine: Machine, one: Dim, other: Dim) -> Dim:
    resolve = machine.builder.resolve
    return one if resolve(one) == resolve(other) else ANY_LENGTH


def make(machine: Machine, items: Sequence[ir.Value], type_: ArraysType) -> ir.Value:
    """A list of these arrays; of lengths that are made later, nothing is known."""
    for one in items:
        machine.memory.hold(one)
    refs = tuple(map(Ref, range(len(items))))
    return _made(machine, items, OpaqueCall(list, (refs,), {}), type_)


def copied(machine: Machine, made: ir.Value, type_: ArraysType) -> ir.Value:
    """A list of the arrays that are in this one by now."""
    return _made(machine, (made,), OpaqueCall(list, (Ref(0),), {}), type_)


def _made(
    machine: Machine, inputs: Sequence[ir.Value], call: OpaqueCall, type_: ArraysType
) -> ir.Value:
    known = tuple(
        ANY_LENGTH if isinstance(dim, Sym) and dim.index >= machine.builder.sym_count else dim
        for dim in type_.item.dims
    )
    type_ = replace(type_, item=replace(type_.item, dims=known))
    made = machine.builder.typed(MAKE, tuple(inputs), {"call": call}, type_)
    machine.memory.fresh(made)
    return made


def append(machine: Machine, made: ir.Value, item: ir.Value) -> None:
    """`made.append(item)`."""
    machine.memory.hold(item)
    _change(machine, list.append, (made, item))


def set_item(machine: Machine, made: ir.Value, index: ir.Value, item: ir.Value) -> None:
    """`made[index] = item`."""
    machine.memory.hold(item)
    _change(machine, operator.setitem, (made, index, item))


def pop(machine: Machine, made: ir.Value) -> ir.Value:
    """`made.pop()`."""
    attrs = {"call": OpaqueCall(list.pop, (Ref(0),), {}), "visible": False}
    type_ = _item_type(machine, made)
    return _item(machine, made, machine.builder.typed(DRAW, (made,), attrs, type_))


def item_at(machine: Machine, made: ir.Value, index: ir.Value) -> ir.Value:
    """`made[index]`."""
    attrs = {"call": OpaqueCall(operator.getitem, (Ref(0), Ref(1)), {})}
    type_ = _item_type(machine, made)
    return _item(machine, made, machine.builder.typed(OPAQUE, (made, index), attrs, type_))


def _item(machine: Machine, made: ir.Value, item: ir.Value) -> ir.Value:
    """An array that was in a list: others have it, but nobody from outside, if all are ours."""
    assert isinstance(made.type, ArraysType)
    if made.type.ours and not machine.memory.is_visible(made):
        machine.memory.fresh(item)
        machine.memory.hold(item)
    return item


def count(machine: Machine, made: ir.Value) -> ir.Value:
    """`len(made)`."""
    return machine.builder.typed(OPAQUE, (made,), {"call": OpaqueCall(len, (Ref(0),), {})}, PY_INT)


def _change(machine: Machine, function: Callable[..., Any], inputs: tuple[ir.Value, ...]) -> None:
    call = OpaqueCall(function, tuple(map(Ref, range(len(inputs)))), {})
    machine.builder.effect(PUT, inputs, {"call": call, "visible": False})


def _item_type(machine: Machine, made: ir.Value) -> ArrayType:
    assert isinstance(made.type, ArraysType)
    item = made.type.item
    fresh = machine.builder.fresh_sym
    return replace(item, dims=tuple(fresh() if dim == ANY_LENGTH else dim for dim in item.dims))
