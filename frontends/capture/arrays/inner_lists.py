"""Lists of lists of numbers from outside, read at places that only running tells: `grid[i][j]`.

A launch hands the numbers over as one array (`Listed` in guards/conversions.py): of two axes if all
lists are equally long, else all numbers in a line, with the places where each list begins and ends.
The lists are only read: beside that no list from outside may change, as it may be one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ....guards.conversions import ENDS, FLAT, GRID, STARTS, Listed
from ....guards.sources import Source
from ....jit.frozen import dataclass
from ....jit.ir.ops import OPERATOR
from ..objects.lists import ListState
from ..state.live import plain_array, realise
from ..state.machine import Machine
from ..values.breaks import INSTRUCTION, NUMPY_REFUSED, GraphBreak
from ..values.either_number import as_python
from ..values.inner_lists import InnerList
from ..values.item_sources import InnerListItems
from ..values.limits import MAX_UNROLLED
from ..values.slices import Slice
from ..values.symbolic import Array, Known, List, PositionalIter, Scalar, Symbolic, Tuple
from .windows import read

_MOST_NUMBERS: Final = 1 << 16
"""Maximum number of numbers at capture: a launch copies them all."""


@dataclass(frozen=True, slots=True)
class Handed:
    """The arrays that a launch is given of the lists in a list."""

    numbers: Array
    """An array of two axes, or of one if there are bounds."""
    bounds: tuple[Array, Array] | None
    """The first index and the end of each list."""
    kind: Callable[..., Any]
    """`int` or `float`: the class of the numbers."""


def inner_lists_of(machine: Machine, owner: Symbolic) -> Handed | None:
    """Return the lists in a list from outside as arrays; None if it holds other things.

    None also if one of them may have changed in this segment, and if numbers of them are handed
    over whose objects can be told apart.
    """
    if not isinstance(owner, List) or owner.source is None or not _is_as_given(machine, owner):
        return None
    key = _key_of(owner)
    if key in machine.plain_lists | machine.identities.boxed:
        return None
    kind = _kind_of_numbers(owner.object)
    if kind is None or any(isinstance(one, List) for one in machine.touched):
        return None
    machine.identities.contents[owner] = key
    assert owner.object is not None
    lengths = [len(row) for row in owner.object]

    def handed_over(column: int, numbers: Any) -> Array:
        assert owner.source is not None
        source = Listed(owner.source, kind is int, "rows", column=column)
        return _array(machine, source, np.array(numbers))

    if len(set(lengths)) == 1:
        return Handed(handed_over(GRID, owner.object), None, kind)
    flat = handed_over(FLAT, [number for row in owner.object for number in row])
    ends = np.cumsum(lengths, dtype=np.int64)
    bounds = handed_over(STARTS, ends - lengths), handed_over(ENDS, ends)
    return Handed(flat, bounds, kind)


def _is_as_given(machine: Machine, owner: List) -> bool:
    """True if the list holds what the caller gave: the segment has not changed or copied it."""
    state = machine.heap.state(owner) or ListState(None)
    return isinstance(state, ListState) and not state.tail and not state.extended


def _key_of(owner: List) -> tuple[object, ...]:
    return "rows", str(owner.source)


def _kind_of_numbers(rows: list[Any] | None) -> type | None:
    """Return `int` or `float` if all items are lists of such numbers; else None."""
    if not rows or any(type(row) is not list for row in rows):
        return None
    if sum(map(len, rows)) > _MOST_NUMBERS:
        return None
    kinds = {type(number) for row in rows for number in row}
    if kinds == {float}:
        return float
    fits = all(-(2**63) <= number < 2**63 for row in rows for number in row if type(number) is int)
    return int if kinds == {int} and fits else None


def _array(machine: Machine, source: Source, array: np.ndarray[Any, Any]) -> Array:
    if source not in machine.realised:
        made = plain_array(machine, source, array, array.shape, writeable=False)
        machine.remember(source, made)
    found = machine.realised[source]
    assert isinstance(found, Array)
    return found


def inner_list_at(machine: Machine, owner: Symbolic, place: Symbolic) -> InnerList | None:
    """Return `owner[place]`, with a check of the place; None if it is no list of numbers."""
    rows = inner_lists_of(machine, owner) if isinstance(place, Scalar | Known) else None
    if rows is None or not _is_int(place):
        return None
    read(machine, rows.numbers if rows.bounds is None else rows.bounds[0], place)
    return InnerList((owner, place))


def _is_int(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) is int
    return isinstance(value, Scalar) and value.type.dtype.kind in "iu"


def view_of(machine: Machine, row: InnerList) -> Array | None:
    """Return the numbers of an inner list, to be read only; None if it may have changed."""
    owner, place = row.parts
    rows = inner_lists_of(machine, realise(machine, owner))
    if rows is None:
        return None
    if rows.bounds is None:
        view = read(machine, rows.numbers, place)
    else:
        first, last = (as_python(read(machine, one, place)) for one in rows.bounds)
        view = read(machine, rows.numbers, Slice((first, last, Known(None))))
    assert isinstance(view, Array)
    return view


def number_at(machine: Machine, row: InnerList, place: Symbolic) -> Symbolic | None:
    """Return `inner[place]`; None if the place is no int, or it may have changed."""
    owner, index = row.parts
    owner = realise(machine, owner)
    rows = inner_lists_of(machine, owner)
    if rows is None or not _is_int(place):
        return None
    assert isinstance(owner, List)
    if rows.bounds is None:
        item = read(machine, rows.numbers, Tuple((index, place)))
    else:
        view = view_of(machine, row)
        assert view is not None
        item = read(machine, view, place)
    assert isinstance(item, Scalar)
    number = machine.builder.add(OPERATOR, (item.value,), {"function": rows.kind})
    machine.identities.note_item(number, owner)
    return Scalar(number)


def items_of_inner(machine: Machine, inner: InnerList, count: int) -> tuple[Symbolic, ...]:
    """Return the items of an inner list of this length, on which the graph then relies.

    Raises:
        GraphBreak: the lists are not equally long, or as long.
    """
    lists = inner_lists_of(machine, realise(machine, inner.parts[0]))
    if lists is None or lists.bounds is not None:
        raise GraphBreak(INSTRUCTION, "unpacking of a list in a list, which may have any length")
    width = lists.numbers.type.dims[1]
    machine.builder.unify(width, count)
    if machine.builder.resolve(width) != count:
        raise GraphBreak(NUMPY_REFUSED, "a list of another length is unpacked")
    found = (number_at(machine, inner, Known(place)) for place in range(count))
    return tuple(number for number in found if number is not None)


def loop_over(machine: Machine, owner: Symbolic, fewest: int) -> InnerListItems | None:
    """Return the items for a loop over more than so many lists in a list; None to unroll it.

    With few numbers in all it is unrolled, so that each may be of another kind.
    """
    if not isinstance(owner, List) or inner_lists_of(machine, owner) is None:
        return None
    assert owner.object is not None
    is_long = len(owner.object) > fewest and sum(map(len, owner.object)) > MAX_UNROLLED
    return InnerListItems(owner) if is_long else None


def few_inner_lists(iterator: PositionalIter) -> List | None:
    """Return the list of few lists that a loop begins to go through; None for other loops."""
    source = iterator.item_source
    if not isinstance(source, InnerListItems) or iterator.position is not None:
        return None
    assert source.owner.object is not None
    return source.owner if len(source.owner.object) <= MAX_UNROLLED else None
