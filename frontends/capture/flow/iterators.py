"""States of iterators, and recipes that build an iterator in such a state."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ...runtime import exit_calls
from ..values.breaks import INSTRUCTION, GraphBreak
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
from ..values.symbolic import (
    Array,
    Dict,
    Instance,
    Iterator,
    Known,
    List,
    NewFunction,
    PositionalIter,
    Symbolic,
    UserFunction,
)

if TYPE_CHECKING:
    from ..state.frame import Frame
    from ..state.heap import Heap


@dataclass(frozen=True, slots=True)
class Over:
    """Over the items of a tuple, list, str, dict or dict view."""

    iterable: Symbolic
    items: tuple[Symbolic, ...] | None
    """None: the items that the list has when they are reached."""
    position: int = 0
    backward: bool = False
    """`reversed(...)`: the position counts from the end."""
    last: int = -1
    """For a list iterated backward: the index that came first, whatever its length is now."""
    exhausted: bool = False
    """It has been exhausted, and stays so even if the list grows."""
    layout: Hashable = None
    """The dict's layout when this was made; after a change, advancing may be an error."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Over an array from its first or last item."""

    array: Array
    backward: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """Over a range of unknown length, from its start."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True)
class Indices:
    """`np.ndindex(...)` before its first item; with an array `np.ndenumerate(array)`."""

    lengths: tuple[Symbolic, ...]
    array: Array | None = None


@dataclass(frozen=True, slots=True)
class Zip:
    """`zip(...)`."""

    iterators: tuple[Iterator, ...]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Enumerate:
    """`enumerate(..., count)`."""

    iterator: Iterator
    count: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """`map(function, ...)`."""

    function: Symbolic
    iterators: tuple[Iterator, ...]


@dataclass(frozen=True, slots=True)
class Filtered:
    """`filter(function, ...)`."""

    function: Symbolic
    iterator: Iterator


@dataclass(frozen=True, slots=True)
class Suspended:
    """A generator; its frame is never changed in place."""

    frame: Frame | None
    """None once it has returned."""
    started: bool
    function: UserFunction | NewFunction | Symbolic
    arguments: tuple[Symbolic, ...]
    """Its call's arguments in the order of parameters, while it has not started."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A loop over positions has taken it over, and only that loop knows its state."""


IteratorState = (
    Over | Rows | Numbers | Indices | Zip | Enumerate | Mapped | Filtered | Suspended | Taken
)


def taken_one_by_one(heap: Heap, state: IteratorState) -> int:
    """Return how many items an unrolled loop has taken; all that come for certain, if known.

    These are the numbers of a list from outside, and the characters of a string.
    """
    match state:
        case Over(position=position):
            return max(position, _known_length(state))
        case Enumerate(iterator=inner):
            inners: tuple[Iterator, ...] = (inner,)
        case Zip(iterators=inners):
            pass
        case _:
            return 0
    return max((taken_one_by_one(heap, heap.state(one)) for one in inners), default=0)


def _known_length(state: Over) -> int:
    match state.iterable:
        case List(object=[int() | float(), *_] as numbers):
            return len(numbers)
        case Known(object=str() as characters):
            return len(characters)
    return 0


def recipe_of_iterator(state: IteratorState, of: Callable[[Symbolic], ir.Recipe]) -> ir.Recipe:
    """Return the recipe of an iterator; `of` makes the recipes of its parts.

    Raises:
        GraphBreak: a generator that has started is a frame, which cannot be built.
    """
    match state:
        case Over(iterable, items, position, backward, last, exhausted):
            made = ir.Call(reversed if backward else iter, (of(iterable),))
            if exhausted:
                return ir.Call(exit_calls.exhausted, (made,))
            if backward and items is None:
                return ir.Call(exit_calls.going_down, (of(iterable), ir.Constant(last - position)))
            return ir.Call(exit_calls.advanced, (made, ir.Constant(position))) if position else made
        case Rows(array, backward):
            return ir.Call(reversed if backward else iter, (of(array),))
        case Numbers(parts):
            return ir.Call(exit_calls.over_range, tuple(map(of, parts)))
        case Indices(lengths, array):
            return _recipe(IndexItems(lengths, array), ir.Constant(-1), of)
        case Zip(iterators, strict):
            return ir.Call(exit_calls.zipped, (ir.Constant(strict), *map(of, iterators)))
        case Enumerate(iterator, count):
            return ir.Call(enumerate, (of(iterator), ir.Constant(count)))
        case Mapped(function, iterators):
            return ir.Call(map, (of(function), *map(of, iterators)))
        case Filtered(function, iterator):
            return ir.Call(filter, (of(function), of(iterator)))
        case Suspended(started=False, function=function, arguments=arguments):
            return ir.Call(exit_calls.call, (of(function), *map(of, arguments)))
        case Taken():
            raise GraphBreak(INSTRUCTION, "an iterator that a loop has taken over")
    raise GraphBreak(INSTRUCTION, "a generator in the middle of its work cannot leave a segment")


# ---- loops over positions ------------------------------------------------------------------------


def recipe_of_positional_iter(
    iterator: PositionalIter, of: Callable[[Symbolic], ir.Recipe]
) -> ir.Recipe:
    """Return the recipe of an iterator over positions; `of` makes the recipes of its parts."""
    position = ir.Constant(-1) if iterator.position is None else of(iterator.position)
    return _recipe(iterator.item_source, position, of)


def _recipe(
    item_source: ItemSource, position: ir.Recipe, of: Callable[[Symbolic], ir.Recipe]
) -> ir.Recipe:
    match item_source:
        case ArrayItems(array=array, backward=backward):
            return ir.Call(exit_calls.rest_of_array, (of(array), ir.Constant(backward), position))
        case RangeItems(parts=parts):
            return ir.Call(exit_calls.rest_of_numbers, (*map(of, parts), position))
        case EnumeratedItems(item_source=inner, start=start):
            return ir.Call(
                exit_calls.rest_counted, (_recipe(inner, position, of), of(start), position)
            )
        case ZippedItems(item_sources=item_sources):
            return ir.Call(zip, tuple(_recipe(one, position, of) for one in item_sources))
        case ListItems(owner=Instance() | Dict() | View() as owner):
            taken = ir.Call(operator.add, (position, ir.Constant(1)))
            return ir.Call(exit_calls.advanced, (ir.Call(iter, (of(owner),)), taken))
        case ListItems(owner=owner) | InnerListItems(owner=owner) | InnerNumbers(row=owner):
            return ir.Call(exit_calls.rest_of_list, (of(owner), position))
        case IndexItems(lengths=lengths, array=None):
            return ir.Call(exit_calls.rest_of_indices, (position, *map(of, lengths)))
        case IndexItems(array=array):
            assert array is not None
            return ir.Call(exit_calls.rest_of_items, (of(array), position))
        case MappedItems(function=function, item_sources=item_sources):
            rest = (_recipe(one, position, of) for one in item_sources)
            return ir.Call(map, (of(function), *rest))
        case GeneratedItems(function=function, item_source=inner):
            return ir.Call(exit_calls.call, (of(function), _recipe(inner, position, of)))
