"""Which slots a turn of a loop surely assigns or unbinds."""

from __future__ import annotations

from collections.abc import Container, Iterable

from . import isa
from .flow import Flow
from .liveness import stored
from .loops import Loop


def is_set_by_turns(flow: Flow, loop: Loop, slot: int, run: Container[int] = ()) -> bool:
    """True if no way once round the loop leaves the slot as it was.

    Args:
        flow: The facts about the code.
        loop: One of its loops.
        slot: The local.
        run: Headers of loops within, of which each is taken to make a turn at least.
    """
    instructions = flow.decoded.instructions
    setting = {
        one.header for one in _inner(flow, loop, run) if is_set_by_turns(flow, one, slot, run)
    }
    setting.update(index for index in loop.body if slot in stored(instructions[index]))
    waiting, seen = [loop.header], {loop.header}
    while waiting:
        index = waiting.pop()
        if index in setting:
            continue
        after = flow.successors[index]
        if loop.header in after:
            return False
        new = (loop.body & {*after}) - seen
        seen |= new
        waiting += new
    return True


def for_loops_within(flow: Flow, loop: Loop) -> Iterable[Loop]:
    """The `for` loops in the body of a loop, those in others too."""
    instructions = flow.decoded.instructions
    for one in flow.loops:
        if one is not loop and one.header in loop.body:
            names = [op.name for op in instructions[one.header].ops]
            if isa.FOR_ITER in names:
                yield one


def _inner(flow: Flow, loop: Loop, run: Container[int]) -> Iterable[Loop]:
    return (one for one in for_loops_within(flow, loop) if one.header in run)
