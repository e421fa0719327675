"""Halting of loops between iterations, so that eager continues without losing finished ones.

Ctrl-C, an exception from another thread, or a change of what a segment relies on may come while a
kernel is in a loop. The loop ends early, and an exit leads to its header with the state for the
next iteration.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import IF, Kind
from ....jit.ir.types import ArrayType
from ...bytecode.loop_assignments import every_iteration_sets, for_loops_within
from ...bytecode.loops import Loop
from ...bytecode.placement import why_no_entry
from ..objects.fields import fields_to_heap
from ..state.frame import Frame
from ..state.heap import MustCarry
from ..state.identity_tracker import IdentityDiffers
from ..values.breaks import GraphBreak
from ..values.ranges import RangeIterator
from ..values.symbolic import NOT_KEPT, Dict, Known, PositionalIter, Scalar, Symbolic
from ..values.texts import Computed
from .branches import finish
from .noting import SomeIterationsAssign, notes_in

if TYPE_CHECKING:
    from ..state.machine import Machine


LONG = 500_000
"""Approximate number of scalar operations that take some milliseconds."""
UNKNOWN = 1000
"""Assumed iterations of a `for` of unknown length, and items of an array."""
WHILE = 100_000
"""Assumed iterations of a `while`."""


def may_halt(
    machine: Machine, frame: Frame, loop: Loop, iterations: int | None, body: Block
) -> bool:
    """True if an outermost loop is long enough for an exit at its header.

    The text of an exit takes some milliseconds to compile. If a kernel without one takes long, the
    next capture has them all (`Lessons.takes_long`). In a module's body each loop has one, because
    signal handlers and other threads read the names that it changes.
    """
    if machine.depth or machine.loop_depth or machine.library_until is not None:
        return False
    if why_no_entry(frame.flow, loop.header) is not None:
        return False
    shows = frame.is_body and any(isinstance(field.owner, Dict) for field in machine.heap.fields)
    return machine.takes_long or shows or (iterations or UNKNOWN) * _work_of(body) >= LONG


def trip_count(iterator: Symbolic) -> int | None:
    """Estimate the number of iterations from the numbers at capture."""
    if isinstance(iterator, PositionalIter):
        return _number(iterator.count)
    if not isinstance(iterator, RangeIterator):
        return None
    numbers = [_number(part) for part in iterator.parts]
    start, stop, step = numbers
    if start is None or stop is None or not step:
        return None
    return max(len(range(start, stop, step)), 1)


def _number(value: Symbolic) -> int | None:
    found = value.object if isinstance(value, Known) else None
    if isinstance(value, Scalar):
        found = value.value.hint
    return found if isinstance(found, int) else None


def _work_of(block: Block) -> int:
    """Return the operations of one iteration; inner loops count with their expected iterations."""
    work = 1
    for node in block.nodes:
        inner = sum(map(_work_of, node.blocks))
        if node.op.loops:
            hints = [value.hint for value in node.inputs[:2]] if node.op.counted else []
            known = len(hints) == 2 and all(isinstance(hint, int) for hint in hints)
            inner *= max(abs(hints[1] - hints[0]), 1) if known else UNKNOWN
        arrays = any(isinstance(value.type, ArrayType) for value in node.outputs)
        work += inner + (UNKNOWN if arrays and node.op.kind is not Kind.VIEW else 1)
    return work


def leave_where_halted(machine: Machine, found: Frame, loop: Loop, body: Block) -> None:
    """Add an exit to the header after the loop, for when it was halted, if possible.

    `found` is the state for an iteration after the first; its iterator is as before the loop.
    """
    builder = machine.builder
    mark = machine.mark(found)
    try:
        halted, next_iteration = builder.halted(**_made_whole(machine, found, loop, body))
        block = Block((), [])
        with machine.inner_block(block):
            _go_to_header(machine, found, loop, next_iteration)
            finish(machine, found, "halt")
        blocks = (block, Block((), []))
        builder.region_node(IF, (halted,), {}, (), blocks, found.location())
    except (GraphBreak, IdentityDiffers, MustCarry):
        machine.rollback(found, mark)


def _made_whole(machine: Machine, found: Frame, loop: Loop, body: Block) -> dict[str, Any]:
    """Say when eager, continuing at the header, has all the locals of an uninterrupted run.

    It lacks those that the exit does not hand over. A complete iteration assigns some, and so does
    each iteration of an inner loop if there is one, which can be tested if its bounds are known
    before. For the rest, assignments have to be noted.

    Raises:
        SomeTurnsAssign: they are not noted yet.
    """
    flow = found.flow
    lacking = [slot for slot, value in enumerate(found.locals) if value is NOT_KEPT]
    some = [slot for slot in lacking if not every_iteration_sets(flow, loop, slot)]
    own = found.decoded.code
    places = {
        node.location.at
        for node in _with_known_bounds(body)
        if node.location is not None
        and (node.location.filename, node.location.function) == (own.co_filename, own.co_qualname)
    }
    run = {one.header for one in for_loops_within(flow, loop)} & places
    rest = [slot for slot in some if not every_iteration_sets(flow, loop, slot, run)]
    relied = {"within": tuple(sorted(run))} if len(rest) < len(some) else {}
    made = {"locals_after": "inner iterations" if relied else "one iteration", **relied}
    if not rest:
        return made
    if not machine.heap.noted:
        raise SomeIterationsAssign(frozenset(rest))
    notes = notes_in(machine, found) if machine.heap.noted.keys() >= {*rest} else None
    return {"locals_after": "never"} if notes is None else {**made, "notes": notes}


def _with_known_bounds(body: Block) -> Iterator[Node]:
    """Yield inner loops over ranges whose bounds do not change in the loop."""
    made = {value for node in body.every_node() for block in node.blocks for value in block.params}
    made.update(body.params)
    for node in body.every_node():
        known = made.isdisjoint(node.inputs[:3] if node.op.counted else node.inputs)
        if node.op.counted and known:
            yield node
        if not (known and node.op.of_numbers):
            made.update(node.outputs)


def _go_to_header(machine: Machine, frame: Frame, loop: Loop, next_iteration: Value) -> None:
    """Write the exit to the header; locals that no iteration reads are not handed over."""
    fields_to_heap(machine, frame)
    bound = frame.flow.bound_at(loop.header)
    for slot, value in enumerate(frame.locals):
        if value is NOT_KEPT:
            frame.locals[slot] = Known(None) if slot in bound else None
    frame.index = loop.header
    iterator = frame.stack[-1] if frame.stack else None
    if isinstance(iterator, PositionalIter):
        before = Computed(operator.sub, (Scalar(next_iteration), Known(1)))
        frame.stack[-1] = PositionalIter(iterator.item_source, iterator.count, before)
    elif isinstance(iterator, RangeIterator):
        _, stop, step = iterator.parts
        frame.stack[-1] = RangeIterator((Scalar(next_iteration), stop, step))
        following = frame.decoded.instructions[loop.header + 1].ops
        if following and following[0].name == "STORE_FAST":  # `for i in range`: the target is known
            number = Computed(operator.sub, (Scalar(next_iteration), step))
            frame.locals[int(following[0].arg)] = number
