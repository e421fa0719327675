"""Lists of numbers, arrays or lists that a region changes: the graph makes and changes them."""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import partial

from ....jit.ir import graph as ir
from ....jit.ir.ops import APPEND, COUNT, ITEM, LIST, OPERATOR, POP, SET_ITEM
from ....jit.ir.types import (
    PY_INT,
    ArrayType,
    ListType,
    ObjectsType,
    ObjectType,
    ScalarType,
    is_held,
    scalar_type,
)
from ..breaks import INDEXING, NOT_PLAIN, GraphBreak
from ..live import concrete, look
from ..machine import Machine
from ..nodes import graph_value
from ..twins import as_python
from ..values import Array, Known, List, Scalar, Symbolic, Union
from . import lists, lists_of_objects
from .fields import meet_again, refuse_other_changes
from .grown import Growing, as_array, state_of
from .heap import MustCarry
from .rows import Row, append_apart, row_of, start_apart

Grown = ListType | ObjectsType
"""The type of a list that grows."""


def number_type(machine: Machine, value: Symbolic) -> ScalarType | None:
    """The type of a number of one kind; None for other values."""
    value = machine.one_of(value) or value
    value = look(machine, value) if not getattr(value, "twins", False) else value
    if isinstance(value, Scalar):
        return value.type
    return scalar_type(value.object) if isinstance(value, Known) and is_held(value.object) else None


def type_with(machine: Machine, value: Symbolic, type_: Grown | None = None) -> Grown | None:
    """The type of a list of such items, and of those of `type_`; None where it cannot grow."""
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
    looked = look(machine, value)
    if isinstance(looked, Array):
        return ObjectsType.of_items(looked.type, ours=not machine.memory.others(looked.value))
    inner = _type_as_item(machine, looked) if isinstance(looked, List) else None
    return None if inner is None else ObjectsType.of_items(inner)


def _type_as_item(machine: Machine, owner: List) -> ObjectsType | None:
    """The type of a list as an item of another one, which is made here and holds one kind."""
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
    """The type of the list of Python's that a list becomes as an item of another one."""
    return type_ if isinstance(type_, ObjectsType) else ObjectsType.of_items(type_.item)


def let_grow(machine: Machine, owner: List, item: Symbolic | None) -> None:
    """A region changes the list, or reads it at a place that is not known.

    `item` is one of its numbers or arrays; lists of other things stay as they are.

    Raises:
        MustCarry: it is from outside of the region.
    """
    if owner.source is not None or owner in machine.not_growing:
        return
    if machine.heap.born(owner) in machine.plain_lists:
        return
    type_ = None if item is None else type_with(machine, item) or row_of(machine, item)
    if type_ is None:
        return
    if not machine.heap.may_change(owner):
        raise _must_grow(machine, owner, type_)
    start_growing(machine, owner, type_)


def _must_grow(machine: Machine, owner: List, type_: Grown | Row) -> MustCarry:
    return MustCarry(partial(_begin, machine, owner, type_), "it changes a list")


def _begin(machine: Machine, owner: List, type_: Grown | Row) -> bool:
    if machine.heap.may_change(owner):
        start_growing(machine, owner, type_)
        return True
    return False


def start_growing(machine: Machine, owner: List, type_: Grown | Row) -> None:
    """From here on the list is one of the graph's, if it can hold items of that type only."""
    refuse_other_changes(machine, owner)
    grown = state_of(machine, owner, apart=True)
    if grown is not None and isinstance(type_, Row):
        machine.heap.change(owner, replace(grown, row=type_.length))
    elif grown is not None:
        assert isinstance(type_, ObjectsType)
        machine.heap.change(owner, Growing(lists_of_objects.copied(machine, grown.value, type_)))
    elif not start(machine, owner, lists.list_items(machine, owner), type_):
        machine.not_growing.add(owner)


def assign_item(machine: Machine, owner: List, key: Symbolic, value: Symbolic) -> None:
    """`owner[key] = value`."""
    known = concrete_index(machine, key)
    changes = known is not None and machine.heap.may_change(owner)
    if state_of(machine, owner) is None and not changes:
        let_grow(machine, owner, value)
    grown = state_of(machine, owner)
    if grown is not None:
        _set_item(machine, owner, grown, key, value)
    elif known is None:
        raise GraphBreak(INDEXING, "an item whose position is not known")
    else:
        lists.set_item(machine, owner, known, value)


def concrete_index(machine: Machine, key: Symbolic) -> int | None:
    """An index that is known; that of an argument is relied on."""
    known = concrete(machine, key)
    return int(known.object) if known is not None and type(known.object) is int else None


def pop(machine: Machine, owner: List) -> Symbolic:
    """`owner.pop()`."""
    if state_of(machine, owner) is None and not machine.heap.may_change(owner):
        items = lists.list_items(machine, owner) if owner.source is None else ()
        let_grow(machine, owner, items[0] if items else None)
    grown = state_of(machine, owner)
    if grown is None:
        return lists.delete_item(machine, owner, -1)
    value = grown.value
    if isinstance(grown.type, ObjectsType):
        return _given(machine, owner, lists_of_objects.pop(machine, value))
    return _given(machine, owner, machine.builder.typed(POP, (value,), {}, grown.item))


def append(machine: Machine, owner: List, value: Symbolic) -> None:
    """`owner.append(value)`."""
    if owner.source is not None:
        owner = _extension(machine, owner, value) or owner
    grown = state_of(machine, owner, apart=True)
    if grown is None and not machine.heap.may_change(owner):
        let_grow(machine, owner, value)
        grown = state_of(machine, owner, apart=True)
    if grown is not None and grown.row is not None:
        if not append_apart(machine, grown, value):
            raise GraphBreak(NOT_PLAIN, f"a list of {grown.item} gets another kind of item")
    elif grown is not None:
        _append(machine, owner, grown, value)
    else:
        lists.append(machine, owner, value)


def _extension(machine: Machine, owner: List, value: Symbolic) -> List | None:
    """The list of what is appended to one from outside; None where that is not a list of its own.

    Raises:
        MustCarry: a region appends to it for the first time.
    """
    heap = machine.heap
    known = heap.extended.get(owner)
    if known is not None or heap.may_change(owner) or owner in machine.not_growing:
        return known
    type_ = type_with(machine, value) or row_of(machine, value)
    if type_ is None:
        return None
    raise MustCarry(partial(_begin_extension, machine, owner, type_), "it changes a list")


def _begin_extension(machine: Machine, owner: List, type_: Grown | Row) -> bool:
    heap = machine.heap
    if not heap.may_change(owner):
        return False
    if any(field.owner is owner for field in heap.fields):
        machine.not_growing.add(owner)
        return True
    meet_again(machine, owner)
    made = lists.new_list(machine, ())
    if heap.born(made) not in machine.plain_lists:
        start_growing(machine, made, type_)
    if state_of(machine, made, apart=True) is None:
        machine.not_growing.add(owner)
        return True
    heap.learn(owner, lists.ListState(None, extended=True))
    heap.extended[owner] = made
    machine.touch(owner)
    return True


def start(machine: Machine, owner: List, items: tuple[Symbolic, ...], type_: Grown | Row) -> bool:
    """Makes a list one that grows, here; False where its items are of other kinds."""
    if isinstance(type_, Row):
        return _start_apart(machine, owner, items, type_)
    if any(isinstance(machine.one_of(one), Union) for one in items):
        return False  # it may hold something else
    for one in items:
        common = type_with(machine, one, type_)
        if common is None:
            row = Row(type_.item.dtype, 0) if isinstance(type_, ListType) else None
            return row is not None and _start_apart(machine, owner, items, row)
        type_ = common
    machine.heap.change(owner, Growing(_made(machine, owner, items, type_)))
    return True


def _start_apart(machine: Machine, owner: List, items: tuple[Symbolic, ...], row: Row) -> bool:
    state = start_apart(machine, items, row)
    if state is not None:
        machine.heap.change(owner, state)
    return state is not None


def _made(machine: Machine, owner: List, items: tuple[Symbolic, ...], type_: Grown) -> ir.Value:
    values = [_object(machine, owner, one, type_) for one in items]
    if isinstance(type_, ObjectsType):
        return lists_of_objects.make(machine, values, type_)
    return machine.builder.typed(LIST, values, {}, type_)


def _object(machine: Machine, owner: List, item: Symbolic, type_: Grown) -> ir.Value:
    """What a list holds: a number, an array, or a list that stays as it is from here on."""
    item = look(machine, item)
    if not isinstance(item, List):
        value = graph_value(machine, item)
        if not isinstance(item, Known):
            machine.same_objects.note_put(value, owner)
        elif isinstance(type_, ListType):  # a list of Python's has the very object
            machine.same_objects.note_constant(item.object, owner)
        return value
    grown = state_of(machine, item)
    if grown is not None and grown.held:
        return grown.value
    inner = _type_as_item(machine, item)
    assert inner is not None, "its type was asked for before"
    if grown is None:
        made = _made(machine, item, lists.list_items(machine, item), inner)
    elif isinstance(grown.type, ListType):
        made = lists_of_objects.of_numbers(machine, as_array(machine, grown).value, inner)
    else:
        made = grown.value
    machine.same_objects.share(item, owner)
    machine.heap.change(item, Growing(made, held=True))
    return made


def _append(machine: Machine, owner: List, state: Growing, value: Symbolic) -> None:
    """`list.append`."""
    item = _item(machine, owner, state, value)
    if isinstance(state.type, ObjectsType):
        lists_of_objects.append(machine, state.value, item)
    else:
        machine.builder.effect(APPEND, (state.value, item), {})


def _set_item(
    machine: Machine, owner: List, state: Growing, index: Symbolic, value: Symbolic
) -> None:
    """`owner[index] = value`."""
    item = _item(machine, owner, state, value)
    place = _index(machine, index)
    if isinstance(state.type, ObjectsType):
        lists_of_objects.set_item(machine, state.value, place, item)
    else:
        machine.builder.effect(SET_ITEM, (state.value, place, item), {})


def item_at(machine: Machine, owner: Symbolic, index: Symbolic) -> Symbolic | None:
    """`owner[index]`; None where it is no list that grows."""
    state = state_of(machine, owner)
    if state is None:
        return None
    inputs = (state.value, _index(machine, index))
    assert isinstance(owner, List)
    if isinstance(state.type, ObjectsType):
        return _given(machine, owner, lists_of_objects.item_at(machine, *inputs))
    return _given(machine, owner, machine.builder.typed(ITEM, inputs, {}, state.item))


def _given(machine: Machine, owner: List, item: ir.Value) -> Symbolic:
    """What a list gives."""
    if isinstance(item.type, ArrayType):
        return Array(item)
    if isinstance(item.type, ObjectsType):
        inner = List()
        machine.heap.make(inner, Growing(item, held=True))
        machine.same_objects.share(inner, owner)
        return inner
    machine.same_objects.note_item(item, owner)  # it may be in there twice
    return Scalar(item)


def count(machine: Machine, state: Growing) -> Scalar:
    """`len(owner)`."""
    if isinstance(state.type, ObjectsType):
        return Scalar(lists_of_objects.count(machine, state.value))
    number = machine.builder.typed(COUNT, (state.value,), {}, PY_INT)
    if state.row is not None and state.row > 1:
        inputs = number, machine.builder.const(state.row)
        number = machine.builder.add(OPERATOR, inputs, {"function": operator.floordiv})
    return Scalar(number)


def _item(machine: Machine, owner: List, state: Growing, value: Symbolic) -> ir.Value:
    """What a list gets.

    Raises:
        MustCarry: arrays of these lengths can be in it only if it is made for them.
        GraphBreak: it is of another kind.
    """
    common = type_with(machine, value, state.type)
    if common is None and isinstance(state.type, ListType):
        row, found = Row(state.type.item.dtype, 0), row_of(machine, value)
        if found is not None and row.holds(found):
            raise _must_grow(machine, owner, row)
    if common is None or (state.held and common != state.type):
        raise GraphBreak(NOT_PLAIN, f"a list of {state.item} gets another kind of item")
    if common != state.type:
        raise _must_grow(machine, owner, common)
    return _object(machine, owner, value, common)


def _index(machine: Machine, index: Symbolic) -> ir.Value:
    index = look(machine, as_python(index))
    type_ = number_type(machine, index)
    if type_ is None or type_.dtype.kind not in "iu":
        raise GraphBreak(NOT_PLAIN, "an index that is no int")
    number = graph_value(machine, index)
    if type_ == PY_INT:
        return number
    return machine.builder.add(OPERATOR, (number,), {"function": operator.index})
