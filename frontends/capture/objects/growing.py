"""Lists that a region changes: numbers, arrays or lists, held by lists of the graph."""

from __future__ import annotations

import operator
from functools import partial

from ....jit.ir import graph as ir
from ....jit.ir.ops import APPEND, ITEM, OPERATOR, POP, SET_ITEM
from ....jit.ir.schema import Op
from ....jit.ir.types import PY_INT, ArrayType, ListType, ObjectsType
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.heap import MustCarry
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import EFFECT, INDEXING, NOT_PLAIN, GraphBreak
from ..values.either_number import as_python
from ..values.symbolic import Array, Lazy, List, Scalar, Symbolic
from . import lists, lists_of_objects, number_identity, tuple_lists
from .fields import meet_again
from .grown import Columns, Growing, grown_of
from .list_promotion import (
    Kind,
    kind_with,
    must_grow,
    number_type,
    object_of,
    start_growing,
    type_with,
)
from .records import is_mixed
from .stand_in_lists import graph_list_for


def let_grow(machine: Machine, owner: List, item: Symbolic | None) -> None:
    """Convert a list that a region changes, or reads at an unknown index.

    `item` is one of its items; a list of items that neither a list of the graph nor columns can
    hold stays as it is.

    Raises:
        MustCarry: it is from outside of the region.
    """
    if owner.source is not None or owner in machine.not_growing:
        return
    if machine.identities.key_of(owner) in machine.plain_lists:
        return
    kind = None if item is None else kind_with(machine, item)
    if kind is None:
        return
    if not machine.heap.may_change(owner):
        raise must_grow(machine, owner, kind)
    start_growing(machine, owner, kind)


def assign_item(
    machine: Machine, frame: Frame, owner: List, key: Symbolic, value: Symbolic
) -> None:
    """Capture `owner[key] = value`."""
    known = concrete_index(machine, key)
    if owner.source is not None and (known is None or not machine.heap.may_change(owner)):
        owner = graph_list_for(machine, owner, value) or owner
    changes = known is not None and machine.heap.may_change(owner)
    if grown_of(machine, owner) is None and not changes:
        let_grow(machine, owner, value)
    grown = grown_of(machine, owner)
    if grown is not None:
        _set_item(machine, frame, owner, grown, key, value)
    elif known is None:
        raise GraphBreak(INDEXING, "an item whose position is not known")
    else:
        lists.set_item(machine, owner, known, value)


def _check_fit(machine: Machine, owner: List, state: Columns, value: Symbolic) -> None:
    """Check that the columns can hold a value.

    Raises:
        MustCarry: they can if they are made for it.
        GraphBreak: it is of another kind.
    """
    item = tuple_lists.more(machine, state, value)
    if item is None:
        raise GraphBreak(NOT_PLAIN, "a list of several kinds of items")
    if item != state.item:
        raise must_grow(machine, owner, item)


def _refuse_mixed(state: Columns) -> None:
    """Break for mixed items that may be removed, since NumPy's dtype depends on those present."""
    if is_mixed(state.item):
        raise GraphBreak(NOT_PLAIN, "a list of ints and floats loses items")


def pop(machine: Machine, owner: List, *, first: bool = False) -> Symbolic:
    """Capture `owner.pop()`, or with `first` `owner.pop(0)`."""
    if grown_of(machine, owner) is None and not machine.heap.may_change(owner):
        items = lists.list_items(machine, owner) if owner.source is None else ()
        let_grow(machine, owner, items[0] if items else None)
    grown = grown_of(machine, owner)
    if grown is None:
        return lists.delete_item(machine, owner, 0 if first else -1)
    _refuse_as_given(machine, owner)
    if isinstance(grown, Columns):
        _refuse_mixed(grown)
        return tuple_lists.pop(machine, owner, grown, first=first)
    value = grown.value
    if isinstance(grown.type, ObjectsType):
        return _given(machine, owner, lists_of_objects.pop(machine, value, first=first))
    attrs = {"first": first}
    item = machine.builder.typed(POP, (value,), attrs, grown.item)
    if grown.origins is not None:
        machine.builder.typed(POP, (grown.origins,), attrs, PY_INT)
    if grown.places is None:
        return _given(machine, owner, item)
    return _placed(machine, item, machine.builder.typed(POP, (grown.places,), attrs, PY_INT))


def append(machine: Machine, frame: Frame, owner: List, value: Symbolic) -> None:
    """Capture `owner.append(value)`."""
    if owner.source is not None:
        owner = _extension(machine, owner, value) or owner
    grown = grown_of(machine, owner)
    if grown is None and not machine.heap.may_change(owner):
        let_grow(machine, owner, value)
        grown = grown_of(machine, owner)
    if grown is not None:
        _append(machine, frame, owner, grown, value)
    else:
        lists.append(machine, owner, value)


def _extension(machine: Machine, owner: List, value: Symbolic) -> List | None:
    """Return the list of items appended to an outside list; None if it needs no such list.

    Raises:
        MustCarry: a region appends to it for the first time.
    """
    heap = machine.heap
    known = heap.extended.get(owner)
    if known is not None or heap.may_change(owner) or owner in machine.not_growing:
        return known
    kind = kind_with(machine, value)
    if kind is None:
        return None
    raise MustCarry(partial(_begin_extension, machine, owner, kind), "it changes a list")


def _begin_extension(machine: Machine, owner: List, kind: Kind) -> bool:
    heap = machine.heap
    if not heap.may_change(owner):
        return False
    if any(field.owner is owner for field in heap.fields):
        machine.not_growing.add(owner)
        return True
    meet_again(machine, owner)
    if owner.source is not None:
        # Its guards are needed here: the region may break before it reaches the list again, and
        # every exit extends it.
        realise(machine, Lazy(owner.source, owner.object))
    made = lists.new_list(machine, ())
    if machine.identities.key_of(made) not in machine.plain_lists:
        start_growing(machine, made, kind)
    if grown_of(machine, made) is None:
        machine.not_growing.add(owner)
        return True
    heap.learn(owner, lists.ListState(None, extended=True))
    heap.extended[owner] = made
    machine.touch(owner)
    return True


def make_room(machine: Machine, owner: List) -> bool:
    """Append a zero to a list that has grown; False if it holds other things than numbers.

    Of a list of several kinds it is of the first one; of floats that is Python's.
    """
    state = grown_of(machine, owner)
    lists_ = () if state is None else state.lists
    types = [one.type for one in lists_ if isinstance(one.type, ListType)]
    if len(types) < len(lists_) or state is None:
        return False
    for made, type_ in zip(lists_, types, strict=True):
        zero = type_.item.dtype.type(0)
        number = machine.builder.const(zero.item() if type_.item.python else zero)
        machine.builder.effect(APPEND, (made, number), {})
    if state.places is not None:
        machine.builder.effect(APPEND, (state.places, machine.builder.const(0)), {})
    _note_origin(machine, state, APPEND)
    return True


def _refuse_as_given(machine: Machine, owner: List) -> None:
    """Break for a change of a list that stands for one from outside to be read."""
    outside = machine.heap.outside_of(owner)
    if isinstance(outside, List) and outside not in machine.touched:
        raise GraphBreak(EFFECT, "a change of a long list that the segment goes through")


def _note_origin(machine: Machine, state: Growing | Columns, op: Op, *place: ir.Value) -> None:
    """Note for an exit that an item is not from outside."""
    if isinstance(state, Growing) and state.origins is not None:
        machine.builder.effect(op, (state.origins, *place, machine.builder.const(-1)), {})


def _append(
    machine: Machine, frame: Frame, owner: List, state: Growing | Columns, value: Symbolic
) -> None:
    """Append to a list of the graph or to columns."""
    _refuse_as_given(machine, owner)
    noted = state.places is not None
    if isinstance(state, Columns):
        _check_fit(machine, owner, state, value)
        tuple_lists.append(machine, owner, state, value, noted=noted)
    else:
        item = _item(machine, owner, state, value, noted=noted)
        if isinstance(state.type, ObjectsType):
            lists_of_objects.append(machine, state.value, item)
        else:
            machine.builder.effect(APPEND, (state.value, item), {})
    _note_origin(machine, state, APPEND)
    if state.places is not None:
        place = number_identity.enter(machine, frame, value)
        machine.builder.effect(APPEND, (state.places, place), {})


def _set_item(
    machine: Machine,
    frame: Frame,
    owner: List,
    state: Growing | Columns,
    key: Symbolic,
    value: Symbolic,
) -> None:
    """Assign an item of a list of the graph or of columns."""
    _refuse_as_given(machine, owner)
    index, noted = _index(machine, key), state.places is not None
    if isinstance(state, Columns):
        _check_fit(machine, owner, state, value)
        _refuse_mixed(state)
        tuple_lists.set_item(machine, owner, state, index, value, noted=noted)
    else:
        item = _item(machine, owner, state, value, noted=noted)
        if isinstance(state.type, ObjectsType):
            lists_of_objects.set_item(machine, state.value, index, item)
        else:
            machine.builder.effect(SET_ITEM, (state.value, index, item), {})
    _note_origin(machine, state, SET_ITEM, index)
    if state.places is not None:
        place = number_identity.enter(machine, frame, value)
        machine.builder.effect(SET_ITEM, (state.places, index, place), {})


def item_at(machine: Machine, owner: Symbolic, index: Symbolic) -> Symbolic | None:
    """Return `owner[index]`; None if it is not a growing list."""
    state = grown_of(machine, owner)
    if state is None:
        return None
    assert isinstance(owner, List)
    if isinstance(state, Columns):
        return tuple_lists.item_at(machine, owner, state, _index(machine, index))
    inputs = (state.value, _index(machine, index))
    if isinstance(state.type, ObjectsType):
        return _given(machine, owner, lists_of_objects.item_at(machine, *inputs))
    item = machine.builder.typed(ITEM, inputs, {}, state.item)
    if state.places is None:
        return _given(machine, owner, item)
    place = machine.builder.typed(ITEM, (state.places, inputs[1]), {}, PY_INT)
    return _placed(machine, item, place)


def _given(machine: Machine, owner: List, item: ir.Value) -> Symbolic:
    """Return the value for an item read from a list."""
    if isinstance(item.type, ArrayType):
        return Array(item)
    if isinstance(item.type, ObjectsType):
        inner = List()
        machine.heap.make(inner, Growing(item, nested=True))
        machine.identities.share(inner, owner)
        return inner
    machine.identities.note_item(item, owner)  # it may occur twice
    return Scalar(item)


def _placed(machine: Machine, item: ir.Value, place: ir.Value) -> Scalar:
    """Return a number with the known place of its object."""
    machine.identities.placed.add(place)
    return Scalar(item, box=place)


def count(machine: Machine, state: Growing | Columns) -> Scalar:
    """Return `len(owner)`."""
    return Scalar(lists_of_objects.count(machine, state.lists[0]))


def _item(
    machine: Machine, owner: List, state: Growing, value: Symbolic, *, noted: bool
) -> ir.Value:
    """Return the graph value for an item that a list gets.

    Raises:
        MustCarry: it can hold arrays of these lengths only if it is made for them.
        GraphBreak: the item is of another kind.
    """
    common = type_with(machine, value, state.type)
    whole = None if common or state.nested else tuple_lists.with_item(machine, state.type, value)
    if whole is not None:
        raise must_grow(machine, owner, whole)
    if common is None or (state.nested and common != state.type):
        raise GraphBreak(NOT_PLAIN, f"a list of {state.item} gets another kind of item")
    if common != state.type:
        raise must_grow(machine, owner, common)
    return object_of(machine, owner, value, common, noted=noted)


def concrete_index(machine: Machine, key: Symbolic) -> int | None:
    """Return a known index; that of an argument is guarded."""
    known = concrete(machine, key)
    return int(known.object) if known is not None and type(known.object) is int else None


def _index(machine: Machine, index: Symbolic) -> ir.Value:
    index = realise(machine, as_python(index))
    type_ = number_type(machine, index)
    if type_ is None or type_.dtype.kind not in "iu":
        raise GraphBreak(NOT_PLAIN, "an index that is no int")
    number = graph_value(machine, index)
    if type_ == PY_INT:
        return number
    return machine.builder.add(OPERATOR, (number,), {"function": operator.index})
