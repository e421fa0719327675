"""The item that an iteration of a loop over positions takes."""

from __future__ import annotations

import operator

from ....jit.ir.graph import Value
from ....jit.ir.ops import OPERATOR
from ..arrays.inner_lists import inner_list_at, number_at
from ..arrays.windows import read
from ..objects import growing
from ..objects.dict_tables import entry_at
from ..objects.grown import sequence_of_model, table_of
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.machine import Machine
from ..state.paths import Region
from ..values.breaks import LOOP, GraphBreak
from ..values.dict_views import View
from ..values.item_sources import (
    ArrayItems,
    EnumeratedItems,
    GeneratedItems,
    IndexItems,
    InnerListItems,
    InnerNumbers,
    ItemSource,
    ListItems,
    MappedItems,
    RangeItems,
    ZippedItems,
)
from ..values.symbolic import Known, Spent, Symbolic, Tuple
from .inlined import landing_of
from .positional_iters import arithmetic


def item_or_none(
    machine: Machine, frame: Frame, item_source: ItemSource, position: Symbolic
) -> tuple[Symbolic, Value | None]:
    """Return (item of an iteration, bool of the graph that there is none).

    The bool is None if every iteration takes an item.
    """
    if isinstance(item_source, GeneratedItems):
        return _given(machine, frame, item_source, position)
    return item_at(machine, frame, item_source, position), None


def item_at(
    machine: Machine, frame: Frame, item_source: ItemSource, position: Symbolic
) -> Symbolic:
    """Return the item at a position.

    Raises:
        GraphBreak: a generator skips some.
    """
    match item_source:
        case ArrayItems(array=array, backward=backward):
            if backward:
                last = arithmetic(machine, frame, operator.sub, Known(-1), position)
                return read(machine, array, last)
            return read(machine, array, position)
        case RangeItems(parts=(start, _, step)):
            gone = arithmetic(machine, frame, operator.mul, position, step)
            return arithmetic(machine, frame, operator.add, start, gone)
        case ListItems(owner=owner):
            table = table_of(machine, owner)
            if table is not None:
                part = owner.kind if isinstance(owner, View) else "keys"
                return entry_at(machine, table, part, position)
            held = sequence_of_model(machine, owner) or owner
            item = growing.item_at(machine, held, position)
            assert item is not None
            return item
        case InnerListItems() | InnerNumbers():
            return _inner_item(machine, item_source, position)
        case EnumeratedItems(item_source=inner, start=start):
            number = arithmetic(machine, frame, operator.add, start, position)
            return Tuple((number, item_at(machine, frame, inner, position)))
        case ZippedItems(item_sources=item_sources):
            return Tuple(tuple(item_at(machine, frame, one, position) for one in item_sources))
        case IndexItems(lengths=lengths, array=array):
            place = _place(machine, frame, lengths, position)
            return place if array is None else Tuple((place, read(machine, array, place)))
        case MappedItems(function=function, item_sources=item_sources):
            items = tuple(item_at(machine, frame, one, position) for one in item_sources)
            return machine.call(function, Invocation(machine, frame, items, {}))
        case GeneratedItems():
            item, left_out = _given(machine, frame, item_source, position)
            if left_out is None:
                return item
            raise GraphBreak(LOOP, "a generator that leaves items out, beside others")
    raise AssertionError(item_source)


def _inner_item(
    machine: Machine, item_source: InnerListItems | InnerNumbers, position: Symbolic
) -> Symbolic:
    if isinstance(item_source, InnerListItems):
        item: Symbolic | None = inner_list_at(machine, item_source.owner, position)
    else:
        item = number_at(machine, item_source.row, position)
    if item is None:
        raise GraphBreak(LOOP, "a list in a list that may have changed")
    return item


def _place(
    machine: Machine, frame: Frame, lengths: tuple[Symbolic, ...], position: Symbolic
) -> Tuple:
    """Return the multi-index of a position in C order."""
    found: list[Symbolic] = []
    for length in reversed(lengths[1:]):
        found.insert(0, arithmetic(machine, frame, operator.mod, position, length))
        position = arithmetic(machine, frame, operator.floordiv, position, length)
    return Tuple((position, *found) if lengths else ())


def _given(
    machine: Machine, frame: Frame, item_source: GeneratedItems, position: Symbolic
) -> tuple[Symbolic, Value | None]:
    """Return what one iteration of a generator's loop yields; the bool: it yields nothing."""
    inner: Frame = item_source.frame.copy()
    inner.stack = [
        *inner.stack[:-1],
        Spent(),
        item_at(machine, frame, item_source.item_source, position),
    ]
    inner.index = item_source.header + 1
    inner.modes = frame.modes
    inner.region = Region(stops=frozenset((item_source.header, item_source.gives)))
    landing = landing_of(machine, inner, "the generator")
    gives = landing.frames.get(item_source.gives)
    if gives is None:
        raise GraphBreak(LOOP, "a generator that yields nothing")
    if landing.which is None:
        return gives.stack[-1], None
    inputs = (landing.which, machine.builder.const(item_source.header))
    return gives.stack[-1], machine.builder.add(OPERATOR, inputs, {"function": operator.eq})
