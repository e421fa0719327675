"""Instructions that only move values; exits lead to before them, and the frame repeats them.

`a = x * y; seen.add(a)` breaks at the call, where `a` would have to be stored and `seen` pushed.
Before the assignment there is only the product to push: the exit hands over one object instead of a
tuple that the stub unpacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bytecode import isa
from ...bytecode.placement import why_no_entry
from ..state.frame import Frame, Standing

if TYPE_CHECKING:
    from ..state.machine import Machine

_MOVES = frozenset(
    {
        *(isa.LOAD_FAST, isa.LOAD_CONST, isa.LOAD_GLOBAL, isa.LOAD_NAME, isa.LOAD_DEREF),
        *(isa.STORE_FAST, isa.COPY, isa.SWAP, isa.PUSH_NULL),
    }
)
"""They run no code of the program, and give the same again as long as nothing else has run."""


def note_move(machine: Machine, frame: Frame) -> None:
    """Note that the frame's current instruction is about to run."""
    if machine.depth or not _only_moves(machine, frame):
        frame.moves_since = None
    elif frame.moves_since is None:
        stack, locals_ = tuple(frame.stack), tuple(frame.locals)
        frame.moves_since = Standing(frame.index, stack, locals_, len(machine.named))


def before_moves(machine: Machine, frame: Frame) -> Frame:
    """Return the frame as it was before the latest moves."""
    since = frame.moves_since
    if since is None:
        return frame
    # At the segment's start the exit would lead to its own stub.
    if since.index == machine.begun_at or why_no_entry(frame.flow, since.index) is not None:
        return frame
    if not machine.is_inner:
        del machine.named[since.named :]  # the frame repeats these look-ups itself
    found = frame.copy()
    found.index, found.stack, found.locals = since.index, list(since.stack), list(since.locals)
    return found


def _only_moves(machine: Machine, frame: Frame) -> bool:
    """True if the frame may run the instruction again.

    A local with a new value by then would have to be stored by the exit, only to be assigned again.
    """
    return all(
        op.name in _MOVES
        and (op.name != isa.STORE_FAST or frame.locals[op.arg] is machine.start[op.arg])
        for op in frame.decoded.instructions[frame.index].ops
    )
