"""Keeps the order of names that regions create, as dicts keep insertion order.

An exit stores fields in the order in which they began to be carried. That is the order in which
eager creates them, unless a field is created while a later one may exist already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state.heap import Field
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Dict, Outside, may_be_unbound

if TYPE_CHECKING:
    from ..state.machine import Machine


def creates_names(machine: Machine, owner: Outside) -> bool:
    """True if exits may create items of the dict, so that later ones must follow them."""
    return isinstance(owner, Dict) and bool(_created(machine, owner))


def _created(machine: Machine, owner: Outside) -> list[Field]:
    """Return fields that did not exist when they began to be carried, in exit order."""
    known = machine.heap.fields.items()
    return [field for field, before in known if before is None and field.owner is owner]


def keep_order(machine: Machine, field: Field) -> None:
    """Check the order when a field is stored, which may create it.

    In a loop, which stores repeatedly, all earlier fields must exist by now. Elsewhere none of them
    may be created after this one.

    Raises:
        GraphBreak: which of two names comes first is known only at run time.
    """
    created = _created(machine, field.owner)
    if field not in created or _is_there(machine, field):
        return
    loose, place = machine.heap.out_of_order, created.index(field)
    for earlier in created[:place]:
        if not _is_there(machine, earlier):
            if machine.loop_depth:
                raise _either_first(field, earlier)
            loose[earlier, field] = None
    for later in created[place + 1 :]:
        if (field, later) in loose and machine.heap.held_in(later) is not None:
            raise _either_first(field, later)


def _is_there(machine: Machine, field: Field) -> bool:
    value = machine.one_of(machine.heap.held_in(field))
    return value is not None and not may_be_unbound(value)


def _either_first(one: Field, other: Field) -> GraphBreak:
    return GraphBreak(EFFECT, f"`{one.key}` may be new before or after `{other.key}`")
