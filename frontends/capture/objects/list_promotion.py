"""Conversion of a program's lists to lists of the graph."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ....jit.ir import graph as ir
from ....jit.ir.ops import LIST
from ....jit.ir.types import (
    PY_INT,
    ListType,
    ObjectsType,
    ObjectType,
    ScalarType,
    is_graph_number,
    scalar_type,
)
from ..state.graph_values import graph_value
from ..state.heap import MustCarry
from ..state.insertions import has_identity
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import NOT_PLAIN, GraphBreak
from ..values.either_number import is_either_number
from ..values.symbolic import Array, Known, List, Scalar, Symbolic, Union
from . import lists, lists_of_objects, number_identity, tuple_lists
from .fields import refuse_other_changes
from .grown import Columns, Growing, as_array, grown_of, state_of
from .records import Item, ScalarRecord, of_list

Grown = ListType | ObjectsType
"""Type of a growing list."""
Kind = Grown | Item
"""The same, or the item description of a list with columns."""


def number_type(machine: Machine, value: Symbolic) -> ScalarType | None:
    """Return the type of a number of one kind; None for other values."""
    value = machine.one_of(value) or value
    value = value if is_either_number(value) else realise(machine, value)
    if isinstance(value, Scalar):
        return value.type
    return (
        scalar_type(value.object)
        if isinstance(value, Known) and is_graph_number(value.object)
        else None
    )


def type_with(machine: Machine, value: Symbolic, type_: Grown | None = None) -> Grown | None:
    """Return the type of a list of such items and of those of `type_`; None if it cannot grow."""
    found = _type_of_list_of(machine, machine.one_of(value) or value)
    if found is None or type_ is None or found == type_:
        return found
    if not isinstance(type_, ObjectsType):
        return None
    common = lists_of_objects.joint_type(machine, type_, _of_objects(found))
    return common if isinstance(common, ObjectsType) else None


def _type_of_list_of(machine: Machine, value: Symbolic) -> Grown | None:
    number = number_type(machine, value)
    if number is not None:
        is_object = isinstance(number, ObjectType)
        return None if is_object else ListType(number.dtype, number.python)
    if isinstance(value, Union):
        return None
    realised = realise(machine, value)
    if isinstance(realised, Array):
        return ObjectsType.of_items(realised.type, ours=not machine.memory.others(realised.value))
    inner = _type_as_item(machine, realised) if isinstance(realised, List) else None
    return None if inner is None else ObjectsType.of_items(inner)


def _type_as_item(machine: Machine, owner: List) -> ObjectsType | None:
    """Return the type of a list made here as an item of another list; None if its items differ."""
    if owner.source is not None or not machine.heap.may_change(owner):
        return None
    grown = state_of(machine, owner)
    if grown is not None:
        return _of_objects(grown.type)
    common: Grown | None = None
    for item in lists.list_items(machine, owner):
        common = type_with(machine, item, common)
        if common is None:
            return None
    return _of_objects(common) if common else None


def _of_objects(type_: Grown) -> ObjectsType:
    """Return the type of the Python list that a list becomes as an item of another one."""
    return type_ if isinstance(type_, ObjectsType) else ObjectsType.of_items(type_.item)


def kind_with(machine: Machine, item: Symbolic) -> Kind | None:
    """Return the list type or item description for such items."""
    return type_with(machine, item) or tuple_lists.item_of(machine, item)


def must_grow(machine: Machine, owner: List, kind: Kind) -> MustCarry | GraphBreak:
    """Return what to raise for a change of a list that has to get memory of this kind first."""
    if owner in machine.not_growing:
        return GraphBreak(NOT_PLAIN, "a list of several kinds of items")
    return MustCarry(partial(_begin, machine, owner, kind), "it changes a list")


def _begin(machine: Machine, owner: List, kind: Kind) -> bool:
    if machine.heap.may_change(owner):
        start_growing(machine, owner, kind)
        return True
    return False


def start_growing(machine: Machine, owner: List, kind: Kind) -> None:
    """Make the list one of the graph from here on, if it can hold items of that kind only."""
    refuse_other_changes(machine, owner)
    grown = grown_of(machine, owner)
    if grown is None:
        started = start(machine, owner, lists.list_items(machine, owner), kind)
    elif grown.begun is not None and not _has_changed(machine, grown):
        started = start(machine, owner, grown.begun, kind, noted=True)
    elif isinstance(grown, Growing) and grown.origins is None and isinstance(kind, ObjectsType):
        machine.heap.change(owner, Growing(lists_of_objects.copied(machine, grown.value, kind)))
        started = True
    else:
        started = False
    if not started:
        machine.not_growing.add(owner)


def _has_changed(machine: Machine, grown: Growing | Columns) -> bool:
    """True if a list has been changed since it was made, in this block."""
    made = set(grown.lists)
    return any(
        node.op.effect and not made.isdisjoint(node.inputs)
        for node in machine.builder.block.every_node()
    )


def start(
    machine: Machine,
    owner: List,
    items: tuple[Symbolic, ...],
    kind: Kind,
    *,
    noted: bool = False,
) -> bool:
    """Make a list grow from here on; return False if its items are of other kinds.

    `noted`: the identity of its items is known.
    """
    places = _places(machine, owner, items, kind)
    noted = noted or places is not None
    type_ = _common_type(machine, items, kind)
    if type_ is not None:
        made = _made(machine, owner, items, type_, noted=noted)
        machine.heap.change(owner, Growing(made, begun=items, places=places))
        return True
    item = of_list(kind) if isinstance(kind, ListType | ObjectsType) else kind
    if item is None or not tuple_lists.start(machine, owner, items, item, noted=noted):
        return False
    state = grown_of(machine, owner)
    assert isinstance(state, Columns)
    machine.heap.change(owner, replace(state, places=places))
    return True


def _places(
    machine: Machine, owner: List, items: tuple[Symbolic, ...], kind: Kind
) -> ir.Value | None:
    """Return the places of the items' objects; None if identity does not matter."""
    if machine.identities.key_of(owner) not in machine.identities.boxed:
        return None
    numbers = kind.numbers if isinstance(kind, ScalarRecord) else ()
    if isinstance(kind, ListType):
        numbers = (kind.item,)
    chars = {number_identity.char_of(machine, item) for item in items}
    chars |= {one.char if has_identity(one) else None for one in numbers}
    if len(chars) != 1 or len(numbers) < (len(kind.kinds) if isinstance(kind, ScalarRecord) else 1):
        return None
    (char,) = chars
    if char is None or not number_identity.may_have_tables(machine, char):
        return None
    number_identity.table(machine, char)
    places = [number_identity.enter(machine, None, item) for item in items]
    return machine.builder.typed(LIST, places, {}, ListType(PY_INT.dtype, True))


def _common_type(machine: Machine, items: tuple[Symbolic, ...], kind: Kind) -> Grown | None:
    """Return the type of a list of the graph that holds all items; None if there is none."""
    if not isinstance(kind, ListType | ObjectsType):
        return None
    if any(isinstance(machine.one_of(one), Union) for one in items):
        return None  # it may hold something else
    type_: Grown | None = kind
    for one in items:
        type_ = None if type_ is None else type_with(machine, one, type_)
    return type_


def _made(
    machine: Machine,
    owner: List,
    items: tuple[Symbolic, ...],
    type_: Grown,
    *,
    noted: bool = False,
) -> ir.Value:
    values = [object_of(machine, owner, one, type_, noted=noted) for one in items]
    if isinstance(type_, ObjectsType):
        return lists_of_objects.make(machine, values, type_)
    return machine.builder.typed(LIST, values, {}, type_)


def object_of(
    machine: Machine, owner: List, item: Symbolic, type_: Grown, *, noted: bool = False
) -> ir.Value:
    """Return what a list holds for an item.

    A number, an array, or a list that then stays as it is.
    """
    item = realise(machine, item)
    if not isinstance(item, List):
        value = graph_value(machine, item)
        if noted:
            return value
        if isinstance(item, Scalar) and item.box is not None:
            machine.identities.note_of_table(owner)
        if not isinstance(item, Known):
            machine.identities.note_insertion(value, owner)
        elif isinstance(type_, ListType):  # a list of Python's has the very object
            machine.identities.note_constant(item.object, owner)
        return value
    grown = state_of(machine, item)
    if grown is not None and grown.nested:
        return grown.value
    inner = _type_as_item(machine, item)
    assert inner is not None, "its type was asked for before"
    if grown is None:
        made = _made(machine, item, lists.list_items(machine, item), inner)
    elif isinstance(grown.type, ListType):
        made = lists_of_objects.of_numbers(machine, as_array(machine, grown).value, inner)
    else:
        made = grown.value
    machine.identities.share(item, owner)
    machine.heap.change(item, Growing(made, nested=True))
    return made
