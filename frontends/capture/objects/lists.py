"""Lists: their contents and changes."""

from __future__ import annotations

from dataclasses import replace

from ....guards.kinds import HasLength
from ....guards.sources import Item, Length
from ....jit.frozen import dataclass
from ...runtime import exit_calls
from ..state.heap import Field
from ..state.machine import Machine
from ..values.breaks import INDEXING, LARGE, NUMPY_REFUSED, GraphBreak
from ..values.limits import MAX_FOLLOWED, check_length
from ..values.symbolic import Known, Lazy, List, Symbolic, Tuple
from . import fields
from .finalisation import check_dropped


@dataclass(frozen=True, slots=True)
class ListState:
    """The items; None and a tail if the items of an outside list have not been read."""

    items: tuple[Symbolic, ...] | None
    tail: tuple[Symbolic, ...] = ()
    extended: bool = False
    """Loops append to it, see `Heap.extended`; its contents are not known any more."""

    def get(self, index: int) -> Symbolic | None:
        """Return the item at an index, as far as known."""
        return None if self.items is None else self.items[index]

    def holding(self, index: int, value: Symbolic) -> ListState:
        """Return the state with another item at an index."""
        assert self.items is not None, "the index was looked up among the items"
        return ListState((*self.items[:index], value, *self.items[index + 1 :]))


def new_list(machine: Machine, items: tuple[Symbolic, ...]) -> List:
    """Make a list."""
    made = List()
    machine.heap.make(made, ListState(items))
    return made


def list_items(machine: Machine, owner: List) -> tuple[Symbolic, ...]:
    """Return a list's items; one from outside is guarded by its length.

    Raises:
        GraphBreak: they are known only at run time.
    """
    state = machine.heap.state(owner) or ListState(None)
    if not isinstance(state, ListState) or state.extended:
        raise GraphBreak(INDEXING, "the items of a list that has grown in a loop")
    if state.items is None:
        assert owner.source is not None
        assert owner.object is not None
        if str(owner.source) in machine.varying:
            raise GraphBreak(LARGE, "a list that has another length each time")
        machine.guard(HasLength(owner.source, check_length(owner.object)))
        found = (Lazy(Item(owner.source, k), item) for k, item in enumerate(owner.object))
        state = ListState((*found, *state.tail))
        machine.heap.learn(owner, state)
    assert state.items is not None
    return state.items


def item_alone(machine: Machine, owner: List, index: int) -> Symbolic | None:
    """Return a single item of an outside list; None if the whole list is known or has to be.

    Its length may differ from call to call.
    """
    state = machine.heap.state(owner) or ListState(None)
    if not isinstance(state, ListState) or state.items is not None or state.extended:
        return None
    if 0 > index >= -len(state.tail):
        return state.tail[index]
    assert owner.object is not None
    assert owner.source is not None
    place = index if index >= 0 else index + len(state.tail)
    if not -len(owner.object) <= place < len(owner.object):
        return None
    return Lazy(Item(owner.source, place), owner.object[place])


def length(machine: Machine, owner: List) -> tuple[Symbolic, int] | None:
    """Return (length of an outside list of varying length or of many items, number appended here).

    None for other lists.
    """
    state = machine.heap.state(owner) or ListState(None)
    if not isinstance(state, ListState) or state.items is not None or state.extended:
        return None
    if owner.source is None or owner.object is None:
        return None
    if str(owner.source) not in machine.varying and len(owner.object) <= MAX_FOLLOWED:
        return None
    return Lazy(Length(owner.source), len(owner.object)), len(state.tail)


def append(machine: Machine, owner: List, value: Symbolic) -> None:
    """Capture `owner.append(value)` without reading the items."""
    state = machine.heap.state(owner) or ListState(None)
    if state.items is None:
        changed = replace(state, tail=(*state.tail, value))
    else:
        changed = ListState((*state.items, value))
    machine.change(owner, changed, list.append, value)


def set_item(machine: Machine, owner: List, index: int, value: Symbolic) -> None:
    """Capture `owner[index] = value`."""
    items = list_items(machine, owner)
    place = _place(items, index)
    check_dropped(items[place])
    fields.assign(machine, Field(owner, place), value, lambda: list_items(machine, owner)[place])


def delete_item(machine: Machine, owner: List, index: int) -> Symbolic:
    """Delete an item and return it, for `del owner[index]` and `owner.pop(index)`."""
    items = list_items(machine, owner)
    place = _place(items, index)
    fields.refuse_other_changes(machine, owner)
    changed = ListState((*items[:place], *items[place + 1 :]))
    machine.change(owner, changed, list.__delitem__, Known(index))
    return items[place]


def _place(items: tuple[Symbolic, ...], index: int) -> int:
    place = index + len(items) if index < 0 else index
    if not 0 <= place < len(items):
        raise GraphBreak(NUMPY_REFUSED, "IndexError: list index out of range")
    return place


def replace_items(machine: Machine, owner: List, items: tuple[Symbolic, ...]) -> None:
    """Capture `owner[:] = items`; the length may change."""
    for item in list_items(machine, owner):
        check_dropped(item)
    fields.refuse_other_changes(machine, owner)
    machine.change(owner, ListState(items), exit_calls.fill, *items)


def repeat(machine: Machine, owner: List, times: int) -> None:
    """Capture `owner *= times`."""
    items = list_items(machine, owner)
    if times < 1:
        for item in items:
            check_dropped(item)
    fields.refuse_other_changes(machine, owner)
    machine.change(owner, ListState(items * times), list.__imul__, Known(times))


def items_of(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...] | None:
    """Return the items of a tuple or list; None for anything else."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, List):
        return list_items(machine, value)
    return None
