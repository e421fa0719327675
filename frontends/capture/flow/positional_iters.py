"""Loops over arrays, `enumerate`, `zip` and the like, as loops over positions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ....jit.ir import graph as ir
from ...bytecode import isa
from ...bytecode.model import Instruction
from ...numpy.numpy_calls import length
from ..arrays.nodes import operator_call
from ..objects.grown import grown_of, sequence_of_model
from ..objects.lists_of_objects import count
from ..state.frame import Frame
from ..state.machine import Machine
from ..values.breaks import NUMPY_REFUSED, GraphBreak
from ..values.item_sources import (
    WalkedArray,
    WalkedCount,
    WalkedGenerator,
    WalkedIndices,
    WalkedList,
    WalkedMap,
    WalkedRange,
    WalkedTogether,
    Way,
)
from ..values.symbolic import (
    Array,
    Instance,
    Known,
    List,
    Range,
    RangeIterator,
    Scalar,
    Symbolic,
    Tuple,
    Walk,
)
from ..values.symbolic import Iterator as IteratorValue
from .iterators import (
    Enumerate,
    Indices,
    IteratorState,
    Mapped,
    Numbers,
    Over,
    Rows,
    Suspended,
    Taken,
    Zip,
)


def walk_over(machine: Machine, frame: Frame, value: Symbolic) -> Walk | None:
    """Return `iter(value)` for a `for` statement; None if positions do not determine its items.

    An iterator with another reference would have to advance for its holder too.
    """
    way = _way(machine, value)
    taken = list(_iterators(machine, value))
    if way is None or any(held in taken for held in _held(frame.locals)):
        return None
    for iterator in taken:
        machine.heap.change(iterator, Taken())
    return Walk(way, count_items(machine, frame, way))


def range_over(machine: Machine, frame: Frame, value: Symbolic) -> RangeIterator | None:
    """Return an iterator over a range, whose loop needs no positions; None for anything else."""
    state = machine.heap.state(value) if isinstance(value, IteratorValue) else None
    if not isinstance(state, Numbers) or value in _held(frame.locals):
        return None
    assert isinstance(value, IteratorValue)
    machine.heap.change(value, Taken())
    return RangeIterator(state.parts)


def _iterators(machine: Machine, value: Symbolic) -> Iterator[IteratorValue]:
    """Yield an iterator and those that it consumes."""
    if isinstance(value, IteratorValue):
        yield value
        state: IteratorState = machine.heap.state(value)
        match state:
            case Enumerate(iterator=inner):
                yield from _iterators(machine, inner)
            case Zip(iterators=iterators) | Mapped(iterators=iterators):
                for inner in iterators:
                    yield from _iterators(machine, inner)
            case Suspended(arguments=arguments):
                for argument in arguments:
                    yield from _iterators(machine, argument)


def _held(values: Iterable[Symbolic | None]) -> Iterator[Symbolic]:
    """Yield values, and the items of tuples among them."""
    for value in values:
        if isinstance(value, Tuple):
            yield from _held(value.items)
        elif value is not None:
            yield value


def _way(machine: Machine, value: Symbolic) -> Way | None:
    if isinstance(value, Array):
        return WalkedArray(value) if value.type.ndim else None
    if isinstance(value, List | Instance):
        return _way_of_list(machine, value)
    if isinstance(value, Walk):
        return value.way if value.position is None else None
    if isinstance(value, RangeIterator):
        return None if value.taken else WalkedRange(value.parts)
    if not isinstance(value, IteratorValue):
        return None
    return _way_of_iterator(machine, machine.heap.state(value))


def _way_of_iterator(machine: Machine, state: IteratorState) -> Way | None:
    match state:
        case Rows(array, backward):
            return WalkedArray(array, backward)
        case Numbers(parts):
            return WalkedRange(parts)
        case Over(Range(parts=parts), position=0, backward=False, exhausted=False):
            return WalkedRange(parts)
        case Over(List() | Instance() as owner, position=0, backward=False, exhausted=False):
            return _way_of_list(machine, owner)
        case Indices(lengths, array):
            return WalkedIndices(lengths, array)
        case Enumerate(inner, count):
            way = _way(machine, inner)
            return None if way is None else WalkedCount(way, Known(count))
        case Zip(iterators, strict):
            ways = _ways(machine, iterators)
            if ways is None or (strict and not _are_as_long(machine, ways)):
                return None
            return WalkedTogether(ways)
        case Mapped(function, iterators):
            ways = _ways(machine, iterators)
            return None if ways is None else WalkedMap(function, ways)
        case Suspended():
            return _way_of_generator(machine, state)
    return None


def _ways(machine: Machine, iterators: tuple[IteratorValue, ...]) -> tuple[Way, ...] | None:
    """Return the sources of several iterators' items; none of them may skip items."""
    ways = tuple(way for one in iterators if (way := _way(machine, one)) is not None)
    return ways if ways and len(ways) == len(iterators) else None


def _are_as_long(machine: Machine, ways: tuple[Way, ...]) -> bool:
    """True if all are arrays of the same length, on which the graph then relies."""
    arrays = [way.array for way in ways if isinstance(way, WalkedArray)]
    if len(arrays) < len(ways):
        return False
    builder = machine.builder
    first, *others = (array.type.dims[0] for array in arrays)
    for dim in others:
        builder.unify(first, dim)
    return all(builder.resolve(dim) == builder.resolve(first) for dim in others)


def _way_of_list(machine: Machine, owner: List | Instance) -> Way | None:
    grown = grown_of(machine, sequence_of_model(machine, owner) or owner)
    return None if grown is None else WalkedList(owner, grown.lists[0])


def _way_of_generator(machine: Machine, state: Suspended) -> Way | None:
    """Return the source for a generator expression with one loop, which has no other state."""
    frame = state.frame
    if frame is None or state.started or frame.decoded.code.co_name != "<genexpr>":
        return None
    first = frame.stack[-1] if frame.stack else frame.locals[0]
    way = None if first is None else _way(machine, first)
    gives = [k for k, one in enumerate(frame.decoded.instructions) if _yields(one)]
    if way is None or len(gives) != 1:
        return None
    around = [loop for loop in frame.flow.loops if gives[0] in loop.body]
    if len(around) != 1:
        return None
    cells = tuple(frame.cells.values())
    return WalkedGenerator(state.function, cells, way, frame, around[0].header, gives[0])


def _yields(instruction: Instruction) -> bool:
    return any(op.name == isa.YIELD_VALUE for op in instruction.ops)


def may_be_taken_apart(way: Way) -> bool:
    """True if items can be taken one by one; those of an array need a loop."""
    match way:
        case WalkedCount(way=inner) | WalkedGenerator(way=inner):
            return may_be_taken_apart(inner)
        case WalkedTogether(ways=ways) | WalkedMap(ways=ways):
            return all(map(may_be_taken_apart, ways))
    return isinstance(way, WalkedRange)


# ---- how many ------------------------------------------------------------------------------------


def count_items(machine: Machine, frame: Frame, way: Way) -> Symbolic:
    """Return the number of items."""
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
        case WalkedList(value=value):
            yield Scalar(count(machine, value))
        case WalkedIndices(lengths=lengths):
            product: Symbolic = Known(1)
            for axis in lengths:
                product = arithmetic(machine, frame, operator.mul, product, axis)
            yield product
        case WalkedCount(way=inner) | WalkedGenerator(way=inner):
            yield from _counts(machine, frame, inner)
        case WalkedTogether(ways=ways) | WalkedMap(ways=ways):
            seen = set()
            for one in ways:
                if isinstance(one, WalkedArray):
                    dim = machine.builder.resolve(one.array.type.dims[0])
                    if dim in seen:
                        continue
                    seen.add(dim)
                yield from _counts(machine, frame, one)


def count_of_range(machine: Machine, frame: Frame, parts: tuple[Symbolic, ...]) -> Symbolic:
    """Return the length of a range."""
    start, stop, step = parts
    if isinstance(start, Known) and isinstance(stop, Known) and isinstance(step, Known):
        return Known(len(range(start.object, stop.object, step.object)))
    if isinstance(step, Known) and not step.object:
        raise GraphBreak(NUMPY_REFUSED, "ValueError: range() arg 3 must not be zero")
    gap = arithmetic(machine, frame, operator.sub, stop, start)
    if not isinstance(step, Known) or step.object != 1:  # the quotient rounded up, for either sign
        less = arithmetic(machine, frame, operator.sub, start, stop)
        gap = arithmetic(machine, frame, operator.floordiv, less, step)
        gap = arithmetic(machine, frame, operator.sub, Known(0), gap)
    return operator_call(machine, frame, max, (gap, Known(0)))


def arithmetic(
    machine: Machine, frame: Frame, function: Callable[..., Any], one: Symbolic, other: Symbolic
) -> Symbolic:
    """Apply a function to two ints, at capture if both are known."""
    if isinstance(one, Known) and isinstance(other, Known):
        return Known(function(one.object, other.object))
    return operator_call(machine, frame, function, (one, other))


def lists_of(way: Way) -> Iterator[ir.Value]:
    """Yield the lists being iterated, which must keep their lengths."""
    match way:
        case WalkedList(value=value):
            yield value
        case WalkedCount(way=inner) | WalkedGenerator(way=inner):
            yield from lists_of(inner)
        case WalkedTogether(ways=ways) | WalkedMap(ways=ways):
            for one in ways:
                yield from lists_of(one)
