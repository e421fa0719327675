"""Loops as regions of the graph: `for` over a range, `while`.

The body is run on values that stand for what a turn finds. What it leaves is what the next turn
finds: where the two are of unlike shape, the body is run again on what they have in common, until
nothing changes any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...jit.ir.graph import Block, Value
from ...jit.ir.ops import BREAK, CONTINUE, FOR, LOOP, Kind
from ...jit.ir.types import PY_INT, Type
from ..bytecode import Loop
from .breaks import LOOP as NO_LOOP
from .breaks import GraphBreak
from .frame import Frame
from .growing import Grows
from .joints import (
    Joint,
    Path,
    hand_over,
    holds_numbers,
    seen,
    shaper_of,
    shapes_where_paths_meet,
)
from .limits import MAX_UNROLLED
from .machine import Machine
from .midway import take_up
from .nodes import graph_value
from .paths import Landing, Pause, Region
from .shapes import Lost, Same, Shape, Shaper, arrays_of, stand_in
from .values import Array, Known, RangeIterator, Scalar, Symbolic, Unread, Walk
from .walks import item_at

MAX_ROUNDS = 8
"""Runs of a body until the shapes of what it carries must have settled."""


@dataclass(eq=False, slots=True)
class LoopCapture:
    """A loop while its body is captured."""

    loop: Loop
    goes_round: list[Path] = field(default_factory=list)
    """Paths that come back to the header."""
    leaves: dict[int, list[Path]] = field(default_factory=dict)
    """Paths that leave it, by where to."""

    def goes_on_at(self, index: int) -> bool:
        """Whether an instruction is inside of the loop and not its header."""
        return index in self.loop.body and index != self.loop.header

    def arrive(self, machine: Machine, frame: Frame) -> None:
        """A path has come to the end of a turn."""
        frame.kinds = dict(machine.kinds)
        path = Path(machine.builder.block, frame)
        if frame.index == self.loop.header:
            self.goes_round.append(path)
        else:
            self.leaves.setdefault(frame.index, []).append(path)

    def forget(self) -> None:
        """Lets go of frames, which hold this."""
        self.goes_round.clear()
        self.leaves.clear()


def capture_loop_at(machine: Machine, frame: Frame, loop: Loop) -> Landing | None:
    """The loop whose header the frame stands at, None where it cannot be a region.

    The items of a container come one by one, and so may the numbers of a short range.
    """
    header = frame.decoded.instructions[loop.header].ops
    after = None
    if header and header[0].name == "FOR_ITER":
        after = int(header[0].arg)
    mark = machine.mark(frame)
    if after is not None:
        _take_up(machine, frame, after)
        iterator = frame.stack[-1]
        # Turns of a library's loop are few, and differ: `np.diff(x, 2)` shortens its array in each.
        apart = machine.library_until is not None and is_short(iterator)
        if apart or not isinstance(iterator, RangeIterator | Walk):
            machine.rollback(frame, mark)
            return None
    n_breaks = len(machine.breaks)
    asked, machine.heap.asked = machine.heap.asked, set()
    try:
        landing = capture_loop(machine, frame, loop, after)
        _wait_for_others(machine, after)
    except Grows:
        if after is None or not is_short(frame.stack[-1]):
            raise
        machine.no_region = "it changes a list"  # turn by turn, the items of that stay known
    except GraphBreak as error:
        machine.no_region = error.detail
    else:
        found = machine.breaks[n_breaks:]
        if found and not machine.depth and machine.begun_at in loop.body:
            # It will be left again and again before it comes to its end.
            machine.ends |= {after} if after is not None else ends_of(frame, loop)
        if not found or not (after is not None and is_short(frame.stack[-1])):
            return landing
        machine.no_region = found[0][0].detail  # its few turns one by one may come further
    finally:
        machine.heap.asked |= asked
    machine.rollback(frame, mark)
    return None


def _wait_for_others(machine: Machine, after: int | None) -> None:
    """Lets what has been changed be seen while the loop runs that was captured just now.

    `self.running = True; while self.running: ...`: effects are done at the end of a segment, and
    an own change is not asked for again. A `while` that asks for anything of others may wait for
    them, and they for the change; a `for` comes to its end, but may be told to end sooner.

    Raises:
        Pause: the segment has to end before the loop.
    """
    heap = machine.heap
    changed = {effect.arguments[0] for effect in heap.effects}
    if changed and (heap.asked if after is None else heap.asked & changed and not machine.depth):
        raise Pause


def ends_of(frame: Frame, loop: Loop) -> set[int]:
    """Where a `while` goes on that has come to its end."""
    handlers = {one.handler.target for one in frame.decoded.instructions if one.handler is not None}
    return {outside for _, outside in loop.exits} - handlers


def _take_up(machine: Machine, frame: Frame, after: int) -> None:
    """The iterator of a loop that ran before the segment began, where it can be continued."""
    iterator = frame.stack[-1]
    if isinstance(iterator, Unread) and (machine.depth or after not in machine.left_alone):
        frame.stack[-1] = take_up(machine, frame, iterator) or iterator


def is_short(iterator: Symbolic) -> bool:
    """Whether it is known that few numbers of a range are left."""
    if not isinstance(iterator, RangeIterator):
        return False
    parts = [part.object for part in iterator.parts if isinstance(part, Known)]
    return len(parts) == 3 and not iterator.taken and not range(*parts)[MAX_UNROLLED:]


def capture_loop(machine: Machine, frame: Frame, loop: Loop, after: int | None) -> Landing:
    """Captures the loop whose header the frame stands at.

    `after` is where the FOR_ITER of a range goes on, None for a `while`.

    Raises:
        GraphBreak: the body breaks, or carries what no graph holds.
    """
    assigned = _assigned(frame, loop)
    live = frame.flow.live_at(loop.header)
    for slot in assigned:
        if slot in live:
            frame.locals[slot] = seen(machine, frame.locals[slot])
    carried = _first_shapes(machine, frame, assigned)
    attempt = machine.mark(frame)
    for _ in range(MAX_ROUNDS):
        turn = _Turn(machine, frame, loop, carried, after)
        try:
            found = turn.run()
            if found == carried:
                return turn.finish()
        finally:
            turn.capture.forget()
        machine.rollback(frame, attempt)
        carried = found
    raise GraphBreak(NO_LOOP, "what the loop carries does not settle")


def _assigned(frame: Frame, loop: Loop) -> list[int]:
    """Locals that the body assigns."""
    found = set()
    for index in loop.body:
        for op in frame.decoded.instructions[index].ops:
            if op.name in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                found.add(int(op.arg))
            if op.name in ("STORE_DEREF", "DELETE_DEREF", "MAKE_CELL"):
                raise GraphBreak(NO_LOOP, "the loop assigns a variable of a closure")
    return sorted(found)


def _first_shapes(machine: Machine, frame: Frame, assigned: list[int]) -> dict[int, Shape]:
    """By slot, what the first turn finds where later ones may find something else.

    An array may stay the very same: `x += y` assigns the variable as well.
    """
    shaper = shaper_of(machine, (), machine.builder.sym_count, machine.heap.count)
    shapes = {slot: shaper.shape_of(frame.locals[slot]) for slot in assigned}
    arrays = [slot for slot in assigned if isinstance(frame.locals[slot], Array)]
    return {k: shape if k in arrays else shaper.widened(shape) for k, shape in shapes.items()}


class _Turn:
    """One run of the body, on what the shapes say that a turn finds."""

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
        self.first_sym, self.first_born = machine.builder.sym_count, machine.heap.count
        self.bounds: tuple[Value, ...] = ()
        params: list[Value] = []
        self.header = frame.copy()
        if after is not None:
            self._count_turns(params)
        self.header.locals = self._state(params)
        self.block = Block(tuple(params), [])
        before = shaper_of(machine, (), self.first_sym, self.first_born)
        self.initial = self._handed_over(frame, before)
        self._meet(params[len(params) - len(self.initial) :], self.initial)
        for slot, shape in carried.items():
            for plain, value in arrays_of(shape, self.header.locals[slot]):
                machine.memory.may_be(value, plain.others)  # in later turns

    def _state(self, values: list[Value]) -> list[Symbolic | None]:
        """The locals at the header, made of fresh values, which are appended."""
        found = list(self.frame.locals)
        for slot, shape in self.carried.items():
            name = self.frame.decoded.localsplus[slot]

            def make(type_: Type, name: str = name) -> Value:
                values.append(Value(type_, name=name))
                return values[-1]

            found[slot] = stand_in(shape, make, self.machine.builder)
        return found

    def _handed_over(self, frame: Frame, shaper: Shaper) -> list[Value]:
        """The state that a frame brings to the header."""
        return [
            value
            for slot, shape in self.carried.items()
            for value in hand_over(self.machine, shaper, frame.locals[slot], shape)
        ]

    def _meet(self, outputs: Sequence[Value], values: Sequence[Value]) -> None:
        for output, value in zip(outputs, values, strict=True):
            self.machine.meet_values(output, [value])

    def _count_turns(self, params: list[Value]) -> None:
        """The numbers of the range that the loop goes through, and the one that a turn takes."""
        iterator = self.frame.stack[-1]
        assert isinstance(iterator, RangeIterator | Walk)
        if isinstance(iterator, Walk):
            parts: tuple[Symbolic, ...] = (Known(0), iterator.count, Known(1))
        else:
            parts = iterator.parts
        self.bounds = tuple(graph_value(self.machine, part) for part in parts)
        params.append(Value(PY_INT, name="i"))
        here = Scalar(params[0])
        if isinstance(iterator, Walk):
            self.header.stack[-1] = replace(iterator, position=here)
        else:
            _, stop, step = iterator.parts
            self.header.stack[-1] = RangeIterator((here, stop, step), taken=True)

    def _item(self) -> Symbolic:
        """What a turn takes; in its block."""
        iterator = self.header.stack[-1]
        if isinstance(iterator, Walk):
            assert iterator.position is not None
            return item_at(self.machine, self.header, iterator.way, iterator.position)
        assert isinstance(iterator, RangeIterator)
        return iterator.parts[0]

    def run(self) -> dict[int, Shape]:
        """Runs the body; returns the shapes of what turns find, as far as is known now."""
        machine = self.machine
        turn = self.header.copy()
        turn.region = Region(loop=self.capture)
        turn.index = self.loop.header + (self.after is not None)
        with machine.inner_block(self.block):
            if self.after is not None:
                turn.stack.append(self._item())
            landing = machine.run(turn, begun=True)
        ended_by = landing.ended_by
        if ended_by is not None:
            detail = f"the loop breaks at line {ended_by.location.line}: {ended_by.detail}"
            raise GraphBreak(NO_LOOP, detail)
        assert not landing.frames, "a body has no stops"
        if not self.capture.goes_round:
            raise GraphBreak(NO_LOOP, "the loop never comes round")
        ends = self.after is not None or self.capture.leaves
        if not ends and len(machine.builder.exits) == self.n_exits:
            raise GraphBreak(NO_LOOP, "only an exception ends the loop")
        shaper = self._shaper()
        return {slot: self._joined(slot, shape, shaper) for slot, shape in self.carried.items()}

    def _gets_on(self) -> bool:
        """Whether a turn finds anything that the one before has changed."""
        return bool(self.initial) or any(
            node.op.kind is Kind.STORE for node in self.block.every_node()
        )

    def _shaper(self) -> Shaper:
        return shaper_of(self.machine, (self.block,), self.first_sym, self.first_born)

    def _joined(self, slot: int, shape: Shape, shaper: Shaper) -> Shape:
        """What the first turn finds, or what later ones find."""
        live = slot in self.frame.flow.live_at(self.loop.header)
        kept = self.header.locals[slot]
        if all(path.frame.locals[slot] is kept for path in self.capture.goes_round):
            return Same(self.frame.locals[slot])  # `s = s`: the very object, a number's as well
        try:
            for path in self.capture.goes_round:
                brought = path.frame.locals[slot] = seen(self.machine, path.frame.locals[slot])
                shape = shaper.join(shape, shaper.shape_of(brought))
        except Lost as error:
            if live:
                name = self.frame.decoded.localsplus[slot]
                raise GraphBreak(NO_LOOP, f"`{name}`: {error}") from None
            return Same(self.frame.locals[slot])
        # What nobody reads any more is not kept for `locals()`, unless it is a number.
        return shape if live or holds_numbers(shape) else Same(self.frame.locals[slot])

    # ---- the node ------------------------------------------------------------------------------

    def finish(self) -> Landing:
        """The node, and the frames behind it.

        Raises:
            GraphBreak: it would never end by itself, or carries what cannot be handed over.
        """
        if self.after is None and not self._gets_on():
            raise GraphBreak(NO_LOOP, "the loop waits for somebody else")
        machine = self.machine
        shaper = self._shaper()
        for path in self.capture.goes_round:
            with machine.writing(path.block):
                state = self._handed_over(path.frame, shaper)
                self._meet(self.block.params[len(self.block.params) - len(state) :], state)
                machine.builder.effect(CONTINUE, state, {})
        frames: dict[int, Frame] = {}
        outputs: list[Value] = []
        if self.after is not None:
            frames[self.after] = self._exhausted(outputs)
        paths = [path for those in self.capture.leaves.values() for path in those]
        joint = Joint(machine, shaper, [path.block for path in paths])
        for stop, those in sorted(self.capture.leaves.items()):
            brought = [path.frame for path in those]
            shapes = shapes_where_paths_meet(machine, brought, stop, shaper, self.frame)
            found = joint.meet(those, shapes, stop)
            found.region = self.frame.region
            frames[stop] = found
        which = self._which(joint) if len(frames) > 1 else None
        for path in paths:
            with machine.writing(path.block):
                machine.builder.effect(BREAK, joint.row(path.block), {})
        self._write(outputs, joint.outputs)
        return Landing(frames, which)

    def _exhausted(self, outputs: list[Value]) -> Frame:
        """The frame where the range has come to its end."""
        found = self.frame.copy()
        found.locals = self._state(outputs)
        self._meet(outputs, self.block.params[1:])
        found.stack.pop()
        assert self.after is not None
        found.index = self.after
        return found

    def _which(self, joint: Joint) -> Value:
        """The number of the place that the loop is left for."""
        numbers = {}
        for stop, paths in self.capture.leaves.items():
            for path in paths:
                with self.machine.writing(path.block):
                    numbers[id(path.block)] = self.machine.builder.const(stop)
        return joint.number(numbers)

    def _write(self, state: list[Value], others: list[Value]) -> None:
        machine, location = self.machine, self.frame.location()
        op, inputs = LOOP, tuple(self.initial)
        attrs: dict[str, object] = {}
        if self.after is not None:
            op, inputs = FOR, (*self.bounds, *self.initial)
            attrs = {"ended": self.after} if self.capture.leaves else {}
        outputs = (*state, *others)
        machine.builder.region_node(op, inputs, attrs, outputs, (self.block,), location)
