"""Loops as regions of the graph: `for` over a range, `while`.

The body is run on values that stand for what a turn finds. What it leaves is what the next turn
finds: where the two are of unlike shape, the body is run again on what they have in common, until
nothing changes any more.
"""

from __future__ import annotations

from functools import partial

from ...bytecode import isa
from ...bytecode.loops import Loop
from ..breaks import LOOP as NO_LOOP
from ..breaks import GraphBreak
from ..frame import Frame
from ..limits import MAX_GROWN_STEPS, MAX_UNROLLED
from ..machine import Machine
from ..objects.fields import fields_of, is_flag_raised, needed_at, put_away, stores
from ..objects.heap import MustCarry
from ..objects.namespaces import carry
from ..values import Array, Known, RangeIterator, Symbolic, Unread, Walk
from .joints import seen, shaper_of
from .midway import take_up
from .noting import SomeTurnsAssign, begin_notes, noted
from .paths import Landing, Pause
from .shapes import Shape
from .turns import Turn

MAX_ROUNDS = 8
"""Runs of a body until the shapes of what it carries must have settled."""


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
    carry(machine, frame.namespace, _names_stored(frame, loop))
    n_breaks = len(machine.breaks)
    changed = {effect.arguments[0] for effect in (*machine.heap.effects, *stores(machine))}
    begun = machine.heap.begin_asking()
    steps = machine.steps
    try:
        landing = capture_loop(machine, frame, loop, after)
        _wait_for_others(machine, after, changed)
    except MustCarry as must:
        if after is None or not is_worth_its_turns(frame.stack[-1], machine.steps - steps):
            raise
        if must.reads and not _is_straight(frame, loop):
            raise  # turn by turn, what it is in would have to be told apart each time
        machine.no_region = must.why
        # Turn by turn, its items stay known.
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
        machine.heap.end_asking(begun)
    machine.rollback(frame, mark)
    return None


def _is_straight(frame: Frame, loop: Loop) -> bool:
    """Whether all turns of a loop do the same."""
    inside = (frame.decoded.instructions[place] for place in loop.body - {loop.header})
    return not any(isa.OPS[op.name].jumps and op.name != "JUMP" for one in inside for op in one.ops)


def _wait_for_others(machine: Machine, after: int | None, changed: set[Symbolic]) -> None:
    """Lets what has been `changed` before be seen while the loop runs that was captured just now.

    `self.running = True; while self.running: ...`: effects are done at the end of a segment, and
    an own change is not asked for again. A `while` that asks for anything of others may wait for
    them, and they for the change; a `for` comes to its end, but may be told to end sooner.

    Raises:
        Pause: the segment has to end before the loop.
        GraphBreak: it cannot, since another loop goes around.
    """
    heap = machine.heap
    if machine.turning:
        if any(map(partial(is_flag_raised, machine), heap.asked_only())):
            raise GraphBreak(NO_LOOP, "it asks for a flag that it has set, and others may set")
        return
    asked = heap.asked | {field.owner for field in heap.asked_only()}
    if changed and (asked if after is None else asked & changed and not machine.depth):
        detail = "a loop that others may end, behind a change of an object that they are to see"
        raise Pause("waits", NO_LOOP, detail)


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
    turns = _known_turns(iterator)
    return turns is not None and turns <= MAX_UNROLLED


def is_worth_its_turns(iterator: Symbolic, steps: int) -> bool:
    """Whether few numbers of a range are left, and what is done with each takes few steps."""
    turns = _known_turns(iterator)
    return is_short(iterator) and turns is not None and turns * steps <= MAX_GROWN_STEPS


def _known_turns(iterator: Symbolic) -> int | None:
    """How many numbers of a range are left, where that is known."""
    if not isinstance(iterator, RangeIterator) or iterator.taken:
        return None
    parts = [part.object for part in iterator.parts if isinstance(part, Known)]
    return len(range(*parts)) if len(parts) == 3 else None


def capture_loop(machine: Machine, frame: Frame, loop: Loop, after: int | None) -> Landing:
    """Captures the loop whose header the frame stands at.

    `after` is where the FOR_ITER of a range goes on, None for a `while`.

    Raises:
        GraphBreak: the body breaks, or carries what no graph holds.
    """
    before = machine.mark(frame)
    try:
        with noted(machine, frame, loop):
            return _capture(machine, frame, loop, after)
    except SomeTurnsAssign as error:
        begin = partial(begin_notes, machine, frame, loop, error.slots)
    machine.rollback(frame, before)
    if not begin():
        raise MustCarry(begin, "it assigns a local in some of its turns")
    with noted(machine, frame, loop):
        return _capture(machine, frame, loop, after)


def _capture(machine: Machine, frame: Frame, loop: Loop, after: int | None) -> Landing:
    """One attempt, from what the machine knows before the loop."""
    put_away(machine, frame)
    assigned = _assigned(frame, loop)
    needed = needed_at(machine, frame, loop.header)
    for slot in assigned:
        if slot in needed:
            frame.locals[slot] = seen(machine, frame.locals[slot])
    carried = _first_shapes(machine, frame, assigned)
    attempt = machine.mark(frame)
    for _ in range(MAX_ROUNDS):
        turn = Turn(machine, frame, loop, carried, after)
        try:
            found = turn.run()
            if found == carried:
                return turn.finish()
        finally:
            turn.capture.forget()
        machine.rollback(frame, attempt)
        carried = found
    raise GraphBreak(NO_LOOP, "what the loop carries does not settle")


def _names_stored(frame: Frame, loop: Loop) -> list[str]:
    """Globals that the body itself assigns, in the order of the code."""
    instructions = (frame.decoded.instructions[index] for index in sorted(loop.body))
    ops = (op for instruction in instructions for op in instruction.ops)
    return [str(op.arg) for op in ops if op.name in ("STORE_NAME", "STORE_GLOBAL")]


def _assigned(frame: Frame, loop: Loop) -> list[int]:
    """Locals that the body assigns, and fields that it or a function called in it may change."""
    found = set(fields_of(frame))
    for index in loop.body:
        for op in frame.decoded.instructions[index].ops:
            if op.name in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                found.add(int(op.arg))
            if op.name in ("DELETE_DEREF", "MAKE_CELL"):
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
