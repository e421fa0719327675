"""Iteration: ranges become regions, items of containers and generators are unrolled."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from dataclasses import replace
from typing import Any

from ...bytecode.flow import Flow
from ...bytecode.model import GENERATORS
from ..arrays.inner_lists import few_inner_lists
from ..flow.inlined import run_inlined
from ..flow.iterators import (
    Enumerate,
    Filtered,
    Indices,
    IteratorState,
    Mapped,
    Numbers,
    Over,
    Rows,
    Suspended,
    Taken,
    Zip,
    taken_one_by_one,
)
from ..flow.loops import is_short
from ..flow.positional_iters import positional_iter, range_over
from ..flow.unrolling import check_unrolled
from ..objects import dicts
from ..objects.contents import items_to_read, use
from ..objects.dict_tables import additions
from ..objects.grown import grown_of, sequence_of_model, table_of
from ..objects.lists import items_of, list_items
from ..state.behaviour import behaviour_of
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..state.machine import Machine, handles
from ..state.paths import ANYWHERE, RETURN
from ..values.breaks import INSTRUCTION, LOOP, NUMPY_REFUSED, GraphBreak
from ..values.dict_views import View
from ..values.inner_lists import InnerList
from ..values.limits import MAX_LISTED, MAX_UNROLLED, MAX_UNROLLED_STEPS
from ..values.ranges import Range, RangeIterator
from ..values.symbolic import (
    Array,
    Dict,
    Instance,
    Iterator,
    Known,
    List,
    PositionalIter,
    Symbolic,
    Tuple,
)
from ..values.wording import in_words, iterated_in_words, refusal
from .of_objects import iterator_of
from .stack import truth


@handles("GET_ITER")
def get_iter(machine: Machine, frame: Frame, arg: Any) -> None:
    value = use(machine, frame.stack.pop(), anywhere=True)
    value = realise(machine, items_to_read(machine, value, anywhere=True))
    if (other := behaviour_of(value).iterated) is not None:
        value = other(machine, frame, value)
    value = own_iterator_of(machine, frame, value)
    if isinstance(value, Range):
        frame.stack.append(RangeIterator(value.parts))
    elif isinstance(value, RangeIterator):
        frame.stack.append(value)
    else:
        taken = range_over(machine, frame, value) or positional_iter(machine, frame, value)
        frame.stack.append(taken or iterate(machine, value))


def own_iterator_of(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic:
    """Return the result of an object's `__iter__`; other values as they are."""
    value = realise(machine, value)
    if not isinstance(value, Instance):
        return value
    if sequence_of_model(machine, value) is not None or table_of(machine, value) is not None:
        return value
    return iterator_of(machine, frame, value) or value


def iterate(machine: Machine, value: Symbolic) -> Iterator:
    """Return `iter(value)`.

    Raises:
        GraphBreak: it is an array, or an object with its own iterator.
    """
    value = realise(machine, value)
    if isinstance(value, Iterator):
        return value
    if isinstance(value, List | InnerList):
        return make_iterator(machine, Over(value, None))
    if (held := sequence_of_model(machine, value)) is not None:
        if grown_of(machine, held) is not None:
            return make_iterator(machine, Over(value, None))
        return make_iterator(machine, Over(value, (), layout=machine.heap.state(held)))
    if isinstance(value, Array) and value.type.ndim:
        return make_iterator(machine, Rows(value))
    if isinstance(value, Range) and not all(isinstance(part, Known) for part in value.parts):
        return make_iterator(machine, Numbers(value.parts))
    if (table := table_of(machine, value)) is not None:
        return make_iterator(machine, Over(value, None, layout=additions(machine, table)))
    layout = dicts.layout_of(machine, value) if isinstance(value, Dict | View) else None
    return make_iterator(machine, Over(value, _listed(machine, value), layout=layout))


def make_iterator(machine: Machine, state: IteratorState) -> Iterator:
    """Return a new iterator in this state."""
    made = Iterator()
    machine.heap.make(made, state)
    return made


def _listed(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...]:
    match value:
        case Tuple(items=items):
            return items
        case Known(object=known) if type(known) in (tuple, str, range, bytes):
            return tuple(Known(item) for item in known)
        case Dict() | View():
            entries = dicts.dict_entries(machine, dicts.owner_of(value))
            if isinstance(value, Dict) or value.kind == "keys":
                return tuple(Known(key) for key in entries)
            if value.kind == "values":
                return tuple(entries.values())
            return tuple(Tuple((Known(key), item)) for key, item in entries.items())
        case Range(parts=parts):
            return _numbers(machine, parts)
        case Instance() if (held := sequence_of_model(machine, value)) is not None:
            return list_items(machine, held)
    raise refusal(LOOP, f"iteration over {in_words(value)}", value)


def _numbers(machine: Machine, parts: tuple[Symbolic, ...]) -> tuple[Symbolic, ...]:
    """Return the numbers of a range with known bounds, which are guarded if necessary."""
    known = [concrete(machine, part) for part in parts]
    if any(one is None for one in known):
        raise GraphBreak(LOOP, "iteration over a range whose length is not known")
    numbers = range(*(one.object for one in known if one is not None))
    if numbers[MAX_LISTED:]:  # len() fails for huge ranges
        raise GraphBreak(LOOP, f"a range of more than {MAX_LISTED} numbers is not taken apart")
    return tuple(map(Known, numbers))


def each_item(machine: Machine, frame: Frame, value: Symbolic) -> PythonIterator[Symbolic]:
    """Yield the items of an iterable, computing each when the consumer asks for it.

    A consumer must use an item before it asks for the next, like eager: computing the next may
    write into the array that this one is, and the consumer may change what the next one reads.
    """
    iterator = iterate(machine, value)
    count = 0
    while (item := advance(machine, frame, iterator)) is not None:
        yield item
        count += 1
        if count > MAX_LISTED:
            raise GraphBreak(LOOP, f"more than {MAX_LISTED} items")


def all_items(machine: Machine, frame: Frame, value: Symbolic) -> tuple[Symbolic, ...]:
    """Return all items of an iterable, for consumers that collect them before using any.

    These are `tuple(...)`, `f(*...)` and unpacking; all others use `each_item`.
    """
    value = realise(machine, value)
    items = items_of(machine, value)
    return tuple(each_item(machine, frame, value)) if items is None else items


def each_entry(
    machine: Machine, frame: Frame, value: Symbolic
) -> PythonIterator[tuple[Any, Symbolic]]:
    """Yield keys and values of a dict, or of an iterable of pairs, which are unpacked at once."""
    value = realise(machine, value)
    if isinstance(value, Dict):
        yield from tuple(dicts.dict_entries(machine, value).items())
        return
    for pair in each_item(machine, frame, value):
        items = all_items(machine, frame, pair)
        if len(items) != 2:
            raise GraphBreak(NUMPY_REFUSED, "ValueError: an item of a dict that is no pair")
        yield dicts.plain_key(machine, realise(machine, items[0])), items[1]


def update(machine: Machine, frame: Frame, owner: Dict, value: Symbolic) -> None:
    """Capture `owner.update(value)`; a generator can see the entries added so far."""
    for key, item in each_entry(machine, frame, value):
        dicts.set_item(machine, owner, key, item)


def advance(machine: Machine, frame: Frame, iterator: Iterator) -> Symbolic | None:
    """Return the next item, or None if there is none."""
    state: IteratorState = machine.heap.state(iterator)
    match state:
        case Over():
            return _advance_over(machine, iterator, state)
        case Rows():
            raise GraphBreak(LOOP, "iteration over an array")
        case Indices():
            raise GraphBreak(LOOP, "iteration over the indices of an array")
        case Numbers(parts):
            machine.heap.change(iterator, Over(Range(parts), _numbers(machine, parts)))
            return advance(machine, frame, iterator)
        case Zip(iterators, strict):
            return _advance_zip(machine, frame, iterators, strict)
        case Enumerate(inner, count):
            item = advance(machine, frame, inner)
            if item is None:
                return None
            machine.heap.change(iterator, Enumerate(inner, count + 1))
            return Tuple((Known(count), item))
        case Mapped(function, iterators):
            items = _advance_all(machine, frame, iterators)
            return None if items is None else _call(machine, frame, function, items)
        case Filtered(function, inner):
            while (item := advance(machine, frame, inner)) is not None:
                if _passes(machine, frame, function, item):
                    return item
            return None
        case Suspended():
            return _resume(machine, frame, iterator, state)
        case Taken():
            raise GraphBreak(LOOP, "an iterator that a loop has taken over")


def _advance_over(machine: Machine, iterator: Iterator, state: Over) -> Symbolic | None:
    if state.exhausted:
        return None
    items = state.items if state.layout is None else _present_entries(machine, state)
    if items is None:
        owner = sequence_of_model(machine, state.iterable) or state.iterable
        if isinstance(owner, InnerList):
            raise GraphBreak(LOOP, "items of a list in a list that are taken one by one")
        assert isinstance(owner, List)
        items = list_items(machine, owner)
    last = len(items) - 1 if state.items is not None else state.last
    index = last - state.position if state.backward else state.position
    if not 0 <= index < len(items):
        machine.heap.change(iterator, replace(state, exhausted=True))
        return None
    machine.heap.change(iterator, replace(state, position=state.position + 1))
    return items[index]


def _present_entries(machine: Machine, state: Over) -> tuple[Symbolic, ...]:
    """Return the present entries of a dict for its iterator; values may have changed."""
    if not dicts.is_laid_out_as(machine, state.iterable, state.layout):
        raise GraphBreak(LOOP, "a dict that changes during the iteration over it")
    return _listed(machine, state.iterable)


def _advance_all(
    machine: Machine, frame: Frame, iterators: tuple[Iterator, ...]
) -> tuple[Symbolic, ...] | None:
    items = []
    for inner in iterators:
        item = advance(machine, frame, inner)
        if item is None:
            return None
        items.append(item)
    return tuple(items)


def _advance_zip(
    machine: Machine, frame: Frame, iterators: tuple[Iterator, ...], strict: bool
) -> Symbolic | None:
    items: list[Symbolic] = []
    for inner in iterators:
        item = advance(machine, frame, inner)
        if item is not None:
            items.append(item)
        elif not strict:
            return None
        elif items or any(_has_more(machine, frame, other) for other in iterators[1:]):
            raise GraphBreak(LOOP, "zip() of different lengths")
        else:
            return None
    return Tuple(tuple(items)) if items else None


def _has_more(machine: Machine, frame: Frame, iterator: Iterator) -> bool:
    return advance(machine, frame, iterator) is not None


def _call(
    machine: Machine, frame: Frame, function: Symbolic, items: tuple[Symbolic, ...]
) -> Symbolic:
    return machine.call(function, Invocation(machine, frame, items, {}))


def _passes(machine: Machine, frame: Frame, function: Symbolic, item: Symbolic) -> bool:
    function = realise(machine, function)
    if isinstance(function, Known) and function.object is None:
        return truth(machine, item)
    return truth(machine, _call(machine, frame, function, (item,)))


def _resume(
    machine: Machine, around: Frame, iterator: Iterator, state: Suspended
) -> Symbolic | None:
    """Run a copy of a generator's frame to its next yield."""
    if state.frame is None:
        return None
    frame = state.frame.copy()
    if state.started:
        frame.stack.append(Known(None))  # the value that next() sends
        frame.index += 1
    frame.modes = around.modes
    frame = run_inlined(machine, frame, "the generator")
    if frame.index == RETURN or not frame.yields():
        machine.heap.change(iterator, replace(state, frame=None, started=True))
        return None
    if not _closes_silently(frame.flow, frame.index):
        raise GraphBreak(LOOP, "a generator that yields inside a try or with statement")
    item = frame.stack.pop()
    machine.heap.change(iterator, replace(state, frame=frame, started=True))
    return item


def _closes_silently(flow: Flow, index: int) -> bool:
    """True if closing a generator at this yield runs none of its code."""
    handler = flow.decoded.instructions[index].handler
    if handler is None:
        return True
    ops = flow.decoded.instructions[handler.target].ops
    return any(op.name == "INTRINSIC_1" and "STOPITERATION" in str(op.arg) for op in ops)


@handles("RETURN_GENERATOR")
def return_generator(machine: Machine, frame: Frame, arg: Any) -> None:
    """Start a generator's frame.

    Only frames resumed here reach it, and the first value sent is None.
    """
    if not machine.depth:
        flags = frame.flow.decoded.code.co_flags
        kind = next((kind for flag, kind in GENERATORS.items() if flags & flag), "generator")
        raise GraphBreak(INSTRUCTION, f"the call makes a {kind}, which runs when it is asked to")
    frame.stack.append(Known(None))


@handles("FOR_ITER")
def for_iter(machine: Machine, frame: Frame, after: int) -> int | None:
    iterator = frame.stack[-1]
    if isinstance(iterator, RangeIterator):
        return _range(machine, frame, iterator, after)
    if isinstance(iterator, PositionalIter):
        if (owner := few_inner_lists(iterator)) is None:
            raise GraphBreak(LOOP, machine.no_region)
        frame.stack[-1] = iterator = iterate(machine, owner)
    if not isinstance(iterator, Iterator):
        raise GraphBreak(LOOP, f"iteration over {iterated_in_words(iterator)}")
    machine.begin_loop(frame, iterator)
    state = machine.heap.state(iterator)
    if taken_one_by_one(machine.heap, state) > MAX_UNROLLED:
        raise GraphBreak(LOOP, f"more than {MAX_UNROLLED} items")
    begun, _ = machine.taken_from.setdefault(iterator, (machine.steps, machine.builder.made))
    check_unrolled(machine, iterator)
    if _is_of_range(state) and machine.steps - begun > MAX_UNROLLED_STEPS:
        raise GraphBreak(LOOP, machine.no_region)
    item = advance(machine, frame, iterator)
    if item is None:
        frame.drop_iterator()
        machine.end_loop(iterator)
        return after
    _note_unrolled(machine, frame, state)
    frame.stack.append(item)
    return None


def _note_unrolled(machine: Machine, frame: Frame, state: IteratorState) -> None:
    """Record, for the report, the reason why a loop is unrolled."""
    if machine.depth or frame.region is not ANYWHERE:
        return
    one_by_one = "it goes through objects, which come one by one"
    reason = machine.no_region if _is_of_range(state) else one_by_one
    machine.taken_apart.append((frame.location(), reason))


def _is_of_range(state: IteratorState) -> bool:
    return isinstance(state, Over) and isinstance(state.iterable, Range)


def _range(machine: Machine, frame: Frame, iterator: RangeIterator, after: int) -> int | None:
    """Unroll a range whose loop cannot be a region but has few iterations."""
    if not is_short(iterator):
        raise GraphBreak(LOOP, machine.no_region)
    numbers = _numbers(machine, iterator.parts)
    frame.stack[-1] = make_iterator(machine, Over(Range(iterator.parts), numbers))
    return for_iter(machine, frame, after)
