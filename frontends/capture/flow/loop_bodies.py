"""The body of a loop as a region: it is run once, on new values of the shapes that it carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import BREAK, CONTINUE, FOR, LOOP, Kind
from ....jit.ir.types import PY_INT, Type
from ...bytecode.loops import Loop
from ..objects.fields import fields_of, fields_to_heap, name_of, needed_at
from ..state.forks import without_unbound
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.machine import Machine
from ..state.paths import Landing, Region
from ..values.breaks import LOOP as NO_LOOP
from ..values.breaks import GraphBreak
from ..values.ranges import RangeIterator
from ..values.symbolic import (
    NOT_KEPT,
    Known,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
    Union,
    may_be_unbound,
)
from .branches import send_to
from .halting import WHILE, leave_where_halted, may_halt, trip_count
from .items import item_or_none
from .merges import (
    Merge,
    Path,
    hand_over,
    holds_numbers,
    identity,
    shaper_of,
    shapes_where_paths_meet,
    try_realise,
)
from .positional_iters import lists_of
from .shapes import Either, Lost, Parts, Same, SameAs, Shape, Shaper
from .stand_ins import arrays_of, stand_in


@dataclass(eq=False, slots=True)
class LoopCapture:
    """A loop whose body is being captured."""

    loop: Loop
    back_edges: list[Path] = field(default_factory=list)
    """Paths that return to the header."""
    exits: dict[int, list[Path]] = field(default_factory=dict)
    """Paths that leave it, by target."""

    def is_inside(self, index: int) -> bool:
        """True for an instruction inside the loop, except its header."""
        return index in self.loop.body and index != self.loop.header

    def arrive(self, machine: Machine, frame: Frame) -> None:
        """Note that a path has reached the end of an iteration."""
        frame.kinds = dict(machine.kinds)
        path = Path(machine.builder.block, frame)
        if frame.index == self.loop.header:
            self.back_edges.append(path)
        else:
            self.exits.setdefault(frame.index, []).append(path)

    def forget(self) -> None:
        """Release frames, which refer to this object."""
        self.back_edges.clear()
        self.exits.clear()


class LoopBody:
    """Captures the body of a loop once, for any iteration.

    The shapes `carried` say what an iteration finds in the locals; running the body tells whether
    later iterations find the same.
    """

    def __init__(
        self,
        machine: Machine,
        frame: Frame,
        loop: Loop,
        carried: dict[int, Shape],
        after: int | None,
    ) -> None:
        self.machine = machine
        self.frame = frame
        self.loop = loop
        self.carried = carried
        self.after = after
        self.capture = LoopCapture(loop)
        self.n_exits = len(machine.builder.exits)
        self.n_insertions = len(machine.identities.insertions)
        self.first_sym, self.first_born = machine.builder.sym_count, machine.heap.count
        self.bounds: tuple[Value, ...] = ()
        params: list[Value] = []
        self.header = frame.copy()
        if after is not None:
            self._begin_counting(params)
        self.header.locals = self._state(params)
        self.block = Block(tuple(params), [])
        before = shaper_of(machine, (), self.first_sym, self.first_born)
        self.initial = self._handed_over(frame, before)
        self._meet(params[len(params) - len(self.initial) :], self.initial)
        for slot, shape in carried.items():
            for plain, value in arrays_of(shape, self.header.locals[slot]):
                machine.memory.may_be(value, plain.others)  # in later iterations

    def _state(self, values: list[Value]) -> list[Symbolic | None]:
        """Return the locals at the header, made of new values, which are appended to `values`."""
        found = list(self.frame.locals)
        for slot, shape in self.carried.items():
            name = name_of(self.machine, self.frame, slot)

            def make(type_: Type, name: str = name) -> Value:
                values.append(Value(type_, name=name))
                return values[-1]

            if isinstance(shape, SameAs):
                found[slot] = found[shape.slot]
            else:
                found[slot] = stand_in(shape, make, self.machine.builder)
        return found

    def _handed_over(self, frame: Frame, shaper: Shaper) -> list[Value]:
        """Return the state that a frame hands to the header."""
        return [
            value
            for slot, shape in self.carried.items()
            for value in hand_over(self.machine, shaper, frame.locals[slot], shape)
        ]

    def _meet(self, outputs: Sequence[Value], values: Sequence[Value]) -> None:
        for output, value in zip(outputs, values, strict=True):
            self.machine.meet_values(output, [value])

    def _begin_counting(self, params: list[Value]) -> None:
        """Create the range of the loop, and its loop variable."""
        iterator = self.frame.stack[-1]
        assert isinstance(iterator, RangeIterator | PositionalIter)
        if isinstance(iterator, PositionalIter):
            parts: tuple[Symbolic, ...] = (Known(0), iterator.count, Known(1))
        else:
            parts = iterator.parts
        self.bounds = tuple(graph_value(self.machine, part) for part in parts)
        params.append(Value(PY_INT, name="i"))
        here = Scalar(params[0])
        if isinstance(iterator, PositionalIter):
            self.header.stack[-1] = replace(iterator, position=here)
        else:
            _, stop, step = iterator.parts
            self.header.stack[-1] = RangeIterator((here, stop, step), taken=True)

    def _take_item(self, iteration: Frame) -> None:
        """Push what an iteration takes, in its block."""
        iterator = self.header.stack[-1]
        if isinstance(iterator, PositionalIter):
            assert iterator.position is not None
            item_source, position = iterator.item_source, iterator.position
            item, left_out = item_or_none(self.machine, self.header, item_source, position)
            if left_out is not None:
                send_to(self.machine, iteration, left_out, self.loop.header)
            iteration.stack.append(item)
            return
        assert isinstance(iterator, RangeIterator)
        iteration.stack.append(iterator.parts[0])

    def run(self) -> dict[int, Shape]:
        """Run the body; return the shapes of what iterations find, as far as is known now."""
        machine = self.machine
        iteration = self.header.copy()
        iteration.region = Region(loop=self.capture)
        iteration.index = self.loop.header + (self.after is not None)
        machine.loop_depth += 1
        try:
            with machine.inner_block(self.block):
                fields_to_heap(machine, iteration)
                if self.after is not None:
                    self._take_item(iteration)
                landing = machine.run(iteration, begun=True)
        finally:
            machine.loop_depth -= 1
        ended_by = landing.ended_by
        if ended_by is not None:
            detail = f"the loop breaks at line {ended_by.location.line}: {ended_by.detail}"
            raise GraphBreak(NO_LOOP, detail, guess=not ended_by.predicted)
        assert not landing.frames, "a body has no stops"
        self._keeps_lists()
        if not self.capture.back_edges:
            raise GraphBreak(NO_LOOP, "the loop never comes round")
        shaper = self._shaper()
        found = {slot: self._joined(slot, shape, shaper) for slot, shape in self.carried.items()}
        return self._with_same_objects(found)

    def _keeps_lists(self) -> None:
        """Check that lists being iterated keep their length.

        Raises:
            GraphBreak: the body appends to one, or removes items.
        """
        iterator = self.header.stack[-1] if self.after is not None else None
        lists = (
            set(lists_of(iterator.item_source)) if isinstance(iterator, PositionalIter) else set()
        )
        for node in self.block.every_node() if lists else ():
            if node.op.resizes and node.inputs[0] in lists:
                raise GraphBreak(NO_LOOP, "a list that changes while it is gone through")

    def _gets_on(self) -> bool:
        """True if an iteration changes anything that the next one finds."""
        return bool(self.initial) or any(
            node.op.kind is Kind.STORE for node in self.block.every_node()
        )

    def _shaper(self) -> Shaper:
        return shaper_of(self.machine, (self.block,), self.first_sym, self.first_born)

    def _joined(self, slot: int, shape: Shape, shaper: Shaper) -> Shape:
        """Return the common shape of what the first and later iterations find."""
        if isinstance(shape, SameAs):
            shape = self.carried[shape.slot]
        needed = needed_at(self.machine, self.frame, self.loop.header)
        found = [path.frame.locals[slot] for path in self.capture.back_edges]
        if NOT_KEPT in (self.frame.locals[slot], *found):
            return Same(NOT_KEPT)
        if all(value is self.header.locals[slot] for value in found):
            return Same(self.frame.locals[slot])  # `s = s`: the very object, even for a number
        try:
            for path in self.capture.back_edges:
                brought = path.frame.locals[slot] = try_realise(
                    self.machine, path.frame.locals[slot]
                )
                shape = shaper.join(shape, shaper.shape_of(brought))
        except Lost as error:
            if slot in needed:
                name = name_of(self.machine, self.frame, slot)
                raise GraphBreak(NO_LOOP, f"`{name}`: {error}") from None
            return Same(NOT_KEPT)
        # Carrying an unread array costs memory in each iteration; a number costs nothing.
        return shape if slot in needed or holds_numbers(shape) else Same(NOT_KEPT)

    def _with_same_objects(self, shapes: dict[int, Shape]) -> dict[int, Shape]:
        """Give SameAs to a local that holds the very tuple of another local in each iteration.

        Two locals that hold one object before the loop are assumed to hold one tuple, until a run
        of the body on that assumption shows a path on which they do not.
        """
        first: dict[int, int] = {}
        found = dict(shapes)
        paths = [path.frame.locals for path in self.capture.back_edges]
        for slot, shape in shapes.items():
            if not _holds_tuples(shape):
                continue
            one = first.setdefault(identity(self.frame.locals[slot]), slot)
            if one != slot and all(identity(at[slot]) == identity(at[one]) for at in paths):
                found[slot] = SameAs(one)
        return found

    # ---- the node ------------------------------------------------------------------------------

    def finish(self) -> Landing:
        """Add the node, and return the frames after it.

        Raises:
            GraphBreak: it would never end by itself, or carries what cannot be handed over.
        """
        machine = self.machine
        ends = self.after is not None or self.capture.exits
        if not ends and len(machine.builder.exits) == self.n_exits:
            raise GraphBreak(NO_LOOP, "only an exception ends the loop")
        if self.after is None and not self._gets_on():
            raise GraphBreak(NO_LOOP, "the loop waits for somebody else")
        shaper = self._shaper()
        for path in self.capture.back_edges:
            with machine.writing(path.block):
                state = self._handed_over(path.frame, shaper)
                self._meet(self.block.params[len(self.block.params) - len(state) :], state)
                machine.builder.effect(CONTINUE, state, {})
        frames: dict[int, Frame] = {}
        outputs: list[Value] = []
        if self.after is not None:
            frames[self.after] = self._exhausted(outputs)
        paths = [path for those in self.capture.exits.values() for path in those]
        expected = trip_count(self.frame.stack[-1]) if self.after is not None else WHILE
        halts = may_halt(machine, self.frame, self.loop, expected, self.block)
        halts = halts and bool(frames or paths)
        merge = Merge(machine, shaper, [path.block for path in paths])
        for stop, those in sorted(self.capture.exits.items()):
            brought = [path.frame for path in those]
            shapes = shapes_where_paths_meet(machine, brought, stop, shaper, self.frame)
            found = merge.meet(those, shapes, stop)
            found.region = self.frame.region
            frames[stop] = found
        which = self._which(merge) if len(frames) > 1 else None
        next_iteration, handed = self._next_iteration(frames) if halts else (self.frame, [])
        for path in paths:
            with machine.writing(path.block):
                row = (*merge.row(path.block), *self.block.params[: len(handed)])
                machine.builder.effect(BREAK, row, {})
        self._write(outputs, [*merge.outputs, *handed])
        if halts:
            leave_where_halted(machine, next_iteration, self.loop, self.block)
        every = list(self.block.every_node())
        made = {value for node in every for value in node.outputs}.union(self.block.params)
        made.update(v for node in every for block in node.blocks for v in block.params)
        machine.identities.note_iterations(self.n_insertions, made)
        return Landing(frames, which)

    def _exhausted(self, outputs: list[Value]) -> Frame:
        """Return the frame after the range is exhausted."""
        found = self.frame.copy()
        found.locals = self._state(outputs)
        self._meet(outputs, self.block.params[1:])
        found.drop_iterator()
        assert self.after is not None
        found.index = self.after
        return found

    def _next_iteration(self, frames: dict[int, Frame]) -> tuple[Frame, list[Value]]:
        """Return (state for the next iteration if halted, values a LOOP hands over for that).

        It is not halted before its first iteration, so whatever all iterations bind is bound.
        """
        handed: list[Value] = []
        found = self.frame.copy()
        if self.after is not None:
            found.locals = list(frames[self.after].locals)
        else:
            found.locals = self._state(handed)
            self._meet(handed, self.block.params)
        ends = [path.frame.locals for path in self.capture.back_edges]
        read = self.frame.flow.live_at(self.loop.header) | fields_of(found)
        for slot in self.carried.keys() - read:
            found.locals[slot] = NOT_KEPT
        for slot, value in enumerate(found.locals):
            if isinstance(value, Union):
                found.locals[slot] = _as_brought(value, [locals_[slot] for locals_ in ends])
        return found, handed

    def _which(self, merge: Merge) -> Value:
        """Return the number of the place to which the loop is left."""
        numbers = {}
        for stop, paths in self.capture.exits.items():
            for path in paths:
                with self.machine.writing(path.block):
                    numbers[id(path.block)] = self.machine.builder.const(stop)
        return merge.number(numbers)

    def _write(self, state: list[Value], others: list[Value]) -> None:
        machine, location = self.machine, self.frame.location()
        op, inputs = LOOP, tuple(self.initial)
        attrs: dict[str, object] = {}
        if self.after is not None:
            op, inputs = FOR, (*self.bounds, *self.initial)
            attrs = {"ended": self.after} if self.capture.exits else {}
        outputs = (*state, *others)
        machine.builder.region_node(op, inputs, attrs, outputs, (self.block,), location)


def _as_brought(value: Union, brought: Sequence[Symbolic | None]) -> Symbolic | None:
    """Return a union after an iteration, resolved if all paths through it brought one kind."""
    for _, one in value.alternatives:
        if isinstance(one, Scalar) and all(
            isinstance(other, Scalar) and other.type == one.type for other in brought
        ):
            return one
    unbound = any(other is None or may_be_unbound(other) for other in brought)
    return value if unbound else without_unbound(value)


def _holds_tuples(shape: Shape) -> bool:
    """True if the shape may contain a tuple, whose identity the program can see."""
    if isinstance(shape, Either):
        return any(map(_holds_tuples, shape.alternatives))
    return isinstance(shape, Parts) and isinstance(shape.like, Tuple)
