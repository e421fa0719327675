"""Loops over arrays, `enumerate`, `zip` and the like, as loops over positions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ....jit.ir import graph as ir
from ...bytecode import isa
from ...bytecode.model import Instruction
from ...numpy.numpy_calls import length
from ..arrays.inner_lists import inner_lists_of, loop_over, view_of
from ..arrays.nodes import operator_call
from ..objects.dict_tables import additions
from ..objects.grown import grown_of, sequence_of_model, table_of
from ..objects.lists_of_objects import count
from ..state.frame import Frame
from ..state.machine import Machine
from ..values.breaks import LOOP, NUMPY_REFUSED, GraphBreak
from ..values.dict_views import View
from ..values.inner_lists import InnerList
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
from ..values.limits import MAX_UNROLLED
from ..values.ranges import Range, RangeIterator
from ..values.symbolic import (
    Array,
    Dict,
    Instance,
    Known,
    List,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
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


def positional_iter(machine: Machine, frame: Frame, value: Symbolic) -> PositionalIter | None:
    """Return `iter(value)` for a `for` statement; None if positions do not determine its items.

    An iterator with another reference would have to advance for its holder too.
    """
    item_source = loop_over(machine, value, 1) or _item_source(machine, value)
    taken = list(_iterators(machine, value))
    if item_source is None or any(held in taken for held in _with_items_of_tuples(frame.locals)):
        return None
    for iterator in taken:
        machine.heap.change(iterator, Taken())
    return PositionalIter(item_source, count_items(machine, frame, item_source))


def range_over(machine: Machine, frame: Frame, value: Symbolic) -> RangeIterator | None:
    """Return an iterator over a range, whose loop needs no positions; None for anything else."""
    state = machine.heap.state(value) if isinstance(value, IteratorValue) else None
    if not isinstance(state, Numbers) or value in _with_items_of_tuples(frame.locals):
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


def _with_items_of_tuples(values: Iterable[Symbolic | None]) -> Iterator[Symbolic]:
    """Yield values, and the items of tuples among them."""
    for value in values:
        if isinstance(value, Tuple):
            yield from _with_items_of_tuples(value.items)
        elif value is not None:
            yield value


def _item_source(machine: Machine, value: Symbolic) -> ItemSource | None:
    if isinstance(value, Array):
        return ArrayItems(value) if value.type.ndim else None
    if isinstance(value, List | Instance | Dict | View):
        return _source_of_list(machine, value)
    if isinstance(value, InnerList):
        return InnerNumbers(value)
    if isinstance(value, PositionalIter):
        return value.item_source if value.position is None else None
    if isinstance(value, RangeIterator):
        return None if value.taken else RangeItems(value.parts)
    if not isinstance(value, IteratorValue):
        return None
    return _source_of_iterator(machine, machine.heap.state(value))


def _source_of_iterator(machine: Machine, state: IteratorState) -> ItemSource | None:
    match state:
        case Rows(array, backward):
            return ArrayItems(array, backward)
        case Numbers(parts):
            return RangeItems(parts)
        case Over(Range(parts=parts), position=0, backward=False, exhausted=False):
            return RangeItems(parts)
        case Over(InnerList() as row, position=0, backward=False, exhausted=False):
            return InnerNumbers(row)
        case Over(
            List() | Instance() | Dict() | View() as owner,
            position=0,
            backward=False,
            exhausted=False,
        ):
            table = table_of(machine, owner)
            kept = table is None or state.layout == additions(machine, table)
            return _source_of_list(machine, owner) if kept else None
        case Indices(lengths, array):
            return IndexItems(lengths, array)
        case Enumerate(inner, count):
            item_source = _item_source(machine, inner)
            return None if item_source is None else EnumeratedItems(item_source, Known(count))
        case Zip(iterators, strict):
            item_sources = _item_sources(machine, iterators)
            if item_sources is None or (strict and not _are_as_long(machine, item_sources)):
                return None
            return ZippedItems(item_sources)
        case Mapped(function, iterators):
            item_sources = _item_sources(machine, iterators)
            return None if item_sources is None else MappedItems(function, item_sources)
        case Suspended():
            return _source_of_generator(machine, state)
    return None


def _item_sources(
    machine: Machine, iterators: tuple[IteratorValue, ...]
) -> tuple[ItemSource, ...] | None:
    """Return the sources of several iterators' items; none of them may skip items."""
    item_sources = tuple(
        item_source for one in iterators if (item_source := _item_source(machine, one)) is not None
    )
    return item_sources if item_sources and len(item_sources) == len(iterators) else None


def _are_as_long(machine: Machine, item_sources: tuple[ItemSource, ...]) -> bool:
    """True if all are arrays of the same length, on which the graph then relies."""
    arrays = [
        item_source.array for item_source in item_sources if isinstance(item_source, ArrayItems)
    ]
    if len(arrays) < len(item_sources):
        return False
    builder = machine.builder
    first, *others = (array.type.dims[0] for array in arrays)
    for dim in others:
        builder.unify(first, dim)
    return all(builder.resolve(dim) == builder.resolve(first) for dim in others)


def _source_of_list(machine: Machine, owner: List | Instance | Dict | View) -> ItemSource | None:
    table = table_of(machine, owner)
    held = sequence_of_model(machine, owner) if table is None else table.keys
    grown = grown_of(machine, held or owner)
    if grown is None:
        return None if isinstance(owner, View) else loop_over(machine, owner, MAX_UNROLLED)
    return ListItems(owner, grown.lists[0])


def _source_of_generator(machine: Machine, state: Suspended) -> ItemSource | None:
    """Return the source for a generator expression with one loop, which has no other state."""
    frame = state.frame
    if frame is None or state.started or frame.decoded.code.co_name != "<genexpr>":
        return None
    first = frame.stack[-1] if frame.stack else frame.locals[0]
    item_source = None if first is None else _item_source(machine, first)
    gives = [k for k, one in enumerate(frame.decoded.instructions) if _yields(one)]
    if item_source is None or len(gives) != 1:
        return None
    around = [loop for loop in frame.flow.loops if gives[0] in loop.body]
    if len(around) != 1:
        return None
    cells = tuple(frame.cells.values())
    return GeneratedItems(state.function, cells, item_source, frame, around[0].header, gives[0])


def _yields(instruction: Instruction) -> bool:
    return any(op.name == isa.YIELD_VALUE for op in instruction.ops)


def may_be_taken_apart(item_source: ItemSource) -> bool:
    """True if items can be taken one by one; those of an array need a loop."""
    match item_source:
        case EnumeratedItems(item_source=inner) | GeneratedItems(item_source=inner):
            return may_be_taken_apart(inner)
        case ZippedItems(item_sources=item_sources) | MappedItems(item_sources=item_sources):
            return all(map(may_be_taken_apart, item_sources))
    return isinstance(item_source, RangeItems)


# ---- how many ------------------------------------------------------------------------------------


def count_items(machine: Machine, frame: Frame, item_source: ItemSource) -> Symbolic:
    """Return the number of items."""
    counts = dict.fromkeys(_counts(machine, frame, item_source))
    first, *others = counts
    for other in others:
        first = operator_call(machine, frame, min, (first, other))
    return first


def _counts(machine: Machine, frame: Frame, item_source: ItemSource) -> Iterator[Symbolic]:
    match item_source:
        case ArrayItems(array=array):
            yield length(machine, array, 0)
        case RangeItems(parts=parts):
            yield count_of_range(machine, frame, parts)
        case ListItems(value=value):
            yield Scalar(count(machine, value))
        case InnerListItems() | InnerNumbers():
            yield _count_of_inner(machine, item_source)
        case IndexItems(lengths=lengths):
            product: Symbolic = Known(1)
            for axis in lengths:
                product = arithmetic(machine, frame, operator.mul, product, axis)
            yield product
        case EnumeratedItems(item_source=inner) | GeneratedItems(item_source=inner):
            yield from _counts(machine, frame, inner)
        case ZippedItems(item_sources=item_sources) | MappedItems(item_sources=item_sources):
            seen = set()
            for one in item_sources:
                if isinstance(one, ArrayItems):
                    dim = machine.builder.resolve(one.array.type.dims[0])
                    if dim in seen:
                        continue
                    seen.add(dim)
                yield from _counts(machine, frame, one)


def _count_of_inner(machine: Machine, item_source: InnerListItems | InnerNumbers) -> Symbolic:
    if isinstance(item_source, InnerNumbers):
        numbers = view_of(machine, item_source.row)
    else:
        rows = inner_lists_of(machine, item_source.owner)
        numbers = None if rows is None else (rows.bounds or (rows.numbers,))[0]
    if numbers is None:
        raise GraphBreak(LOOP, "a list in a list that may have changed")
    return length(machine, numbers, 0)


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


def lists_of(item_source: ItemSource) -> Iterator[ir.Value]:
    """Yield the lists being iterated, which must keep their lengths."""
    match item_source:
        case ListItems(value=value):
            yield value
        case EnumeratedItems(item_source=inner) | GeneratedItems(item_source=inner):
            yield from lists_of(inner)
        case ZippedItems(item_sources=item_sources) | MappedItems(item_sources=item_sources):
            for one in item_sources:
                yield from lists_of(one)
