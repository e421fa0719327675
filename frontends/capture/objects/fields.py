"""Attributes, items and cells that a region changes: they are carried like locals.

The contents of objects are in the heap, which all paths share. When a frame forks, fields changed
by regions move into the frame, after its locals, so that each path has its own values, and are
merged like locals. After the meeting point they are in the heap again. An exit stores their values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from collections.abc import Iterator as PythonIterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ....jit.ir.types import PY_BOOL
from ....jit.native import set_if_bound
from ...runtime import exit_calls
from ..state.forks import without_unbound
from ..state.heap import Effect, Field, MustCarry
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import (
    Cell,
    Dict,
    Instance,
    Known,
    Lazy,
    List,
    Outside,
    Scalar,
    Symbolic,
    Union,
    may_be_unbound,
)
from .new_names import creates_names, keep_order

if TYPE_CHECKING:
    from ..state.frame import Frame
    from ..state.machine import Machine

Read = Callable[[], "Symbolic | None"]
"""Returns the present content of a field before it is changed; breaks if there is none."""


_SETTERS: dict[type[Outside], Callable[..., object]] = {
    Instance: object.__setattr__,
    Dict: dict.__setitem__,
    List: list.__setitem__,
    Cell: exit_calls.set_cell,
}


def assign(machine: Machine, field: Field, value: Symbolic, read: Read) -> None:
    """Change a field; for an outside object the exit stores it.

    Raises:
        MustCarry: in the body of a region that does not carry it yet.
        GraphBreak: it cannot be carried.
    """
    heap, owner = machine.heap, field.owner
    if field not in heap.fields and heap.may_change(owner) and creates_names(machine, owner):
        begin(machine, field, read)
    if field in heap.fields:
        keep_order(machine, field)
        heap.written.add(field)
        put(machine, field, value)
        return
    if not heap.may_change(owner) and field not in heap.not_carried:
        raise MustCarry(partial(begin, machine, field, read), "it changes an object")
    if creates_names(machine, owner):
        raise GraphBreak(EFFECT, f"`{field.key}` may be new before or after other names")
    key = () if isinstance(owner, Cell) else (Known(field.key),)
    state = _state_with(owner, heap.peek(owner), field.key, value)
    machine.change(owner, state, _SETTERS[type(owner)], *key, value)


def refuse_other_changes(machine: Machine, owner: Outside) -> None:
    """Break for other changes, such as deletion, of an object with fields that loops change.

    Raises:
        GraphBreak: an exit would store into something deleted.
    """
    if any(field.owner is owner for field in machine.heap.fields):
        raise GraphBreak(EFFECT, "another change of an object that a loop or a branch changes")


def begin(machine: Machine, field: Field, read: Read) -> bool:
    """Let each path have its own value of the field from here on; False inside a region."""
    heap, owner = machine.heap, field.owner
    if not heap.may_change(owner):
        return False
    try:
        meet_again(machine, owner)
        value = read()
        if owner.source is not None:
            machine.touch(owner)
    except GraphBreak:
        heap.not_carried.add(field)
        return True
    if machine.heap.held_in(field) is None:
        put(machine, field, value)
    heap.fields[field] = value
    return True


def meet_again(machine: Machine, owner: Outside) -> None:
    """Register an object again that was met in a region, as the machine was rolled back."""
    if owner.source is not None:
        known = machine.meet(owner)
        assert known is owner, "an object that was met before is the same one in the region"


def put(machine: Machine, field: Field, value: Symbolic | None) -> None:
    """Set a field on this path."""
    if machine.heap.held_in(field) is not value:
        state = machine.heap.peek(field.owner)
        machine.heap.learn(field.owner, _state_with(field.owner, state, field.key, value))


def _state_with(owner: Outside, state: Any, key: Hashable, value: Symbolic | None) -> Any:
    match owner:
        case Cell():
            return value
        case Instance():
            return {**(state or {}), key: value}
    return state.holding(key, value)


def stores(machine: Machine) -> PythonIterator[Effect]:
    """Yield the stores with which an exit updates outside objects on this path."""
    heap = machine.heap
    for field, before in heap.fields.items():
        owner = field.owner
        value = machine.one_of(machine.heap.held_in(field))
        if owner.source is None or value is before:
            continue
        assert value is not None, "what was there is not deleted while it is carried"
        key = () if isinstance(owner, Cell) else (Known(field.key),)
        if may_be_unbound(value) and _is_number(without_unbound(value)):
            yield _store_if_bound(owner, field.key, value)
        else:
            yield Effect(_SETTERS[type(owner)], (owner, *key, value))


def _is_number(value: Symbolic | None) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Union) and value.either_number)


def _store_if_bound(owner: Outside, key: Hashable, value: Union) -> Effect:
    """Return a store that does nothing if the name is unbound.

    Separate exits would double their number for each name that a loop without iterations leaves
    unbound.
    """
    unbound = next(number for number, one in value.alternatives if one is None)
    number = without_unbound(value)
    assert number is not None
    tag = Scalar(value.tag)
    return Effect(set_if_bound, (owner, Known(key), tag, Known(unbound), number))


def extensions(machine: Machine) -> PythonIterator[Effect]:
    """Yield the extensions of outside lists by what loops have appended."""
    for owner, items in machine.heap.extended.items():
        yield Effect(list.extend, (owner, items))


def is_flag_raised(machine: Machine, field: Field) -> bool:
    """True if the segment has set a bool of an outside object, which a loop may wait for."""
    heap = machine.heap
    value = machine.heap.held_in(field)
    if field.owner.source is None or value is heap.fields.get(field):
        return False
    known = type(value.object) if isinstance(value, Known | Lazy) else None
    return known is bool or (isinstance(value, Scalar) and value.type == PY_BOOL)


# ---- frames --------------------------------------------------------------------------------------


def fields_to_frame(machine: Machine, frame: Frame, *, arrives: bool = False) -> None:
    """Move the fields' contents into the frame.

    A frame that arrives at the end of a region has those of the enclosing block too.
    """
    heap = machine.heap
    if holds_fields(frame):
        return
    fields = list(heap.fields)
    for field in fields[: heap.outer_fields] if arrives else fields:
        frame.locals.append(machine.heap.held_in(field))


def fields_to_heap(machine: Machine, frame: Frame) -> None:
    """Move the fields' contents from the frame back to the heap."""
    first = len(frame.decoded.localsplus)
    for field, value in zip(machine.heap.fields, frame.locals[first:], strict=False):
        put(machine, field, value)
    del frame.locals[first:]


def holds_fields(frame: Frame) -> bool:
    """True if the frame's locals include fields."""
    return len(frame.locals) > len(frame.decoded.localsplus)


def needed_at(machine: Machine, frame: Frame, index: int) -> frozenset[int]:
    """Return the locals and fields that regions must hand over from an instruction on.

    They may be read there, as fields always may, or an exit later stores them.
    """
    live = frame.flow.live_at(index) if index >= 0 else frozenset[int]()
    stored = machine.kept if machine.depth == 0 else frozenset[int]()
    return live | stored | fields_of(frame)


def fields_of(frame: Frame) -> frozenset[int]:
    """Return the positions of fields among the locals."""
    return frozenset(range(len(frame.decoded.localsplus), len(frame.locals)))


def name_of(machine: Machine, frame: Frame, place: int) -> str:
    """Return the user's name of a local or field."""
    names = frame.decoded.localsplus
    if place < len(names):
        return names[place]
    field = list(machine.heap.fields)[place - len(names)]
    if isinstance(field.owner, Cell):
        return field.owner.name
    return str(field.key)
