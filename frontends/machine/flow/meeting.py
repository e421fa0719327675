"""Where the two ways of a branch meet."""

from __future__ import annotations

from collections.abc import Iterable

from ....jit.frozen import dataclass
from ...bytecode import isa
from ...bytecode.flow import Flow
from .paths import RETURN, Region

_RAISES = frozenset({isa.RAISE_VARARGS, isa.RERAISE})
_YIELDS = frozenset({isa.YIELD_VALUE, isa.SEND})


@dataclass(frozen=True, slots=True)
class Meets:
    """What a branch has before it."""

    points: frozenset[int]
    """Instructions that both ways lead to; RETURN among them."""
    first_is_shorter: bool
    """Whether less lies on the way that falls through."""


def meeting_points(flow: Flow, index: int, region: Region, returns_meet: bool) -> Meets:
    """Looks ahead from an instruction to the ends of the region.

    Args:
        flow: of the function.
        index: the instruction that branches; one that does not meets behind itself.
        region: its stops, and what leads out of its loop, are not looked beyond.
        returns_meet: whether a return leads to RETURN or out of the segment.
    """
    far = _far(flow, index, region)
    ways = [_reached(flow, other, far, returns_meet) for other in _following(flow, index)]
    if len(ways) == 1:
        return Meets(frozenset(_following(flow, index)), True)
    return Meets(frozenset(ways[0] & ways[1]), len(ways[0]) <= len(ways[1]))


def met_again(
    flow: Flow, index: int, others: Iterable[int], region: Region, returns_meet: bool
) -> frozenset[int]:
    """What a path that goes on from an instruction has in common with others that wait elsewhere.

    It waits there too: what follows would be captured for it, and once more for the others.
    """
    far = _far(flow, index, region)
    theirs: set[int] = set()
    for other in others:
        if other != RETURN and other not in theirs:
            theirs |= _reached(flow, other, far, returns_meet)
    return frozenset(theirs & _reached(flow, index, far, returns_meet) - {index})


def _far(flow: Flow, index: int, region: Region) -> Region:
    """The region, with the next turns of the loops around an instruction as ends."""
    around = frozenset(loop.header for loop in flow.loops if index in loop.body)
    return Region(region.stops | around, region.loop)


def _following(flow: Flow, index: int) -> tuple[int, ...]:
    """Successors without the exception handler."""
    handler = flow.decoded.instructions[index].handler
    target = None if handler is None else handler.target
    return tuple(other for other in flow.successors[index] if other != target)


def _reached(flow: Flow, start: int, region: Region, returns_meet: bool) -> set[int]:
    """What is reached inside the region; places that end it are in the answer."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        index = pending.pop()
        if index in seen:
            continue
        if region.loop is not None and not region.loop.goes_on_at(index):
            continue  # round again, or out: it meets nobody
        seen.add(index)
        if index in region.stops:
            continue
        following = _following(flow, index)
        if not following and returns_meet:
            seen.add(RETURN)
        pending += following
    return seen


def only_raises(flow: Flow, index: int, *, handled: bool = True) -> bool:
    """True if all that can come next is an exception; `handled`: also one that a `try` catches."""
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
