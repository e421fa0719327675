"""Exploring: turns values of one capture into live-ins of another, by what is known of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....guards.sources import Live
from ....jit.ir.builder import Builder
from ....jit.ir.graph import Value
from ....jit.ir.types import PY_INT, ArrayType, Dim, Sym, Type
from ..state.machine import Machine
from ..values.item_sources import ArrayItems, EnumeratedItems, ItemSource, RangeItems, ZippedItems
from ..values.symbolic import (
    Array,
    Cell,
    Dict,
    Instance,
    JittedFunction,
    Known,
    Lazy,
    List,
    Method,
    Null,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
    Unknown,
    Untouched,
    UserFunction,
)
from ..values.value_kind import OfParts
from .dicts import DictState
from .lists import ListState


def adopt(machine: Machine, value: Symbolic, origin: Machine, syms: dict[Dim, Dim]) -> Symbolic:
    """Return a value of another capture as a live-in of this one, for exploring what may follow.

    `origin` is the capture that the value comes from; `syms` maps its dims and grows.
    """
    match value:
        case Tuple(items=items, source=source, named=named):
            return Tuple(tuple(adopt(machine, v, origin, syms) for v in items), source, named)
        case Method(owner=owner, name=name):
            adopted = adopt(machine, owner, origin, syms)
            assert isinstance(adopted, Array | Scalar)
            return Method(adopted, name)
        case Scalar():
            return _some_number(machine, value)
        case Array():
            return _some_array(machine, _type_here(machine, value, origin.builder, syms))
        case List() | Dict() | Cell() | Instance() if value.source is not None:
            return Lazy(value.source, value.object)  # see `adopt_changes`
        case List() if not isinstance(origin.heap.state(value), ListState):
            return Unknown("a list that has grown")
        case List():
            if machine.heap.state(value) is None:
                before = origin.heap.state(value)
                machine.heap.make(value, type(before)(()))  # it may contain itself
                items = tuple(adopt(machine, v, origin, syms) for v in before.items)
                machine.heap.learn(value, type(before)(items))
            return value
        case Lazy() | Known() | UserFunction() | JittedFunction() | Null() | Untouched():
            return value
        case OfParts(parts=parts):
            return replace(value, parts=tuple(adopt(machine, part, origin, syms) for part in parts))
        case PositionalIter(item_source=item_source) if is_resumed(item_source):
            return PositionalIter(_rest_of(machine, item_source, origin, syms), _some_int(machine))
    return Unknown("an object made before")


def adopt_changes(machine: Machine, origin: Machine, syms: dict[Dim, Dim]) -> None:
    """Adopt the contents of outside objects that another capture changes at its exits."""
    for owner in origin.touched:
        machine.seen[id(owner.object)] = owner
        machine.heap.learn(owner, _state_here(machine, origin.heap.state(owner), origin, syms))


def _state_here(machine: Machine, state: Any, origin: Machine, syms: dict[Dim, Dim]) -> Any:
    """Return the state of a list, a dict, an instance or a cell in this capture."""

    def here(value: Symbolic) -> Symbolic:
        return adopt(machine, value, origin, syms)

    match state:
        case ListState(extended=True):
            return state
        case ListState(items=items, tail=tail):
            adopted = None if items is None else tuple(map(here, items))
            return ListState(adopted, tuple(map(here, tail)))
        case DictState(entries=entries):
            return replace(state, entries={key: here(value) for key, value in entries.items()})
        case dict():
            return {name: here(value) for name, value in state.items()}
    return here(state)


def is_resumed(item_source: ItemSource) -> bool:
    """True if a loop over these items can be resumed, see resumed_loops.py."""
    match item_source:
        case EnumeratedItems(item_source=inner):
            return is_resumed(inner)
        case ZippedItems(item_sources=item_sources):
            return all(map(is_resumed, item_sources))
    return isinstance(item_source, ArrayItems | RangeItems)


def _rest_of(
    machine: Machine, item_source: ItemSource, origin: Machine, syms: dict[Dim, Dim]
) -> ItemSource:
    """Return the remaining items of a loop in progress."""
    match item_source:
        case ArrayItems(array=array):
            type_ = _type_here(machine, array, origin.builder, syms)
            dims = (machine.builder.fresh_sym(None), *type_.dims[1:])
            return replace(item_source, array=_some_array(machine, replace(type_, dims=dims)))
        case RangeItems(parts=(_, stop, step)):
            left = tuple(adopt(machine, part, origin, syms) for part in (stop, step))
            return RangeItems((_some_int(machine), *left))
        case EnumeratedItems(item_source=inner):
            return EnumeratedItems(_rest_of(machine, inner, origin, syms), _some_int(machine))
        case ZippedItems(item_sources=item_sources):
            return ZippedItems(tuple(_rest_of(machine, one, origin, syms) for one in item_sources))
    raise AssertionError(item_source)


def _type_here(machine: Machine, value: Array, builder: Builder, syms: dict[Dim, Dim]) -> ArrayType:
    """Return the type of another capture's array, with dims of this capture."""
    dims = []
    for dim in map(builder.resolve, value.type.dims):
        if isinstance(dim, Sym) and dim not in syms:
            syms[dim] = machine.builder.fresh_sym(builder.lengths.get(dim))
        dims.append(syms.get(dim, dim))
    return replace(value.type, dims=tuple(dims))


def _some_array(machine: Machine, type_: ArrayType) -> Array:
    param, source = _param(machine, type_)
    machine.writeable[param] = (source, True)
    return Array(param, source)


def _some_number(machine: Machine, value: Scalar) -> Scalar:
    param, source = _param(machine, value.type)
    param.hint = value.value.hint
    return Scalar(param, source)


def _some_int(machine: Machine) -> Scalar:
    return Scalar(*_param(machine, PY_INT))


def _param(machine: Machine, type_: Type) -> tuple[Value, Live]:
    source = Live(-1, "a value from before")
    machine.param_sources.append(source)
    return machine.builder.param(type_), source
