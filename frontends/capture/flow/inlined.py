"""Inlined calls: frames of callees run as part of the caller."""

from __future__ import annotations

from ..state.frame import Frame
from ..state.machine import Machine
from ..state.paths import RETURN, Landing
from ..values.breaks import CALL, GraphBreak, in_file
from ..values.symbolic import Known, Symbolic


def run_inlined(machine: Machine, frame: Frame, name: str) -> Frame:
    """Run an inlined function's frame; a break in it becomes a break of the call."""
    return landing_of(machine, frame, name).only()


def landing_of(machine: Machine, frame: Frame, name: str) -> Landing:
    """Run such a frame to the stops of its region."""
    machine.depth += 1
    machine.inlined.append(frame.decoded.code)
    try:
        landing = machine.run(frame)
    finally:
        machine.depth -= 1
        machine.inlined.pop()
    if (ended_by := landing.ended_by) is not None:
        call = f"call of {name}, which breaks at line "
        where = ended_by.location
        detail = f"{call}{where.line}{in_file(where.filename)}: {ended_by.detail}"
        raise GraphBreak(CALL, detail[detail.rindex(call) :])  # for recursion, the deepest
    if not landing.frames:
        raise GraphBreak(CALL, f"call of {name}, which never comes back")
    return landing


def returned(frame: Frame) -> Symbolic:
    """Return the value that the return at which a frame is gives back."""
    if frame.index == RETURN:
        return frame.stack[-1]
    first = frame.decoded.instructions[frame.index].ops[0]
    if first.name == "LOAD_CONST":
        return Known(first.arg)
    return frame.stack[-1]
