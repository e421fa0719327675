"""Loops that are in progress when a segment begins: takes over their iterators.

Only iterators with no other reference, because an exit back into the loop builds a new one.
"""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from ....guards.kinds import IsType, IsUnshared
from ....guards.sources import Attribute, Item, Reduced, Source
from ....jit.counting import ASKED
from ..arrays.windows import read
from ..state.frame import Frame
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import GraphBreak
from ..values.item_sources import ArrayItems, EnumeratedItems, ItemSource, RangeItems, ZippedItems
from ..values.ranges import RangeIterator
from ..values.slices import Slice
from ..values.symbolic import Array, Known, Lazy, PositionalIter
from .positional_iters import arithmetic, count_items

_RANGE, _SEQUENCE = type(iter(range(0))), type(iter(np.empty(0)))

# References to an iterator that nothing else holds.
_BY_STACK = 2
"""The stack, and the copy of it that is passed."""
_AT_CAPTURE = 2 + ASKED
"""In addition: the tuple of live-ins, the machine's value, the argument of the test."""
_BY_ENUMERATE = 3
"""The `enumerate`, its reduced state, and the tester."""
_BY_ZIP = 2
"""The `zip`'s tuple, which it reveals when asked, and the tester."""


def resumed_iterator(
    machine: Machine, frame: Frame, value: Lazy
) -> RangeIterator | PositionalIter | None:
    """Take over the iterator on top of the stack; None if it is not suitable."""
    source, iterator = value.source, value.object
    if sys.getrefcount(iterator) != _BY_STACK + _AT_CAPTURE + 1:
        return None
    mark = machine.mark(frame)
    try:
        item_source = _item_source(machine, frame, source, iterator)
        if item_source is not None:
            machine.guard(IsUnshared(source, _BY_STACK))
            if isinstance(item_source, RangeItems):
                return RangeIterator(item_source.parts)
            return PositionalIter(item_source, count_items(machine, frame, item_source))
    except GraphBreak:
        pass  # an array that is not captured, or a range of big numbers
    machine.rollback(frame, mark)
    return None


def _item_source(
    machine: Machine, frame: Frame, source: Source, iterator: Any
) -> ItemSource | None:
    kind = type(iterator)
    if kind not in (_RANGE, _SEQUENCE, reversed, enumerate, zip):
        return None
    machine.guard(IsType.exactly(source, kind))
    reduced = iterator.__reduce__()
    if kind is _RANGE:
        return _numbers_left(machine, frame, Reduced(source), reduced)
    if kind is zip:
        return _zipped(machine, frame, Reduced(source), reduced)
    if kind is enumerate:
        inner, count = Item(Item(Reduced(source), 1), 0), Item(Item(Reduced(source), 1), 1)
        if sys.getrefcount(reduced[1][0]) != _BY_ENUMERATE:
            return None
        machine.guard(IsUnshared(inner, _BY_ENUMERATE))
        item_source = _item_source(machine, frame, inner, reduced[1][0])
        start = realise(machine, Lazy(count, reduced[1][1]))
        return None if item_source is None else EnumeratedItems(item_source, start)
    return _rows_left(machine, frame, Reduced(source), reduced)


def _zipped(
    machine: Machine, frame: Frame, source: Source, reduced: tuple[Any, ...]
) -> ItemSource | None:
    if len(reduced) != 2:
        return None  # it is strict
    item_sources = []
    for place in range(len(reduced[1])):  # a variable would hold a reference too
        if sys.getrefcount(reduced[1][place]) != _BY_ZIP:
            return None
        inner = Item(Item(source, 1), place)
        machine.guard(IsUnshared(inner, _BY_ZIP))
        item_source = _item_source(machine, frame, inner, reduced[1][place])
        if item_source is None:
            return None
        item_sources.append(item_source)
    return ZippedItems(tuple(item_sources)) if item_sources else None


def _numbers_left(
    machine: Machine, frame: Frame, source: Source, reduced: tuple[Any, ...]
) -> RangeItems | None:
    """Return the remaining numbers.

    3.11 counts those handed out, later versions advance the range.
    """
    _, (numbers,), gone = reduced
    place = Item(Item(source, 1), 0)
    start, stop, step = (
        realise(machine, Lazy(Attribute(place, name), getattr(numbers, name)))
        for name in ("start", "stop", "step")
    )
    known = concrete(machine, step)
    if known is None:
        return None
    if gone is not None:
        done = realise(machine, Lazy(Item(source, 2), gone))
        done = arithmetic(machine, frame, operator.mul, done, known)
        start = arithmetic(machine, frame, operator.add, start, done)
    return RangeItems((start, stop, known))


def _rows_left(
    machine: Machine, frame: Frame, source: Source, reduced: tuple[Any, ...]
) -> ArrayItems | None:
    """Return the remaining rows of an array as rows of a view."""
    if len(reduced) != 3:
        return None  # it is exhausted
    backward = reduced[0] is reversed
    array = realise(machine, Lazy(Item(Item(source, 1), 0), reduced[1][0]))
    at = realise(machine, Lazy(Item(source, 2), reduced[2]))
    if not isinstance(array, Array):
        return None
    if backward:
        behind = arithmetic(machine, frame, operator.add, at, Known(1))
        key = Slice((Known(None), behind, Known(None)))
    else:
        key = Slice((at, Known(None), Known(None)))
    window = read(machine, array, key)
    assert isinstance(window, Array)
    return ArrayItems(window, backward)
