"""Loops that may be halted between two turns: eager goes on there, and no finished turn is lost.

Ctrl-C, an exception that another thread sends, and a change of what a segment relies on come while
a kernel is in a loop. The loop is left as if it ended, and an exit leads to its header, with what
the next turn finds.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import IF
from ...bytecode import Loop
from ...bytecode.placement import why_no_entry
from ..breaks import GraphBreak
from ..frame import Frame
from ..objects.fields import take_up
from ..objects.heap import MustCarry
from ..objects.same_objects import SameObject
from ..values import NOT_KEPT, Computed, Known, RangeIterator, Scalar, Walk
from .branches import finish

if TYPE_CHECKING:
    from ..machine import Machine


def may_halt(machine: Machine, frame: Frame, loop: Loop) -> bool:
    """Whether an exit may lead to the header: of an outermost loop of the frame itself."""
    if machine.depth or machine.turning or machine.library_until is not None:
        return False
    return why_no_entry(frame.flow, loop.header) is None


def leave_where_halted(machine: Machine, found: Frame, loop: Loop) -> None:
    """Behind the loop: an exit to its header, where it was halted, if there can be one.

    `found` has what a turn behind the first finds, and the iterator as it was before the loop.
    """
    builder = machine.builder
    mark = machine.mark(found)
    try:
        halted, turn = builder.halted()
        block = Block((), [])
        with machine.inner_block(block):
            _go_to_header(machine, found, loop, turn)
            finish(machine, found, "halt")
        blocks = (block, Block((), []))
        builder.region_node(IF, (halted,), {}, (), blocks, found.location())
    except (GraphBreak, SameObject, MustCarry):
        machine.rollback(found, mark)


def _go_to_header(machine: Machine, frame: Frame, loop: Loop, turn: Value) -> None:
    """Locals that no turn reads are None there, or unbound: the loop does not hand them on."""
    take_up(machine, frame)
    bound = frame.flow.bound_at(loop.header)
    for slot, value in enumerate(frame.locals):
        if value is NOT_KEPT:
            frame.locals[slot] = Known(None) if slot in bound else None
    frame.index = loop.header
    iterator = frame.stack[-1] if frame.stack else None
    if isinstance(iterator, Walk):
        before = Computed(operator.sub, (Scalar(turn), Known(1)))
        frame.stack[-1] = Walk(iterator.way, iterator.count, before)
    elif isinstance(iterator, RangeIterator):
        _, stop, step = iterator.parts
        frame.stack[-1] = RangeIterator((Scalar(turn), stop, step))
        following = frame.decoded.instructions[loop.header + 1].ops
        if following and following[0].name == "STORE_FAST":  # `for i in range`: it is looked at
            number = Computed(operator.sub, (Scalar(turn), step))
            frame.locals[int(following[0].arg)] = number
