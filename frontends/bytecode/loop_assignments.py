"""Slots that each iteration of a loop assigns, and slots that are assigned together."""

from __future__ import annotations

from collections.abc import Container, Iterable

from . import isa
from .flow import Flow
from .liveness import stored
from .loops import Loop


def every_iteration_sets(flow: Flow, loop: Loop, slot: int, run: Container[int] = ()) -> bool:
    """True if every path through an iteration assigns or unbinds the slot.

    Args:
        flow: The facts about the code.
        loop: One of its loops.
        slot: The local.
        run: Headers of inner loops that are assumed to iterate at least once.
    """
    setting = {
        one.header for one in _inner(flow, loop, run) if every_iteration_sets(flow, one, slot, run)
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
    """Group slots such that a complete iteration assigns all of a group or none.

    Two slots of a group are assigned in the same basic blocks, or both by all iterations of an
    inner loop that only ends after an iteration.
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
        whole = (
            one for one in within if places <= one.body and every_iteration_sets(flow, one, slot)
        )
        biggest = max(whole, key=lambda one: len(one.body), default=None)
        begins = {_begin(flow, place) for place in places} if biggest is None else {biggest.header}
        groups.setdefault(frozenset(begins), set()).add(slot)
    return list(groups.values())


def _places(flow: Flow, loop: Loop, slot: int) -> set[int]:
    """Return the instructions of a loop that assign a slot."""
    instructions = flow.decoded.instructions
    return {index for index in loop.body if slot in stored(instructions[index])}


def _begin(flow: Flow, index: int) -> int:
    """Return the first instruction of the basic block that contains this one."""
    while True:
        before = flow.predecessors[index]
        if len(before) != 1 or len(flow.successors[before[0]]) != 1:
            return index
        index = before[0]


def for_loops_within(flow: Flow, loop: Loop) -> Iterable[Loop]:
    """Return the `for` loops in the body of a loop, nested ones too."""
    instructions = flow.decoded.instructions
    for one in flow.loops:
        if one is not loop and one.header in loop.body:
            names = [op.name for op in instructions[one.header].ops]
            if isa.FOR_ITER in names:
                yield one


def _inner(flow: Flow, loop: Loop, run: Container[int]) -> Iterable[Loop]:
    return (one for one in for_loops_within(flow, loop) if one.header in run)
