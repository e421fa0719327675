"""Merges: the values of a frame where several paths meet, and what each path contributes.

The paths end in blocks of the graph. A merge creates the results of the node, or the state of the
loop, and for each block the row of values that it hands over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....jit.frozen import dataclass
from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import OPERATOR
from ....jit.ir.types import PY_INT, ScalarType, Type
from ..objects.fields import name_of, needed_at
from ..objects.number_identity import place_of
from ..state.forks import without_unbound
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.live import realise
from ..state.machine import Machine
from ..state.union_tags import renumbered
from ..values.breaks import DATA_BRANCH, GraphBreak
from ..values.components import parts_of
from ..values.either_number import NUMBER_CLASSES, NUMPY, PYTHON
from ..values.symbolic import (
    NOT_KEPT,
    UNTOUCHED,
    Known,
    Lazy,
    PositionalIter,
    Spent,
    Symbolic,
    Union,
)
from .shapes import Boxed, Either, EitherNumber, Lost, Number, Parts, Plain, Same, Shape, Shaper
from .stand_ins import stand_in, undefined


@dataclass(frozen=True, slots=True)
class Path:
    """A path to a meeting point: the block in which it ends, and the frame there."""

    block: Block
    frame: Frame


class Merge:
    """Merges what several blocks hand over, variable by variable, as a phi node does.

    Each block has a row of values, one for each output; rows grow by whole frames or by numbers.
    """

    def __init__(self, machine: Machine, shaper: Shaper, blocks: Sequence[Block]) -> None:
        self.machine = machine
        self.shaper = shaper
        self.rows: dict[int, list[Value]] = {id(block): [] for block in blocks}
        self.blocks = list(blocks)
        self.outputs: list[Value] = []
        self._met: dict[tuple[tuple[int, int], ...], Symbolic | None] = {}
        """Merged values by the values that met, so that two variables of one object stay one
        object."""

    def row(self, block: Block) -> tuple[Value, ...]:
        """Return what a block hands over."""
        return tuple(self.rows[id(block)])

    def meet(self, paths: Sequence[Path], shapes: FrameShapes, index: int) -> Frame:
        """Return the merged frame; blocks without a path contribute arbitrary values."""
        first = paths[0].frame
        if any(path.frame.modes != first.modes for path in paths):
            raise GraphBreak(DATA_BRANCH, "np.errstate is entered on one of several paths")
        by_block = {id(path.block): path.frame for path in paths}
        made = first.copy()
        made.index, made.kinds = index, {}
        bound = first.flow.bound_at(index) if index >= 0 else frozenset()
        for slot, shape in enumerate(shapes.locals):
            values = {key: frame.locals[slot] for key, frame in by_block.items()}
            value = self._one(shape, values, name_of(self.machine, first, slot))
            made.locals[slot] = without_unbound(value) if slot in bound else value
        for place, shape in enumerate(shapes.stack):
            values = {key: frame.stack[place] for key, frame in by_block.items()}
            item = self._one(shape, values, "t")
            assert item is not None
            made.stack[place] = item
        return made

    def _one(self, shape: Shape, values: dict[int, Symbolic | None], name: str) -> Symbolic | None:
        """Merge one variable; each block hands over its value."""
        machine = self.machine
        outputs: list[Value] = []
        key = tuple((block, identity(value)) for block, value in values.items())
        if key in self._met:
            return self._met[key]

        def make(type_: Type) -> Value:
            outputs.append(Value(type_, name=name))
            return outputs[-1]

        made = self._met[key] = stand_in(shape, make, machine.builder)
        if not outputs:
            return made
        self.outputs += outputs
        given: list[list[Value]] = []
        for block in self.blocks:
            with machine.writing(block):
                row = self._given(shape, values, block)
            self.rows[id(block)] += row
            if id(block) in values:
                given.append(row)
        for place, output in enumerate(outputs):
            machine.meet_values(output, [row[place] for row in given])
        return made

    def _given(self, shape: Shape, values: dict[int, Symbolic | None], block: Block) -> list[Value]:
        if id(block) not in values:
            return undefined(shape, self.machine.builder)
        return list(hand_over(self.machine, self.shaper, values[id(block)], shape))

    def number(self, values: dict[int, Value]) -> Value:
        """Merge a number that each block computes, by id of the block.

        Others hand over anything.
        """
        output = Value(PY_INT, name="which")
        self.outputs.append(output)
        for block in self.blocks:
            value = values.get(id(block))
            if value is None:
                with self.machine.writing(block):
                    value = self.machine.builder.undefined(PY_INT)
            self.rows[id(block)].append(value)
        return output


def hand_over(
    machine: Machine, shaper: Shaper, value: Symbolic | None, shape: Shape
) -> Iterator[Value]:
    """Yield the graph values that represent a path's value in this shape."""
    match shape:
        case Number() | Plain():
            assert value is not None
            yield graph_value(machine, value)
        case Boxed(number):
            yield from hand_over(machine, shaper, value, number)
            yield place_of(machine, value)
        case Parts(parts=parts):
            assert value is not None
            for part, of in zip(parts_of(value), parts, strict=True):
                yield from hand_over(machine, shaper, part, of)
        case EitherNumber():
            assert value is not None
            yield from _hand_over_either_number(machine, value)
        case Either(alternatives=kinds):
            yield from _hand_over_one_of(machine, shaper, value, kinds)


def _hand_over_either_number(machine: Machine, value: Symbolic) -> Iterator[Value]:
    """Yield the tag of a number of either kind, then the number as Python's and as NumPy's."""
    if isinstance(value, Union):
        yield value.tag
        yield from (graph_value(machine, one) for _, one in value.alternatives if one is not None)
        return
    number = graph_value(machine, value)
    assert isinstance(number.type, ScalarType)
    python = number.type.python
    yield machine.builder.const(PYTHON if python else NUMPY)
    other_class = NUMBER_CLASSES[number.type.dtype.char][NUMPY if python else PYTHON]
    other = machine.builder.add(OPERATOR, (number,), {"function": other_class})
    yield from (number, other) if python else (other, number)


def _hand_over_one_of(
    machine: Machine, shaper: Shaper, value: Symbolic | None, kinds: tuple[Shape, ...]
) -> Iterator[Value]:
    """Yield the index of the kind, then values for all kinds, of which only its own matter."""
    union = value if isinstance(value, Union) and not value.either_number else None
    brought = ((0, value),) if union is None else union.alternatives
    places = {}
    for number, one in brought:
        fitting = [place for place, kind in enumerate(kinds) if shaper.fits(one, kind)]
        if not fitting:
            raise GraphBreak(DATA_BRANCH, "a value is of no kind that was found before")
        places[number] = fitting[0]
    if len(set(places.values())) < len(places):
        raise GraphBreak(DATA_BRANCH, "two kinds of a value become one")
    if union is not None:
        yield renumbered(machine, union.tag, places)
    else:
        yield machine.builder.const(places[0])
    by_place = {places[number]: one for number, one in brought}
    for place, kind in enumerate(kinds):
        if place in by_place:
            yield from hand_over(machine, shaper, by_place[place], kind)
        else:
            yield from undefined(kind, machine.builder)


# ---- shapes of whole frames ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FrameShapes:
    """The shapes of a frame's contents."""

    locals: tuple[Shape, ...]
    stack: tuple[Shape, ...]


def shapes_where_paths_meet(
    machine: Machine, frames: Sequence[Frame], index: int, shaper: Shaper, before: Frame
) -> FrameShapes:
    """Return the common shapes of some frames.

    A variable that is no longer needed becomes NOT_KEPT if it cannot be handed over.

    Raises:
        GraphBreak: something that is needed cannot be handed over.
    """
    _realise_differing(machine, frames)
    needed = needed_at(machine, frames[0], index)
    locals_: list[Shape] = []
    for slot in range(len(before.locals)):
        values = [frame.locals[slot] for frame in frames]
        try:
            locals_.append(_joined(values, shaper))
        except Lost as error:
            if slot in needed:
                name = name_of(machine, frames[0], slot)
                raise GraphBreak(DATA_BRANCH, f"`{name}`: {error}") from None
            locals_.append(Same(NOT_KEPT))
    depth = len(frames[0].stack)
    if any(len(frame.stack) != depth for frame in frames):
        raise GraphBreak(DATA_BRANCH, "paths meet with unlike stacks")
    columns = zip(*(frame.stack for frame in frames), strict=True)
    stack = tuple(_joined_items(list(items), shaper) for items in columns)
    return FrameShapes(tuple(locals_), stack)


def _joined_items(values: Sequence[Symbolic], shaper: Shaper) -> Shape:
    """Return the common shape of a stack item."""
    try:
        return _joined(values, shaper)
    except Lost as error:
        if all(isinstance(value, PositionalIter) for value in values):
            return Same(Spent())
        raise GraphBreak(DATA_BRANCH, str(error)) from None


def _realise_differing(machine: Machine, frames: Sequence[Frame]) -> None:
    """Realise values that differ between paths, resolving unions as far as each path knows them.

    For equal values keep only what all paths know, as others may have left.
    """

    def known(values: list[Symbolic | None]) -> list[Symbolic | None]:
        unlike = any(value is not values[0] for value in values)
        found = [_kind_known(frame, value) for frame, value in zip(frames, values, strict=True)]
        if unlike:
            return [try_realise(machine, value) for value in found]
        return found if all(value is found[0] for value in found) else values

    for slot in range(len(frames[0].locals)):
        values = known([frame.locals[slot] for frame in frames])
        for frame, value in zip(frames, values, strict=True):
            frame.locals[slot] = value
    for place in range(min(len(frame.stack) for frame in frames)):
        values = known([frame.stack[place] for frame in frames])
        for frame, value in zip(frames, values, strict=True):
            frame.stack[place] = value or frame.stack[place]


def _kind_known(frame: Frame, value: Symbolic | None) -> Symbolic | None:
    """Resolve a union as far as a path knows it."""
    while isinstance(value, Union) and value in frame.kinds:
        value = frame.kinds[value]
    return value


def identity(value: Symbolic | None) -> int:
    """Return a key equal for values that are the same object; a frame must hold them."""
    if value is None:
        return 0  # unbound, unlike the constant None
    return id(value.object) if isinstance(value, Known) else id(value)


def try_realise(machine: Machine, value: Symbolic | None) -> Symbolic | None:
    """Realise a live-in that has not been used so far."""
    if isinstance(value, Lazy):
        try:
            return realise(machine, value)
        except GraphBreak:
            return value
    return value


def _joined(values: Sequence[Symbolic | None], shaper: Shaper) -> Shape:
    if NOT_KEPT in values:
        return Same(NOT_KEPT)
    shape = shaper.shape_of(values[0])
    for value in values[1:]:
        shape = shaper.join(shape, shaper.shape_of(value))
    return shape


_NOTHING = (Same(None), Same(UNTOUCHED))
"""Shapes of locals for which nothing is handed over."""


def holds_numbers(shape: Shape) -> bool:
    """True if only numbers are handed over."""
    match shape:
        case Number() | EitherNumber() | Boxed():
            return True
        case Either(alternatives=kinds):
            return all(kind in _NOTHING or holds_numbers(kind) for kind in kinds)
    return False


def shaper_of(machine: Machine, blocks: Sequence[Block], first_sym: int, first_born: int) -> Shaper:
    """Return the shaper for paths that end in these blocks, or in blocks inside."""
    made = {value for block in blocks for node in block.every_node() for value in node.outputs}
    made.update(value for block in blocks for value in block.params)
    born, memory = machine.heap.born, machine.memory
    boxes = bool(machine.identities.boxed)
    return Shaper(frozenset(made), first_sym, first_born, born, machine.builder, memory, boxes)
