"""The item that an iteration of a loop over positions takes."""

from __future__ import annotations

import operator

from ....jit.ir.graph import Value
from ....jit.ir.ops import OPERATOR
from ..arrays.windows import read
from ..objects import growing
from ..objects.grown import sequence_of_model
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.machine import Machine
from ..state.paths import Region
from ..values.breaks import LOOP, GraphBreak
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
from ..values.symbolic import Known, Spent, Symbolic, Tuple
from .inlined import landing_of
from .positional_iters import arithmetic


def item_or_none(
    machine: Machine, frame: Frame, way: Way, position: Symbolic
) -> tuple[Symbolic, Value | None]:
    """Return (item of an iteration, bool of the graph that there is none).

    The bool is None if every iteration takes an item.
    """
    if isinstance(way, WalkedGenerator):
        return _given(machine, frame, way, position)
    return item_at(machine, frame, way, position), None


def item_at(machine: Machine, frame: Frame, way: Way, position: Symbolic) -> Symbolic:
    """Return the item at a position.

    Raises:
        GraphBreak: a generator skips some.
    """
    match way:
        case WalkedArray(array=array, backward=backward):
            if backward:
                last = arithmetic(machine, frame, operator.sub, Known(-1), position)
                return read(machine, array, last)
            return read(machine, array, position)
        case WalkedRange(parts=(start, _, step)):
            gone = arithmetic(machine, frame, operator.mul, position, step)
            return arithmetic(machine, frame, operator.add, start, gone)
        case WalkedList(owner=owner):
            held = sequence_of_model(machine, owner) or owner
            item = growing.item_at(machine, held, position)
            assert item is not None
            return item
        case WalkedCount(way=inner, start=start):
            number = arithmetic(machine, frame, operator.add, start, position)
            return Tuple((number, item_at(machine, frame, inner, position)))
        case WalkedTogether(ways=ways):
            return Tuple(tuple(item_at(machine, frame, one, position) for one in ways))
        case WalkedIndices(lengths=lengths, array=array):
            place = _place(machine, frame, lengths, position)
            return place if array is None else Tuple((place, read(machine, array, place)))
        case WalkedMap(function=function, ways=ways):
            items = tuple(item_at(machine, frame, one, position) for one in ways)
            return machine.call(function, Invocation(machine, frame, items, {}))
        case WalkedGenerator():
            item, left_out = _given(machine, frame, way, position)
            if left_out is None:
                return item
            raise GraphBreak(LOOP, "a generator that leaves items out, beside others")
    raise AssertionError(way)


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
    machine: Machine, frame: Frame, way: WalkedGenerator, position: Symbolic
) -> tuple[Symbolic, Value | None]:
    """Return what one iteration of a generator's loop yields; the bool: it yields nothing."""
    inner: Frame = way.frame.copy()
    inner.stack = [*inner.stack[:-1], Spent(), item_at(machine, frame, way.way, position)]
    inner.index = way.header + 1
    inner.modes = frame.modes
    inner.region = Region(stops=frozenset((way.header, way.gives)))
    landing = landing_of(machine, inner, "the generator")
    gives = landing.frames.get(way.gives)
    if gives is None:
        raise GraphBreak(LOOP, "a generator that yields nothing")
    if landing.which is None:
        return gives.stack[-1], None
    inputs = (landing.which, machine.builder.const(way.header))
    return gives.stack[-1], machine.builder.add(OPERATOR, inputs, {"function": operator.eq})
