"""Lists and tuples of numbers that are read at places which only running tells.

The graph makes a list of its own of the numbers, before the first loop that reads it.
"""

from __future__ import annotations

from functools import partial

from ....jit.ir.types import ListType, is_held
from ..limits import MAX_PASSED
from ..machine import Machine
from ..values import Known, List, Symbolic, Unread
from .growing import item_at, start, type_with
from .heap import MustCarry
from .lists import new_list


def item_of_copy(machine: Machine, items: tuple[Symbolic, ...], index: Symbolic) -> Symbolic | None:
    """`items[index]`; None where they are not all numbers of one type.

    Raises:
        MustCarry: the copy has to be made outside of the region.
    """
    if not 0 < len(items) <= MAX_PASSED:
        return None
    of = tuple(map(_known_as, items))
    if of in machine.plain_lists:
        return None
    copy = machine.heap.copy_of(of)
    if copy is None:
        if machine.heap.region and None not in of and _type_of(machine, items) is not None:
            begin = partial(_begin, machine, of, items)
            raise MustCarry(begin, "it reads a list", reads=True)
        copy = _made(machine, of, items)
    return None if copy is None else item_at(machine, copy, index)


def _known_as(item: Symbolic) -> object:
    """What tells a number from all others; None for one that is computed, and for what is none."""
    if isinstance(item, Unread):
        return str(item.source)
    if isinstance(item, Known) and is_held(item.object):
        return type(item.object), repr(item.object)
    return None


def _type_of(machine: Machine, items: tuple[Symbolic, ...]) -> ListType | None:
    types = {type_with(machine, item) for item in items}
    type_ = types.pop()
    return type_ if isinstance(type_, ListType) and not types else None


def _made(machine: Machine, of: tuple[object, ...], items: tuple[Symbolic, ...]) -> List | None:
    type_ = _type_of(machine, items)
    if type_ is None:
        return None
    copy = new_list(machine, items)
    machine.same_objects.copies[copy] = of
    if not start(machine, copy, items, type_):
        return None
    if not machine.heap.region and None not in of:
        machine.heap.learn_copy(of, copy)
    return copy


def _begin(machine: Machine, of: tuple[object, ...], items: tuple[Symbolic, ...]) -> bool:
    return not machine.heap.region and _made(machine, of, items) is not None
