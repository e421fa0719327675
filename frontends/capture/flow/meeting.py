"""Finds where the two paths of a branch meet."""

from __future__ import annotations

from collections.abc import Iterable

from ....jit.frozen import dataclass
from ...bytecode import isa
from ...bytecode.flow import Flow
from ..state.paths import RETURN, Region

_RAISES = frozenset({isa.RAISE_VARARGS, isa.RERAISE})
_YIELDS = frozenset({isa.YIELD_VALUE, isa.SEND})


@dataclass(frozen=True, slots=True)
class Meets:
    """The code ahead of a branch."""

    points: frozenset[int]
    """Instructions that both paths reach; RETURN among them."""
    first_is_shorter: bool
    """True if there is less code on the path that falls through."""


def meeting_points(flow: Flow, index: int, region: Region, returns_meet: bool) -> Meets:
    """Look ahead from an instruction to the ends of the region.

    Args:
        flow: The facts about the function.
        index: The branch; an instruction that does not branch meets after itself.
        region: Its stops and the exits of its loop are not passed.
        returns_meet: True if a return leads to RETURN, False if it leaves the segment.
    """
    far = _far(flow, index, region)
    ways = [_reached(flow, other, far, returns_meet) for other in _following(flow, index)]
    if len(ways) == 1:
        return Meets(frozenset(_following(flow, index)), True)
    return Meets(frozenset(ways[0] & ways[1]), len(ways[0]) <= len(ways[1]))


def met_again(
    flow: Flow, index: int, others: Iterable[int], region: Region, returns_meet: bool
) -> frozenset[int]:
    """Return what a path from an instruction has in common with paths that wait elsewhere.

    It waits there too; otherwise the code after it would be captured for each of them.
    """
    far = _far(flow, index, region)
    theirs: set[int] = set()
    for other in others:
        if other != RETURN and other not in theirs:
            theirs |= _reached(flow, other, far, returns_meet)
    return frozenset(theirs & _reached(flow, index, far, returns_meet) - {index})


def _far(flow: Flow, index: int, region: Region) -> Region:
    """Return the region, with the headers of loops around an instruction as stops."""
    around = frozenset(loop.header for loop in flow.loops if index in loop.body)
    return Region(region.stops | around, region.loop)


def _following(flow: Flow, index: int) -> tuple[int, ...]:
    """Return the successors without the exception handler."""
    handler = flow.decoded.instructions[index].handler
    target = None if handler is None else handler.target
    return tuple(other for other in flow.successors[index] if other != target)


def _reached(flow: Flow, start: int, region: Region, returns_meet: bool) -> set[int]:
    """Return what is reachable inside the region, places that end it included."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        index = pending.pop()
        if index in seen:
            continue
        if region.loop is not None and not region.loop.is_inside(index):
            continue  # next iteration, or out of the loop: it meets nothing
        seen.add(index)
        if index in region.stops:
            continue
        following = _following(flow, index)
        if not following and returns_meet:
            seen.add(RETURN)
        pending += following
    return seen


def only_raises(flow: Flow, index: int, *, handled: bool = True) -> bool:
    """True if only an exception can follow; `handled`: even one that a `try` catches."""
    seen: set[int] = set()
    pending = [index]
    while pending:
        index = pending.pop()
        if index in seen:
            continue
        seen.add(index)
        following = _following(flow, index)
        instruction = flow.decoded.instructions[index]
        ops = instruction.ops
        if not (following or handled) and instruction.handler is not None:
            return False
        if not following and not any(op.name in _RAISES for op in ops):
            return False
        if any(op.name in _YIELDS for op in ops) or any(after <= index for after in following):
            return False
        pending += following
    return True
