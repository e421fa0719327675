"""Which slots a turn of a loop surely assigns or unbinds, and which together."""

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
    setting = {
        one.header for one in _inner(flow, loop, run) if is_set_by_turns(flow, one, slot, run)
    }
    setting |= _places(flow, loop, slot)
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


def assigned_together(flow: Flow, loop: Loop, slots: Iterable[int]) -> list[set[int]]:
    """Slots in groups: a turn of the loop that comes to its end assigns all of a group or none.

    Two of a group are assigned in the same blocks of instructions, or both by all turns of a loop
    within which only ends behind a turn.
    """
    groups: dict[frozenset[int], set[int]] = {}
    within = [
        one
        for one in flow.loops
        if one.header in loop.body - {loop.header}
        and all(inside == one.header for inside, _ in one.exits)
    ]
    for slot in slots:
        places = _places(flow, loop, slot)
        whole = (one for one in within if places <= one.body and is_set_by_turns(flow, one, slot))
        biggest = max(whole, key=lambda one: len(one.body), default=None)
        begins = {_begin(flow, place) for place in places} if biggest is None else {biggest.header}
        groups.setdefault(frozenset(begins), set()).add(slot)
    return list(groups.values())


def _places(flow: Flow, loop: Loop, slot: int) -> set[int]:
    """The instructions of a loop that assign a slot."""
    instructions = flow.decoded.instructions
    return {index for index in loop.body if slot in stored(instructions[index])}


def _begin(flow: Flow, index: int) -> int:
    """The first instruction of the block that one is in, which all run if the first does."""
    while True:
        before = flow.predecessors[index]
        if len(before) != 1 or len(flow.successors[before[0]]) != 1:
            return index
        index = before[0]


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
