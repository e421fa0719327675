"""Lists from outside of which a region changes items at indices that are known only at run time.

A list of the graph stands for such a list from before the region on, and each exit puts its items
into the list from outside.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ....jit.ir.types import ListType
from ..state.heap import MustCarry
from ..state.insertions import has_identity
from ..state.machine import Machine
from ..values.symbolic import List, Symbolic
from .fields import meet_again
from .grown import grown_of
from .list_promotion import Kind, kind_with, start_growing
from .lists import ListState, list_items, new_list
from .records import ScalarRecord

_MOST_ITEMS: Final = 256
"""Maximum number of items, each of which a launch fetches and an exit puts back."""
_MOST_OBJECTS: Final = 32
"""The same for items that have to be the very objects afterwards: longer kernels take minutes."""


def graph_list_for(machine: Machine, owner: List, value: Symbolic) -> List | None:
    """Return the list of the graph that stands for one from outside; None if none can.

    Raises:
        MustCarry: it has to be made before the region.
    """
    heap = machine.heap
    if owner in machine.not_growing or not owner.object or str(owner.source) in machine.varying:
        return None
    kind, state = kind_with(machine, value), heap.state(owner) or ListState(None)
    if not isinstance(kind, ListType | ScalarRecord) or state.extended:
        return None
    numbers = (kind.item,) if isinstance(kind, ListType) else kind.numbers
    if len(owner.object) > (_MOST_OBJECTS if any(map(has_identity, numbers)) else _MOST_ITEMS):
        return None
    begin = partial(_begin, machine, owner, kind)
    if not heap.may_change(owner):
        raise MustCarry(begin, "it changes a list")
    begin()
    made = heap.stood_in.get(owner)
    return made if isinstance(made, List) else None


def _begin(machine: Machine, owner: List, kind: Kind) -> bool:
    heap = machine.heap
    if not heap.may_change(owner):
        return False
    meet_again(machine, owner)  # the region has rolled it back
    made = new_list(machine, list_items(machine, owner))
    if machine.identities.key_of(made) not in machine.plain_lists:
        start_growing(machine, made, kind)
    changes = any(field.owner is owner for field in heap.fields)
    if grown_of(machine, made) is None or changes:
        machine.not_growing.add(owner)
        return True
    heap.learn(owner, ListState(None, extended=True))
    heap.stood_in[owner] = made
    machine.touch(owner)
    return True
