"""Tuples and lists that are read at run-time indices.

The graph makes a list of its own with their numbers or arrays, before the first loop that reads it;
for rows of numbers (`moves = ((-1, 0), (1, 0))`) a list for each column.
"""

from __future__ import annotations

from functools import partial

from ....jit.ir.types import ArrayType, ObjectsType, is_graph_number
from ..state.heap import MustCarry
from ..state.live import realise
from ..state.machine import Machine
from ..values.limits import MAX_PASSED
from ..values.symbolic import Known, Lazy, List, Symbolic, Tuple
from .growing import item_at
from .list_promotion import Grown, start, type_with
from .lists import new_list

MAX_COLUMNS = 8
"""Maximum number of columns."""


def item_of_copy(machine: Machine, items: tuple[Symbolic, ...], index: Symbolic) -> Symbolic | None:
    """`items[index]`; None where they are not all alike: numbers, rows of them, arrays.

    Raises:
        MustCarry: the copy has to be made outside of the region.
    """
    if not 0 < len(items) <= MAX_PASSED:
        return None
    columns = _transposed(machine, items)
    if columns is not None:
        parts = [item_of_copy(machine, column, index) for column in columns]
        row = Tuple(tuple(part for part in parts if part is not None))
        machine.identities.rows[row] = {tuple(map(_known_as, column)) for column in columns}
        return row if len(row.items) == len(columns) else None
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


def _transposed(
    machine: Machine, items: tuple[Symbolic, ...]
) -> tuple[tuple[Symbolic, ...], ...] | None:
    """Return the columns if all items are plain tuples of one length; else None."""
    rows = []
    for item in items:
        realised = realise(machine, item) if _is_tuple(item) else item
        if isinstance(realised, Known) and type(realised.object) is tuple:
            realised = Tuple(tuple(map(Known, realised.object)))
        if not isinstance(realised, Tuple) or realised.named is not None:
            return None
        rows.append(realised.items)
    if len({len(row) for row in rows}) > 1 or not 0 < len(rows[0]) <= MAX_COLUMNS:
        return None
    return tuple(zip(*rows, strict=True))


def _is_tuple(item: Symbolic) -> bool:
    return type(getattr(item, "object", None)) is tuple


def _known_as(item: Symbolic) -> object:
    """Return a key that identifies a number; None if it is computed, or no number."""
    if isinstance(item, Lazy):
        return str(item.source)
    if isinstance(item, Known) and is_graph_number(item.object):
        return type(item.object), repr(item.object)
    return None


def _type_of(machine: Machine, items: tuple[Symbolic, ...]) -> Grown | None:
    """The type of a list of numbers, or of arrays that differ in lengths only."""
    type_: Grown | None = None
    for item in items:
        type_ = type_with(machine, item, type_)
        if type_ is None:
            return None
    if isinstance(type_, ObjectsType) and not isinstance(type_.item, ArrayType):
        return None
    return type_


def _made(machine: Machine, of: tuple[object, ...], items: tuple[Symbolic, ...]) -> List | None:
    type_ = _type_of(machine, items)
    if type_ is None:
        return None
    copy = new_list(machine, items)
    machine.identities.copies[copy] = of
    if not start(machine, copy, items, type_):
        return None
    if not machine.heap.region and None not in of:
        machine.heap.learn_copy(of, copy)
    return copy


def _begin(machine: Machine, of: tuple[object, ...], items: tuple[Symbolic, ...]) -> bool:
    return not machine.heap.region and _made(machine, of, items) is not None
