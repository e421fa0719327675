"""Loops over arrays, `enumerate` and `zip` as loops over positions: what the item at one is."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .breaks import LOOP, GraphBreak
from .frame import Frame
from .iterators import Enumerate, IteratorState, Numbers, Over, Rows, Taken, Zip
from .machine import Machine
from .nodes import operator_call
from .numpy_calls import length
from .values import (
    Array,
    Known,
    Range,
    Symbolic,
    Tuple,
    Walk,
    WalkedArray,
    WalkedCount,
    WalkedRange,
    WalkedTogether,
    Way,
)
from .values import Iterator as IteratorValue


def walk_over(machine: Machine, frame: Frame, value: Symbolic) -> Walk | None:
    """`iter(value)` for a `for` statement; None where positions do not tell the items.

    An iterator that somebody else holds advances for him too.
    """
    way = _way(machine, value)
    taken = list(_iterators(machine, value))
    if way is None or any(held in taken for held in _held(frame.locals)):
        return None
    for iterator in taken:
        machine.heap.change(iterator, Taken())
    return Walk(way, count_items(machine, frame, way))


def _iterators(machine: Machine, value: Symbolic) -> Iterator[IteratorValue]:
    """The iterator and those that it asks."""
    if isinstance(value, IteratorValue):
        yield value
        state: IteratorState = machine.heap.state(value)
        if isinstance(state, Enumerate):
            yield from _iterators(machine, state.iterator)
        elif isinstance(state, Zip):
            for inner in state.iterators:
                yield from _iterators(machine, inner)


def _held(values: Iterable[Symbolic | None]) -> Iterator[Symbolic]:
    """Variables, and what tuples among them hold."""
    for value in values:
        if isinstance(value, Tuple):
            yield from _held(value.items)
        elif value is not None:
            yield value


def _way(machine: Machine, value: Symbolic) -> Way | None:
    if isinstance(value, Array):
        return WalkedArray(value) if value.type.ndim else None
    if not isinstance(value, IteratorValue):
        return None
    state: IteratorState = machine.heap.state(value)
    match state:
        case Rows(array, backward):
            return WalkedArray(array, backward)
        case Numbers(parts):
            return WalkedRange(parts)
        case Over(Range(parts=parts), position=0, backward=False, exhausted=False):
            return WalkedRange(parts)
        case Enumerate(inner, count):
            way = _way(machine, inner)
            return None if way is None else WalkedCount(way, Known(count))
        case Zip(iterators, strict=False):
            ways = [_way(machine, inner) for inner in iterators]
            found = tuple(way for way in ways if way is not None)
            return WalkedTogether(found) if found and len(found) == len(ways) else None
    return None


# ---- how many ------------------------------------------------------------------------------------


def count_items(machine: Machine, frame: Frame, way: Way) -> Symbolic:
    """How many items there are."""
    counts = dict.fromkeys(_counts(machine, frame, way))
    first, *others = counts
    for other in others:
        first = operator_call(machine, frame, min, (first, other))
    return first


def _counts(machine: Machine, frame: Frame, way: Way) -> Iterator[Symbolic]:
    match way:
        case WalkedArray(array=array):
            yield length(machine, array, 0)
        case WalkedRange(parts=parts):
            yield count_of_range(machine, frame, parts)
        case WalkedCount(way=inner):
            yield from _counts(machine, frame, inner)
        case WalkedTogether(ways=ways):
            seen = set()
            for one in ways:
                if isinstance(one, WalkedArray):
                    dim = machine.builder.resolve(one.array.type.dims[0])
                    if dim in seen:
                        continue
                    seen.add(dim)
                yield from _counts(machine, frame, one)


def count_of_range(machine: Machine, frame: Frame, parts: tuple[Symbolic, ...]) -> Symbolic:
    """The length of a range."""
    start, stop, step = parts
    if isinstance(start, Known) and isinstance(stop, Known) and isinstance(step, Known):
        return Known(len(range(start.object, stop.object, step.object)))
    if not isinstance(step, Known) or not step.object:
        raise GraphBreak(LOOP, "a range of an unknown step beside others")
    gap = arithmetic(machine, frame, operator.sub, stop, start)
    if step.object != 1:  # the quotient rounded up
        less = arithmetic(machine, frame, operator.sub, start, stop)
        gap = arithmetic(machine, frame, operator.floordiv, less, step)
        gap = arithmetic(machine, frame, operator.sub, Known(0), gap)
    return operator_call(machine, frame, max, (gap, Known(0)))


def arithmetic(
    machine: Machine, frame: Frame, function: Callable[..., Any], one: Symbolic, other: Symbolic
) -> Symbolic:
    """Of two ints; what is known is worked out here."""
    if isinstance(one, Known) and isinstance(other, Known):
        return Known(function(one.object, other.object))
    return operator_call(machine, frame, function, (one, other))


# ---- the item at a position ----------------------------------------------------------------------


def item_at(machine: Machine, frame: Frame, way: Way, position: Symbolic) -> Symbolic:
    """The item that a turn of the loop takes."""
    from .handlers.indexing import read

    match way:
        case WalkedArray(array=array, backward=backward):
            if backward:
                last = arithmetic(machine, frame, operator.sub, Known(-1), position)
                return read(machine, array, last)
            return read(machine, array, position)
        case WalkedRange(parts=(start, _, step)):
            gone = arithmetic(machine, frame, operator.mul, position, step)
            return arithmetic(machine, frame, operator.add, start, gone)
        case WalkedCount(way=inner, start=start):
            number = arithmetic(machine, frame, operator.add, start, position)
            return Tuple((number, item_at(machine, frame, inner, position)))
        case WalkedTogether(ways=ways):
            return Tuple(tuple(item_at(machine, frame, one, position) for one in ways))
    raise AssertionError(way)
