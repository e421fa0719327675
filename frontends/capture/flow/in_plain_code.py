"""Maps positions in calls that the compiler also wrote as loops to where plain Python is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bytecode.written_out import InLoop
from ..objects.lists import new_list
from ..state.live import realise
from ..values.symbolic import Known

if TYPE_CHECKING:
    from ..state.frame import Frame
    from ..state.machine import Machine

BUILTINS = (tuple, all, any, list)


def in_plain_code(machine: Machine, frame: Frame) -> Frame:
    """Return the frame as plain Python would have it, for an exit."""
    while (place := frame.flow.written_out.get(frame.index)) is not None:
        below = len(frame.flow.stack_at(place.branch)) - 2
        if below < machine.base:
            break  # plain Python has done its test and is here too
        callee = realise(machine, frame.stack[below])
        if not isinstance(callee, Known) or not any(callee.object is one for one in BUILTINS):
            break
        frame = _moved(machine, frame, place, below)
        if place.items == 0:
            break
    return frame


def _moved(machine: Machine, frame: Frame, place: InLoop, below: int) -> Frame:
    found = frame.copy()
    found.index = place.at
    if place.items == 0:
        found.stack[below + 1] = Known(True)
    elif place.items > 1:
        found.stack[below : below + place.items] = [new_list(machine, ())] * place.has_list
    return found
