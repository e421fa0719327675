"""Lists of numbers that a region changes: memory of the graph, which ops write and read."""

from __future__ import annotations

import operator

from ...jit.ir import graph as ir
from ...jit.ir.ops import APPEND, COUNT, ITEM, LIST, OPERATOR, POP, SET_ITEM
from ...jit.ir.types import PY_INT, ListType, ScalarType, is_held, scalar_type
from . import lists
from .breaks import INDEXING, NOT_PLAIN, GraphBreak
from .grown import Growing, state_of
from .live import concrete, look
from .machine import Machine
from .nodes import graph_value
from .twins import as_python
from .values import Known, List, Scalar, Symbolic, Union


class Grows(Exception):  # noqa: N818
    """A region changes a list from outside of it, or reads it where nobody knows: it is to grow."""

    def __init__(self, owner: List, item: ScalarType) -> None:
        super().__init__()
        self.owner = owner
        self.item = item


def number_type(machine: Machine, value: Symbolic) -> ScalarType | None:
    """The type of a number of one kind; None for other values."""
    value = machine.one_of(value) or value
    value = look(machine, value) if not getattr(value, "twins", False) else value
    if isinstance(value, Scalar):
        return value.type
    return scalar_type(value.object) if isinstance(value, Known) and is_held(value.object) else None


def let_grow(machine: Machine, owner: List, item: Symbolic | None) -> None:
    """A region changes the list, or reads it at a place that is not known, if it is one of numbers.

    `item` is one of its numbers.

    Raises:
        Grows: it is from outside of the region.
    """
    if owner.source is not None or owner in machine.not_growing:
        return
    if machine.heap.born(owner) in machine.plain_lists:
        return
    type_ = None if item is None else number_type(machine, item)
    if type_ is None:
        return
    if not machine.heap.may_change(owner):
        raise Grows(owner, type_)
    start_growing(machine, owner, type_)


def start_growing(machine: Machine, owner: List, item: ScalarType) -> None:
    """From here on the list is one of the graph's, if it holds numbers of that type only."""
    if not start(machine, owner, lists.list_items(machine, owner), item):
        machine.not_growing.add(owner)


def assign_item(machine: Machine, owner: List, key: Symbolic, value: Symbolic) -> None:
    """`owner[key] = value`."""
    known = concrete_index(machine, key)
    changes = known is not None and machine.heap.may_change(owner)
    if state_of(machine, owner) is None and not changes:
        let_grow(machine, owner, value)
    grown = state_of(machine, owner)
    if grown is not None:
        machine.same_objects.note_item(_set_item(machine, grown, key, value), owner)
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
    number = _pop(machine, grown)
    machine.same_objects.note_item(number, owner)  # it may have been in there twice
    return Scalar(number)


def append(machine: Machine, owner: List, value: Symbolic) -> None:
    """`owner.append(value)`."""
    if state_of(machine, owner) is None and not machine.heap.may_change(owner):
        let_grow(machine, owner, value)
    grown = state_of(machine, owner)
    if grown is not None:
        machine.same_objects.note_item(_append(machine, grown, value), owner)
    else:
        lists.append(machine, owner, value)


def start(machine: Machine, owner: List, items: tuple[Symbolic, ...], item: ScalarType) -> bool:
    """Makes a list one that grows, here; False where its items are of other kinds."""
    if any(isinstance(machine.one_of(one), Union) for one in items):
        return False  # it may hold something else
    if any(number_type(machine, one) != item for one in items):
        return False
    values = [graph_value(machine, look(machine, one)) for one in items]
    for value in values:
        machine.same_objects.note_item(value, owner)
    made = machine.builder.typed(LIST, values, {}, ListType(item.dtype, item.python))
    machine.heap.change(owner, Growing(made))
    return True


def _append(machine: Machine, state: Growing, value: Symbolic) -> ir.Value:
    """`list.append`; gives the number."""
    number = _number(machine, state, value)
    machine.builder.effect(APPEND, (state.value, number), {})
    return number


def _set_item(machine: Machine, state: Growing, index: Symbolic, value: Symbolic) -> ir.Value:
    """`owner[index] = value`; gives the number."""
    number = _number(machine, state, value)
    machine.builder.effect(SET_ITEM, (state.value, _index(machine, index), number), {})
    return number


def _pop(machine: Machine, state: Growing) -> ir.Value:
    """`owner.pop()`."""
    return machine.builder.typed(POP, (state.value,), {}, state.item)


def item_at(machine: Machine, owner: Symbolic, index: Symbolic) -> Symbolic | None:
    """`owner[index]`; None where it is no list that grows."""
    state = state_of(machine, owner)
    if state is None:
        return None
    inputs = (state.value, _index(machine, index))
    number = machine.builder.typed(ITEM, inputs, {}, state.item)
    assert isinstance(owner, List)
    machine.same_objects.note_item(number, owner)
    return Scalar(number)


def count(machine: Machine, state: Growing) -> Scalar:
    """`len(owner)`."""
    return Scalar(machine.builder.typed(COUNT, (state.value,), {}, PY_INT))


def _number(machine: Machine, state: Growing, value: Symbolic) -> ir.Value:
    if number_type(machine, value) != state.item:
        raise GraphBreak(NOT_PLAIN, f"a list of {state.item} gets another kind of item")
    return graph_value(machine, look(machine, value))


def _index(machine: Machine, index: Symbolic) -> ir.Value:
    index = look(machine, as_python(index))
    type_ = number_type(machine, index)
    if type_ is None or type_.dtype.kind not in "iu":
        raise GraphBreak(NOT_PLAIN, "an index that is no int")
    number = graph_value(machine, index)
    if type_ == PY_INT:
        return number
    return machine.builder.add(OPERATOR, (number,), {"function": operator.index})
