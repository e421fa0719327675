"""Lists of arrays that a region changes: lists of Python's, which calls change and read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...jit.ir import graph as ir
from ...jit.ir.indexing import Ref
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import DRAW, MAKE, OPAQUE, PUT
from ...jit.ir.types import ANY_LENGTH, PY_INT, ArraysType, ArrayType, Dim, Sym, Type

if TYPE_CHECKING:
    from .machine import Machine


def make(machine: Machine, items: Sequence[ir.Value], item: ArrayType) -> ir.Value:
    """A list of these arrays; of lengths that are made later, nothing is known."""
    for one in items:
        machine.memory.hold(one)
    refs = tuple(map(Ref, range(len(items))))
    return _made(machine, items, OpaqueCall(list, (refs,), {}), item)


def widened(machine: Machine, made: ir.Value, item: ArrayType) -> ir.Value:
    """A list of the same arrays, for others as well; the first one is not looked at any more."""
    return _made(machine, (made,), OpaqueCall(list, (Ref(0),), {}), item)


def copied(machine: Machine, made: ir.Value) -> ir.Value:
    """A list of the arrays that are in it by now."""
    assert isinstance(made.type, ArraysType)
    return _made(machine, (made,), OpaqueCall(list, (Ref(0),), {}), made.type.item)


def _made(
    machine: Machine, inputs: Sequence[ir.Value], call: OpaqueCall, item: ArrayType
) -> ir.Value:
    known = tuple(
        ANY_LENGTH if isinstance(dim, Sym) and dim.index >= machine.builder.sym_count else dim
        for dim in item.dims
    )
    type_ = ArraysType.of_items(replace(item, dims=known))
    return machine.builder.typed(MAKE, tuple(inputs), {"call": call}, type_)


def common_type(machine: Machine, types: Iterable[Type | None]) -> ArrayType | None:
    """What holds of arrays of all of these types; None where they are of several kinds."""
    common: ArrayType | None = None
    for type_ in types:
        if not isinstance(type_, ArrayType):
            return None
        common = type_ if common is None else _joint(machine, common, type_)
        if common is None:
            return None
    return common


def _joint(machine: Machine, one: ArrayType, other: ArrayType) -> ArrayType | None:
    if (one.char, one.layout, one.ndim) != (other.char, other.layout, other.ndim):
        return None
    dims = zip(one.dims, other.dims, strict=True)
    return replace(one, dims=tuple(_joined(machine, *pair) for pair in dims))


def _joined(machine: Machine, one: Dim, other: Dim) -> Dim:
    one, other = machine.builder.resolve(one), machine.builder.resolve(other)
    return one if one == other else ANY_LENGTH


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
    return machine.builder.typed(DRAW, (made,), attrs, _item_type(machine, made))


def item_at(machine: Machine, made: ir.Value, index: ir.Value) -> ir.Value:
    """`made[index]`."""
    call = OpaqueCall(operator.getitem, (Ref(0), Ref(1)), {})
    return machine.builder.typed(OPAQUE, (made, index), {"call": call}, _item_type(machine, made))


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
