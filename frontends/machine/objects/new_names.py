"""Names that regions create: a dict has its keys in the order in which they came.

An exit stores fields in the order in which they began to be carried. That is the order in which
eager creates them as long as no field comes to be while a later one may be there already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..breaks import EFFECT, GraphBreak
from ..values import Dict, Outside, may_be_unbound
from . import fields
from .heap import Field

if TYPE_CHECKING:
    from ..machine import Machine


def creates_names(machine: Machine, owner: Outside) -> bool:
    """True if an exit may create items of the dict: later ones have to come behind them."""
    return isinstance(owner, Dict) and bool(_created(machine, owner))


def _created(machine: Machine, owner: Outside) -> list[Field]:
    """Fields that were not there when they began to be carried, in the order of the exits."""
    known = machine.heap.fields.items()
    return [field for field, before in known if before is None and field.owner is owner]


def keep_order(machine: Machine, field: Field) -> None:
    """A field is stored, which may create it here and now.

    A loop stores again and again: there, all earlier fields have to be there by now. Elsewhere it
    is enough that none of them is created behind this one.

    Raises:
        GraphBreak: only running the program tells which of two names comes first.
    """
    created = _created(machine, field.owner)
    if field not in created or _is_there(machine, field):
        return
    loose, place = machine.heap.out_of_order, created.index(field)
    for earlier in created[:place]:
        if not _is_there(machine, earlier):
            if machine.turning:
                raise _either_first(field, earlier)
            loose[earlier, field] = None
    for later in created[place + 1 :]:
        if (field, later) in loose and fields.held_in(machine, later) is not None:
            raise _either_first(field, later)


def _is_there(machine: Machine, field: Field) -> bool:
    value = machine.one_of(fields.held_in(machine, field))
    return value is not None and not may_be_unbound(value)


def _either_first(one: Field, other: Field) -> GraphBreak:
    return GraphBreak(EFFECT, f"`{one.key}` may be new before or after `{other.key}`")
