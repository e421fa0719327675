"""Identity of numbers, for programs that can observe it: `losses.append(loss)`, `best = loss`.

Graphs have numbers without identity. If a capture finds that an item of a list and something else
that is handed over may be one object, the next capture keeps a table of the numbers put into such
lists, each once. Lists and variables carry a number's place in the table beside it (-1: not in a
list so far). An exit makes one object per number in the table and uses it for all its places.
Objects from outside have places of their own.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.numbers import pick
from ....jit.ir.ops import COUNT, OPERATOR
from ....jit.ir.types import PY_INT, ScalarType, is_graph_number, scalar_type
from ..state.frame import Frame
from ..state.heap import MustCarry
from ..state.insertions import has_identity, table_of
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import NOT_PLAIN, GraphBreak
from ..values.components import graph_values
from ..values.either_number import CLASSES_WITH_COMPLEX, as_numpy, is_either_number, with_box
from ..values.folding import is_made_since
from ..values.symbolic import Known, Lazy, List, Scalar, Symbolic, Union
from . import tuple_lists
from .fields import put
from .grown import Columns
from .records import ScalarRecord


@dataclass(frozen=True, slots=True)
class Entry:
    """An object from outside that is in a table."""

    char: str
    place: ir.Value
    object: Symbolic


def char_of(machine: Machine, value: Symbolic) -> str | None:
    """Return the dtype character of a number whose identity is observable, else None."""
    value = machine.one_of(value) or value
    number = as_numpy(value) if is_either_number(value) else None
    if number is None:
        number = None if isinstance(value, Union) else realise(machine, value)
    type_ = None
    if isinstance(number, Scalar) and type(number.value.type) is ScalarType:
        type_ = number.type
    elif isinstance(number, Known) and is_graph_number(number.object):
        type_ = scalar_type(number.object)
    return type_.char if type_ is not None and has_identity(type_) else None


def are_tracked(machine: Machine, numbers: Sequence[Symbolic]) -> bool:
    """True if these numbers have places in tables in this capture."""
    chars = [char_of(machine, one) for one in numbers]
    known = [char for char in chars if char is not None and may_have_tables(machine, char)]
    return bool(machine.identities.boxed) and len(known) == len(chars)


def may_have_tables(machine: Machine, char: str) -> bool:
    """True unless the table of this dtype was found to be unusable."""
    return table_of(char) not in machine.plain_lists


def place_of(machine: Machine, value: Symbolic | None) -> ir.Value:
    """Return the table place of a number's object, -1 if it has none.

    Raises:
        MustCarry: it is from outside, and must be put into the table before the region.
    """
    value = machine.one_of(value) or value
    assert value is not None
    if isinstance(value, Scalar | Union) and value.box is not None:
        return value.box
    outside, char = _from_outside(machine, value), char_of(machine, value)
    if outside is None or char is None or not may_have_tables(machine, char):
        for number in graph_values(value):
            machine.identities.note_unplaced(number)
        return machine.builder.const(-1)
    return _entry(machine, char, outside)


def has_place(machine: Machine, value: Symbolic) -> bool:
    """True if a number's object may be in a table."""
    if isinstance(value, Scalar | Union) and value.box is not None:
        return True
    return _from_outside(machine, value) is not None and char_of(machine, value) is not None


def _from_outside(machine: Machine, value: Symbolic) -> Known | Scalar | None:
    """Return the value as a constant or live-in, else None."""
    known = None if isinstance(value, Union) else realise(machine, value)
    if isinstance(known, Scalar) and known.source is not None:
        return known if known.value.hint is not None else None  # exploring has no object
    return known if isinstance(known, Known) else None


def _is_within(machine: Machine) -> bool:
    """True if the present code belongs to a region."""
    return machine.heap.region > 0 or machine.is_inner


def _entry(machine: Machine, char: str, value: Known | Scalar) -> ir.Value:
    """Return the place of an object from outside; -1 if its identity is unknown."""
    heap = machine.heap
    made_here = isinstance(value, Known) and is_made_since(value.object, machine.folded_before)
    if _is_within(machine) and made_here:  # another object in each iteration
        machine.identities.unidentified.add(char)
        return machine.builder.const(-1)
    key: Hashable = value.source if isinstance(value, Scalar) else id(value.object)
    if key not in heap.entries:
        if _is_within(machine):
            raise MustCarry(partial(_begin_entry, machine, char, value), "it changes a list")
        made: Symbolic = value
        if isinstance(value, Scalar):  # the region may have rolled back its value
            assert value.source is not None
            made = realise(machine, Lazy(value.source, value.value.hint))
        heap.entries[key] = Entry(char, _push(machine, char, made, noted=True), made)
    found: Entry = heap.entries[key]
    return found.place


def _begin_entry(machine: Machine, char: str, value: Known | Scalar) -> bool:
    return not _is_within(machine) and _entry(machine, char, value) is not None


def table(machine: Machine, char: str) -> List:
    """Return the table of a dtype.

    Raises:
        MustCarry: it must be made before the region.
        GraphBreak: it is unusable.
    """
    heap = machine.heap
    if char not in heap.tables:
        if not may_have_tables(machine, char):
            raise GraphBreak(NOT_PLAIN, "numbers whose objects cannot be told apart")
        if _is_within(machine):
            raise MustCarry(partial(_begin_table, machine, char), "it changes a list")
        made = heap.tables[char] = List()
        dtype = np.dtype(char)
        python = (True, False) if char in CLASSES_WITH_COMPLEX else (False,)
        kinds = ScalarRecord(tuple(ScalarType(dtype, one) for one in python))
        heap.make(made, None)
        tuple_lists.start(machine, made, (), kinds)
    return heap.tables[char]


def _begin_table(machine: Machine, char: str) -> bool:
    return not _is_within(machine) and table(machine, char) is not None


def _push(machine: Machine, char: str, value: Symbolic, *, noted: bool) -> ir.Value:
    """Put a number into its table and return its place."""
    made = table(machine, char)
    state = machine.heap.state(made)
    assert isinstance(state, Columns)
    place = machine.builder.typed(COUNT, (state.lists[0],), {}, PY_INT)
    tuple_lists.append(machine, made, state, value, noted=noted)
    return place


def enter(machine: Machine, frame: Frame | None, value: Symbolic) -> ir.Value:
    """Return the place of a number given to a list, putting it into the table if necessary.

    Values in the frame that stand for the number are updated too.
    """
    value = machine.one_of(value) or value
    char = char_of(machine, value)
    assert char is not None, "a list that holds such numbers only"
    identities, builder = machine.identities, machine.builder
    held = table(machine, char)
    box = value.box if isinstance(value, Scalar | Union) else None
    if box in identities.placed:
        return box
    outside = _from_outside(machine, value) if box is None else None
    if outside is not None:
        return _entry(machine, char, outside)
    place = _push(machine, char, value, noted=box is not None)
    if box is not None:
        for number in graph_values(value):
            identities.note_boxed(number, held)
        inputs = (box, builder.const(0))
        is_in = builder.add(OPERATOR, inputs, {"function": operator.ge})
        place = builder.add(OPERATOR, (is_in, box, place), {"function": pick})
    identities.placed.add(place)
    if frame is not None:
        _stands_for(machine, frame, value, _boxed(machine, value, place))
    return place


def enter_made(machine: Machine, frame: Frame, at: int) -> None:
    """Put a number that an instruction has made into the table, if that is requested."""
    top = frame.stack[-1] if frame.stack else None
    if not isinstance(top, Scalar | Union) or top.box is not None:
        return
    place = (frame.decoded.code, at)
    for number in graph_values(top):
        machine.identities.made_at.setdefault(number, place)
    made_here = all(machine.identities.made_at[one] == place for one in graph_values(top))
    if place in machine.identities.boxed and made_here and char_of(machine, top) is not None:
        enter(machine, frame, top)


def _boxed(machine: Machine, value: Symbolic, place: ir.Value) -> Scalar | Union:
    """Return the same number with a known place of its object."""
    if isinstance(value, Union):
        pairs = [(tag, _same(machine, number)) for tag, number in value.alternatives]
        return with_box(replace(value, alternatives=tuple(pairs)), place)
    return with_box(_same(machine, realise(machine, value)), place)


def _same(machine: Machine, number: Any) -> Scalar:
    """Return the number as a new graph value, because the old one may be held anywhere."""
    inputs = (number.value,)
    return Scalar(machine.builder.add(OPERATOR, inputs, {"function": operator.pos}))


def _stands_for(machine: Machine, frame: Frame, old: Symbolic, new: Symbolic) -> None:
    """Replace a number by one with known place wherever it is held."""
    old = old if isinstance(old, Union) else realise(machine, old)

    def is_old(value: Symbolic | None) -> bool:
        if isinstance(old, Scalar):
            return isinstance(value, Scalar) and value.value is old.value
        return value is old

    frame.locals[:] = [new if is_old(one) else one for one in frame.locals]
    frame.stack[:] = [new if is_old(one) else one for one in frame.stack]
    for field in machine.heap.fields:
        if is_old(machine.heap.held_in(field)):
            put(machine, field, new)
