"""Subscripts: basic indices give views and elements, assignments give stores."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....guards.kinds import IsObject
from ....jit.ir.ops import PUT
from ...numpy.decompositions import lists as bodies
from ...numpy.purity import makes_of_indices
from ..arrays.arguments import opaque
from ..arrays.inner_lists import inner_list_at
from ..arrays.nodes import opaque_call
from ..arrays.stores import assign
from ..arrays.windows import has_ellipsis, read, with_parts
from ..objects import attributes, growing, lists
from ..objects.contents import items_to_read, use
from ..objects.copies import item_of_copy
from ..objects.lists import items_of
from ..state.behaviour import behaviour_of
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..state.machine import Machine, handles
from ..values.breaks import CALL, EFFECT, INDEXING, NUMPY_REFUSED, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.either_number import as_numpy, as_python
from ..values.slices import Slice
from ..values.symbolic import (
    Array,
    Dict,
    Instance,
    Known,
    List,
    Scalar,
    Symbolic,
    Tuple,
    Union,
)
from ..values.wording import in_words, refusal
from . import run_time_keys
from .advanced import is_advanced, put
from .advanced import take as take_copy
from .calls import call_value
from .grown_lists import of_grown, part_of
from .library_bodies import in_line
from .stack import take


@handles("BUILD_SLICE")
def build_slice(machine: Machine, frame: Frame, count: int) -> None:
    parts = take(frame, count)
    frame.stack.append(Slice((*parts, *[Known(None)] * (3 - count))))


@handles("BINARY_SUBSCR")
def binary_subscr(machine: Machine, frame: Frame, arg: Any) -> None:
    key, owner = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(subscript(machine, frame, owner, key))


def subscript(machine: Machine, frame: Frame, owner: Symbolic, key: Symbolic) -> Symbolic:
    """Return `owner[key]`."""
    owner = realise(machine, owner)
    if isinstance(owner, Dict):
        return run_time_keys.item(machine, frame, owner, key)
    key = as_python(key)
    match owner:
        case Array():
            if is_advanced(machine, key):
                return take_copy(machine, frame, owner, key)
            return read(machine, owner, key)
        case Known(object=known) if type(known) in (tuple, str, bytes, range):
            return item_of_constant(machine, known, key)
        case Tuple() | List():
            if isinstance(realise(machine, key), Scalar) and concrete(machine, key) is None:
                if (row := inner_list_at(machine, owner, realise(machine, key))) is not None:
                    return row
                owner = realise(machine, items_to_read(machine, owner))
                assert isinstance(owner, Tuple | List)
            key = with_parts(realise(machine, key))
            part = part_of(machine, frame, owner, key)
            return part or growing.item_at(machine, owner, key) or _item(machine, owner, key)
        case Instance(kind=kind) if makes_of_indices(kind):
            return _made_of_index(machine, frame, owner, key)
        case Instance():
            use(machine, owner)
            if _has_method(owner, "__getitem__"):
                found = class_lookup(owner.kind, "__getitem__")
                method = attributes.special_method(machine, owner, "__getitem__", found)
                return call_value(method, Invocation(machine, frame, (key,), {}))
    own = behaviour_of(owner).item
    if own is not None and (item := own(machine, frame, owner, key)) is not None:
        return item
    raise refusal(INDEXING, f"a subscript of {in_words(owner)}", owner)


def _made_of_index(machine: Machine, frame: Frame, owner: Instance, key: Symbolic) -> Symbolic:
    """Capture `np.mgrid[...]` and the like."""
    realised = realise(machine, key)
    if isinstance(realised, Known) and type(realised.object) is str:
        raise GraphBreak(CALL, "an index that is a text, which may name variables")
    function = class_lookup(owner.kind, "__getitem__")
    made = in_line(function, Invocation(machine, frame, (owner, key), {}))
    if made is not None:
        return made
    if owner.source is not None:
        machine.guard(IsObject.of(owner.source, owner.object))
    return opaque_call(machine, frame, function, (Known(owner.object), key), {})


def _item(machine: Machine, owner: Tuple | List, key: Symbolic) -> Symbolic:
    key = realise(machine, key)
    if isinstance(owner, List) and isinstance(key, Known) and type(key.object) is int:
        alone = lists.item_alone(machine, owner, key.object)
        if alone is not None:
            return alone
    items = items_of(machine, owner)
    assert items is not None
    if isinstance(key, Slice):
        taken = items[_known_slice(machine, key)]
        if taken is items and isinstance(owner, Tuple) and owner.named is None:
            return owner
        return Tuple(taken) if isinstance(owner, Tuple) else lists.new_list(machine, taken)
    known = concrete(machine, key)
    if known is None and items:
        item = _item_somewhere(machine, owner, items, key)
        if item is not None:
            return item
    if known is None or type(known.object) not in (int, bool):
        raise GraphBreak(INDEXING, "an item whose position is not known")
    place: int = known.object
    try:
        return items[place]
    except IndexError as error:
        raise GraphBreak(NUMPY_REFUSED, f"IndexError: {error}") from None


def _item_somewhere(
    machine: Machine, owner: Tuple | List, items: tuple[Symbolic, ...], key: Symbolic
) -> Symbolic | None:
    """Return the item at a run-time index; None if the items are not numbers of one kind."""
    if isinstance(owner, List):
        growing.let_grow(machine, owner, items[0])
        item = growing.item_at(machine, owner, key)
        if item is not None:
            return item
    return item_of_copy(machine, items, key)


def _known_slice(machine: Machine, key: Slice) -> slice:
    parts = [concrete(machine, as_python(part)) for part in key.parts]
    numbers = [part.object for part in parts if part is not None]
    if len(numbers) != 3 or not all(one is None or type(one) is int for one in numbers):
        raise GraphBreak(INDEXING, "a slice whose bounds are not known")
    if numbers[2] == 0:
        raise GraphBreak(NUMPY_REFUSED, "ValueError: slice step cannot be zero")
    return slice(*numbers)


def item_of_constant(machine: Machine, owner: Any, key: Symbolic) -> Symbolic:
    """Return `owner[key]` of a tuple, str, bytes or range."""
    key = realise(machine, key)
    wanted: Any = _known_slice(machine, key) if isinstance(key, Slice) else concrete(machine, key)
    if isinstance(wanted, Known):
        wanted = wanted.object
    if wanted is None and type(owner) is tuple:
        item = item_of_copy(machine, tuple(map(Known, owner)), key)
        if item is not None:
            return item
    if wanted is None or type(wanted) not in (int, bool, slice):
        raise GraphBreak(INDEXING, "an item whose position is not known")
    try:
        return Known(owner[wanted])
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None


def rows_of(machine: Machine, array: Array, count: int) -> tuple[Symbolic, ...]:
    """Return the items of an array with this length, on which the graph then relies."""
    machine.builder.unify(array.type.dims[0], count)
    if machine.builder.resolve(array.type.dims[0]) != count:
        raise GraphBreak(NUMPY_REFUSED, "an array of another length is unpacked")
    return tuple(read(machine, array, Known(place)) for place in range(count))


@handles("STORE_SUBSCR")
def store_subscr(machine: Machine, frame: Frame, arg: Any) -> None:
    key, owner, value = frame.stack.pop(), realise(machine, frame.stack.pop()), frame.stack.pop()
    if isinstance(owner, Dict):
        run_time_keys.set_item(machine, frame, owner, key, value)
        return
    key = as_python(key)
    match owner:
        case Array() if is_advanced(machine, key):
            put(machine, frame, owner, key, value)
        case Array():
            target = read(machine, owner, key, whole=True)
            assert isinstance(target, Array)
            made = realise(machine, machine.one_of(value) or value)
            has_axes = isinstance(made, Array) and made.type.ndim > 0
            if target.type.ndim == 0 and has_axes and not has_ellipsis(machine, key):
                raise GraphBreak(NUMPY_REFUSED, "an array with axes as one element")
            _store(machine, frame, target, value)
        case List():
            growing.assign_item(machine, frame, owner, with_parts(key), value)
        case Instance() if use(machine, owner, changes=True) and _has_method(owner, "__setitem__"):
            found = class_lookup(owner.kind, "__setitem__")
            method = attributes.special_method(machine, owner, "__setitem__", found)
            call_value(method, Invocation(machine, frame, (key, value), {}))
        case _ if (write := behaviour_of(owner).assign_item) is not None:
            write(machine, frame, owner, key, value)
        case _:
            raise refusal(EFFECT, f"an assignment to an item of {in_words(owner)}", owner)


def _store(machine: Machine, frame: Frame, target: Array, value: Symbolic) -> None:
    """Capture `target[...] = value`; numbers of a tuple or list are stored one by one."""
    value = machine.one_of(value) or value
    items = None if isinstance(value, Union) else _items_of(machine, realise(machine, value))
    if items is None:
        assign(machine, frame, target, value)
        return
    numbers = [as_numpy(item) for item in items]
    kinds = [realise(machine, number) for number in numbers]
    if not _go_one_by_one(machine, kinds, target):
        key = Tuple((Known(...),))
        inputs, call = opaque(machine, operator.setitem, (target, key, value), {})
        attrs = {"call": call}
        machine.change_memory(
            PUT, target.value, inputs, attrs, frame.location(), may_stop_midway=True
        )
        return
    machine.builder.unify_store(target.type.dims, (len(items),))
    if machine.builder.resolve(target.type.dims[0]) != len(items):
        raise GraphBreak(NUMPY_REFUSED, "the items do not fill the target")
    for place, item in enumerate(kinds):
        at = read(machine, target, Known(place), whole=True)
        assert isinstance(at, Array)
        assign(machine, frame, at, item)


def _items_of(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...] | None:
    """Return the items of a tuple or list, else None."""
    if isinstance(value, Known) and type(value.object) is tuple:
        return tuple(map(Known, value.object))
    return items_of(machine, value)


def _go_one_by_one(machine: Machine, items: list[Symbolic], target: Array) -> bool:
    """True if all items are numbers that the array's dtype takes as they are."""
    if target.type.ndim != 1 or not all(isinstance(item, Known | Scalar) for item in items):
        return False
    own = target.type.dtype
    dtypes = (graph_value(machine, item).type.dtype for item in items)
    return all(np.result_type(own, dtype) == own for dtype in dtypes)


@handles("DELETE_SUBSCR")
def delete_subscr(machine: Machine, frame: Frame, arg: Any) -> None:
    key, owner = frame.stack.pop(), realise(machine, frame.stack.pop())
    if isinstance(owner, List):
        place = _position(machine, key)
        if place in (0, -1):
            growing.pop(machine, owner, first=not place)
        elif of_grown(bodies.pop, machine, frame, owner, Known(place)) is None:
            lists.delete_item(machine, owner, place)
    elif isinstance(owner, Dict):
        run_time_keys.delete(machine, frame, owner, key)
    else:
        raise refusal(EFFECT, f"a deletion of an item of {in_words(owner)}", owner)


def _has_method(owner: Instance, name: str) -> bool:
    return is_function(class_lookup(owner.kind, name))


def _position(machine: Machine, key: Symbolic) -> int:
    known = concrete(machine, key)
    if known is None or type(known.object) is not int:
        raise GraphBreak(INDEXING, "an item whose position is not known")
    return int(known.object)
