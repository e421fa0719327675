"""Sets of ints, and of tuples of ints, that the segment makes: hash tables of lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...numpy.decompositions import sets
from ..objects.dict_tables import PLACES, are_ints, begin_list, kind_in, shape_of_keys
from ..objects.grown import Columns, grown_of, items_of_model
from ..objects.list_promotion import Kind, kind_with
from ..objects.lists import new_list
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.ranges import Range, RangeIterator
from ..values.symbolic import (
    Array,
    Instance,
    Iterator,
    Known,
    List,
    PositionalIter,
    Symbolic,
    Tuple,
)
from .bodies import is_body, set_of_constants
from .builtins import builtin
from .calls import call_value
from .iteration import all_items
from .models import made_of, of_model, register
from .stack import take

_MOST_TAKEN = 16
"""Maximum number of known items that are added one by one."""


@handles("BUILD_SET")
def build_set(machine: Machine, frame: Frame, count: int) -> None:
    items = take(frame, count)
    made: Symbolic | None = set_of_constants(machine, frame, items)
    if made is None:
        made = _set_of(Invocation(machine, frame, items, {}))
    if made is None:
        raise GraphBreak(INSTRUCTION, "a set display", guess=False)
    frame.stack.append(made)


@handles("SET_ADD")
def set_add(machine: Machine, frame: Frame, depth: int) -> None:
    item = frame.stack.pop()
    owner = realise(machine, frame.stack[-depth])
    if _add(Invocation(machine, frame, (owner, item), {})) is None:
        raise GraphBreak(INSTRUCTION, "a set comprehension", guess=False)


@handles("SET_UPDATE")
def set_update(machine: Machine, frame: Frame, depth: int) -> None:
    """Break, as the order of a set that is made of another one depends on both."""
    raise GraphBreak(INSTRUCTION, "a set display", guess=False)


@builtin(set, takes=(0, 1))
def _set(call: Invocation) -> Symbolic | None:
    if is_body(call.machine, call.frame):
        items = all_items(call.machine, call.frame, call.arguments[0]) if call.arguments else ()
        return set_of_constants(call.machine, call.frame, items)
    if not call.arguments:
        return _set_of(call)
    made = _set_of(replace(call, arguments=()))
    return made if made is not None and _update(call.of(made)) is not None else None


def _set_of(call: Invocation) -> Instance | None:
    """Return the set of these items; None if it cannot hold them."""
    machine = call.machine
    slots = new_list(machine, (Known(0),) * sets.FIRST_SLOTS)
    made = made_of(call, sets.TABLE, keys=new_list(machine, ()), slots=slots)
    added = (_add(replace(call, arguments=(made, item))) for item in call.arguments)
    return None if any(one is None for one in added) else made


def _add(call: Invocation) -> Symbolic | None:
    _, item = call.arguments
    return _with_key(sets.add, call, kind_with(call.machine, item))


def _contains(call: Invocation) -> Symbolic | None:
    owner, item = call.realised()
    kind = kind_with(call.machine, item)
    keys = items_of_model(call.machine, owner)
    held = None if keys is None else kind_in(call.machine, keys)
    if shape_of_keys(held) == shape_of_keys(kind):
        kind = held  # ints may be Python's or NumPy's
    return _with_key(sets.contains, call, kind)


def _update(call: Invocation) -> Symbolic | None:
    """Add the items of an iterable; those of sets and dicts may come in another order."""
    owner, more = call.realised()
    if isinstance(more, Known) and type(more.object) is not tuple:
        return None
    if not isinstance(
        more, Known | Tuple | List | Array | Range | RangeIterator | Iterator | PositionalIter
    ):
        return None
    items = call_value(Known(list), replace(call, arguments=(more,)))
    grown = grown_of(call.machine, items)
    if grown is None:
        known = all_items(call.machine, call.frame, items)
        if len(known) > _MOST_TAKEN:
            return None
        added = [_add(replace(call, arguments=(owner, item))) for item in known]
        return None if None in added else Known(None)
    kind = grown.item if isinstance(grown, Columns) else grown.type
    return _with_key(sets.update, replace(call, arguments=(owner, items)), kind)


def _with_key(function: Any, call: Invocation, kind: Kind | None) -> Symbolic | None:
    """Call a method of a set that is to hold items of this kind."""
    owner = realise(call.machine, call.arguments[0])
    if kind is None or not are_ints(kind) or not isinstance(owner, Instance):
        return None
    if owner.class_ is not sets.TABLE:
        return None
    keys, slots = call.machine.heap.state(owner).values()
    begin_list(call.machine, keys, kind)
    begin_list(call.machine, slots, PLACES)
    return of_model(function, call) if kind_in(call.machine, keys) == kind else None


register(sets.TABLE, {"add": _add, "update": _update, "__contains__": _contains})
