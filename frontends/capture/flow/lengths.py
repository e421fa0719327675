"""Limits the size of segments, as compile time grows with the number of operations."""

from __future__ import annotations

from ...bytecode.placement import why_no_entry
from ..state.frame import Frame
from ..state.machine import Machine
from ..state.paths import Pause
from ..values.breaks import TOO_LONG


def may_end_at(machine: Machine, frame: Frame) -> bool:
    """True if the segment may end before the frame's instruction, where another one may begin."""
    at = frame.flow.group_start(frame.index)
    return at != machine.begun_at and why_no_entry(frame.flow, at) is None


def check_size(machine: Machine, frame: Frame, *, outermost: bool) -> None:
    """End a segment with very many operations.

    Between two statements of the outermost frame another one continues. In loops, branches and
    inlined functions that is impossible, so more is allowed; beyond that, it ends before the
    outermost of them, or breaks if it began there.

    Raises:
        Pause: the segment ends here.
    """
    builder, budget = machine.builder, machine.budget
    if builder.made <= budget.most_nodes:
        return
    most = budget.most_in_regions
    if outermost:
        builder.made = sum(1 for _ in builder.nodes())
        if len(frame.stack) == machine.base and may_end_at(machine, frame):
            most = budget.most_nodes
    if builder.made > most:
        detail = f"more than {most} operations, which would take seconds to compile"
        raise Pause("size", TOO_LONG, detail)
