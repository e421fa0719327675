"""Loops as regions of the graph: `for` over ranges and positions, `while`.

The body is run on values with the shapes that an iteration finds. If the next iteration would find
other shapes, the body is run again on what both have in common, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from ...bytecode import isa
from ...bytecode.loops import Loop
from ..objects.fields import fields_of, fields_to_frame, is_flag_raised, needed_at, stores
from ..objects.namespaces import carry
from ..state.frame import Frame
from ..state.heap import MustCarry
from ..state.machine import Machine
from ..state.paths import Landing, Pause
from ..values.breaks import LOOP as NO_LOOP
from ..values.breaks import GraphBreak
from ..values.limits import MAX_GROWN_STEPS, MAX_STEPS, MAX_UNROLLED
from ..values.ranges import RangeIterator
from ..values.symbolic import NOT_KEPT, Array, Known, Lazy, PositionalIter, Symbolic
from .loop_bodies import LoopBody
from .merges import shaper_of, try_realise
from .noting import SomeIterationsAssign, begin_notes, noted
from .resumed_loops import resumed_iterator
from .shapes import Shape

MAX_ROUNDS = 8
"""Maximum number of runs until the shapes must have settled."""


def capture_loop_at(machine: Machine, frame: Frame, loop: Loop) -> Landing | None:
    """Capture the loop at whose header the frame is; None if it cannot be a region.

    Items of containers, and numbers of short ranges, are unrolled.
    """
    header = frame.decoded.instructions[loop.header].ops
    after = None
    if header and header[0].name == "FOR_ITER":
        after = int(header[0].arg)
    if (frame.decoded.code, loop.header) in machine.budget.too_large:
        machine.no_region = f"more than {MAX_STEPS} instructions in its body"
        return None
    mark = machine.mark(frame)
    if after is not None:
        _resume_iterator(machine, frame, after)
        iterator = frame.stack[-1]
        # Loops of libraries have few and differing iterations: `np.diff(x, 2)` shortens its array.
        apart = machine.library_until is not None and is_short(iterator)
        if apart or not isinstance(iterator, RangeIterator | PositionalIter):
            machine.rollback(frame, mark)
            return None
    carry(machine, frame.namespace, _names_stored(frame, loop))
    n_breaks = len(machine.breaks)
    changed = {effect.arguments[0] for effect in (*machine.heap.effects, *stores(machine))}
    begun = machine.heap.begin_recording_reads()
    steps = machine.steps
    try:
        landing = capture_loop(machine, frame, loop, after)
        _wait_for_others(machine, after, changed)
    except MustCarry as must:
        if after is None or must.whole:
            raise
        if not is_worth_unrolling(frame.stack[-1], machine.steps - steps):
            raise
        if must.reads and not _is_straight(frame, loop):
            raise  # unrolled, the enclosing loop would have to distinguish them each time
        machine.no_region = must.why
        # Unrolled, its items stay known.
    except GraphBreak as error:
        machine.no_region = error.detail
        if machine.steps > MAX_STEPS and not (machine.loop_depth or machine.depth):
            machine.budget.too_large.add((frame.decoded.code, loop.header))
    else:
        found = machine.breaks[n_breaks:]
        if found and not machine.depth and machine.begun_at in loop.body:
            # It would be left repeatedly before its end.
            machine.ends |= {after} if after is not None else ends_of(frame, loop)
        if not found or not (after is not None and is_short(frame.stack[-1])):
            return landing
        machine.no_region = found[0][0].detail  # unrolling its few iterations may get further
    finally:
        machine.heap.end_recording_reads(begun)
    machine.rollback(frame, mark)
    return None


def _is_straight(frame: Frame, loop: Loop) -> bool:
    """True if all iterations of a loop do the same."""
    inside = (frame.decoded.instructions[place] for place in loop.body - {loop.header})
    return not any(isa.OPS[op.name].jumps and op.name != "JUMP" for one in inside for op in one.ops)


def _wait_for_others(machine: Machine, after: int | None, changed: set[Symbolic]) -> None:
    """Let earlier changes become visible before the loop that was just captured runs.

    `self.running = True; while self.running: ...`: effects happen at the end of a segment, and the
    segment does not reread what it has changed. A `while` that reads other objects may wait for
    other threads, and these for the change; a `for` terminates, but could be told to stop earlier.

    Raises:
        Pause: the segment has to end before the loop.
        GraphBreak: it cannot, because there is an outer loop.
    """
    heap = machine.heap
    if machine.loop_depth:
        if any(map(partial(is_flag_raised, machine), heap.fields_only_read())):
            raise GraphBreak(NO_LOOP, "it asks for a flag that it has set, and others may set")
        return
    read = heap.objects_read | {field.owner for field in heap.fields_only_read()}
    if changed and (read if after is None else read & changed and not machine.depth):
        detail = "a loop that others may end, behind a change of an object that they are to see"
        raise Pause("waits", NO_LOOP, detail)


def ends_of(frame: Frame, loop: Loop) -> set[int]:
    """Return where a `while` continues when it has ended."""
    handlers = {one.handler.target for one in frame.decoded.instructions if one.handler is not None}
    return {outside for _, outside in loop.exits} - handlers


def _resume_iterator(machine: Machine, frame: Frame, after: int) -> None:
    """Take over the iterator of a loop that ran before the segment began, if possible."""
    iterator = frame.stack[-1]
    if isinstance(iterator, Lazy) and (machine.depth or after not in machine.left_alone):
        frame.stack[-1] = resumed_iterator(machine, frame, iterator) or iterator


def is_short(iterator: Symbolic) -> bool:
    """True if few numbers of a range are certain to be left."""
    count = _known_trip_count(iterator)
    return count is not None and count <= MAX_UNROLLED


def is_worth_unrolling(iterator: Symbolic, steps: int) -> bool:
    """True if few numbers of a range are left and their iterations take few steps."""
    count = _known_trip_count(iterator)
    return is_short(iterator) and count is not None and count * steps <= MAX_GROWN_STEPS


def _known_trip_count(iterator: Symbolic) -> int | None:
    """Return how many numbers of a range are left, if known."""
    if not isinstance(iterator, RangeIterator) or iterator.taken:
        return None
    parts = [part.object for part in iterator.parts if isinstance(part, Known)]
    return len(range(*parts)) if len(parts) == 3 else None


def capture_loop(machine: Machine, frame: Frame, loop: Loop, after: int | None) -> Landing:
    """Capture the loop at whose header the frame is.

    `after` is where the FOR_ITER of a range continues when exhausted, None for a `while`.

    Raises:
        GraphBreak: the body breaks, or carries what no graph can hold.
    """
    before = machine.mark(frame)
    try:
        with noted(machine, frame, loop):
            return _capture(machine, frame, loop, after)
    except SomeIterationsAssign as error:
        begin = partial(begin_notes, machine, frame, loop, error.slots)
    machine.rollback(frame, before)
    if not begin():
        raise MustCarry(begin, "it assigns a local in some of its iterations")
    with noted(machine, frame, loop):
        return _capture(machine, frame, loop, after)


def _capture(machine: Machine, frame: Frame, loop: Loop, after: int | None) -> Landing:
    """Capture the loop once, from what the machine knows before it."""
    fields_to_frame(machine, frame)
    assigned = _assigned(frame, loop)
    needed = needed_at(machine, frame, loop.header)
    for slot in assigned:
        if slot in needed:
            frame.locals[slot] = try_realise(machine, frame.locals[slot])
    if machine.library_until is not None:
        _drop_unread(frame, assigned, needed)
    carried = _first_shapes(machine, frame, assigned)
    attempt = machine.mark(frame)
    for _ in range(MAX_ROUNDS):
        body = LoopBody(machine, frame, loop, carried, after)
        try:
            found = body.run()
            if found == carried:
                return body.finish()
        finally:
            body.capture.forget()
        machine.rollback(frame, attempt)
        carried = found
    raise GraphBreak(NO_LOOP, "what the loop carries does not settle")


def _drop_unread(frame: Frame, assigned: list[int], needed: Collection[int]) -> None:
    """Forget locals of a library's body that each iteration assigns before it reads them.

    They are bound after the first iteration only, so that the body would be run once more for
    that, and each loop in it twice in both runs. Nobody sees the locals of such a frame.
    """
    for slot in assigned:
        if slot < frame.decoded.code.co_nlocals and slot not in needed:
            frame.locals[slot] = NOT_KEPT


def _names_stored(frame: Frame, loop: Loop) -> list[str]:
    """Return globals that the body assigns, in code order."""
    instructions = (frame.decoded.instructions[index] for index in sorted(loop.body))
    ops = (op for instruction in instructions for op in instruction.ops)
    return [str(op.arg) for op in ops if op.name in ("STORE_NAME", "STORE_GLOBAL")]


def _assigned(frame: Frame, loop: Loop) -> list[int]:
    """Return locals that the body assigns, and fields that it or a callee may change."""
    found = set(fields_of(frame))
    for index in loop.body:
        for op in frame.decoded.instructions[index].ops:
            if op.name in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                found.add(int(op.arg))
            if op.name in ("DELETE_DEREF", "MAKE_CELL"):
                raise GraphBreak(NO_LOOP, "the loop assigns a variable of a closure")
    return sorted(found)


def _first_shapes(machine: Machine, frame: Frame, assigned: list[int]) -> dict[int, Shape]:
    """Return the shapes of what the first iteration finds and later ones may find changed.

    An array may stay identical: `x += y` assigns the variable as well.
    """
    shaper = shaper_of(machine, (), machine.builder.sym_count, machine.heap.count)
    shapes = {slot: shaper.shape_of(frame.locals[slot]) for slot in assigned}
    arrays = [slot for slot in assigned if isinstance(frame.locals[slot], Array)]
    return {k: shape if k in arrays else shaper.widened(shape) for k, shape in shapes.items()}
