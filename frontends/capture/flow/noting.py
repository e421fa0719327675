"""Notes which locals have been assigned, for those that only some iterations assign.

If a kernel bails late in a loop, it runs again and is halted some iterations earlier. The exit
lacks such locals, so later iterations have to assign them: see HALTED. Each note is a field of an
artificial object, as fields are carried through all regions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....jit.ir.assigned import BEFORE, NEVER, SINCE
from ....jit.ir.graph import Value
from ...bytecode.loop_assignments import assigned_together
from ..objects.fields import put
from ..state.heap import Field
from ..values.symbolic import Cell, Known, Scalar

if TYPE_CHECKING:
    from ...bytecode.loops import Loop
    from ..state.frame import Frame
    from ..state.machine import Machine


class SomeIterationsAssign(Exception):  # noqa: N818 (control flow, no error)
    """A loop must be captured again, with notes of locals that only some iterations assign."""

    def __init__(self, slots: frozenset[int]) -> None:
        super().__init__(slots)
        self.slots = slots


def begin_notes(machine: Machine, frame: Frame, loop: Loop, slots: Iterable[int]) -> bool:
    """Make the fields for a loop of the outermost frame; False inside a region, which has none."""
    if machine.is_inner:
        return False
    heap = machine.heap
    notes = heap.notes[loop.header] = {}
    for group in assigned_together(frame.flow, loop, sorted(slots)):
        cell = Cell(frame.decoded.localsplus[min(group)])
        heap.make(cell, Known(BEFORE))
        heap.fields[Field(cell)] = Known(BEFORE)
        notes |= dict.fromkeys(group, Field(cell))
    return True


@contextmanager
def noted(machine: Machine, frame: Frame, loop: Loop) -> Generator[None]:
    """Wrap the capture of an outermost loop: note its assignments if it has notes by now."""
    heap = machine.heap
    notes = heap.notes.get(loop.header, {})
    if machine.depth or machine.loop_depth:
        notes = heap.noted  # of the outer loop
    elif not heap.fields.keys() >= {*notes.values()}:
        notes = {}  # the machine was rolled back to before they existed
    around, heap.noted = heap.noted, notes
    for field in {*notes.values()} if notes is not around else ():
        slots = (slot for slot, one in notes.items() if one == field)
        unbound = all(frame.locals[slot] is None for slot in slots)
        put(machine, field, Known(NEVER if unbound else BEFORE))
    try:
        yield
    finally:
        heap.noted = around


def note(machine: Machine, slot: int) -> None:
    """Note that the running frame assigns or unbinds a local."""
    field = machine.heap.noted.get(slot) if machine.depth == 0 else None
    if field is not None:
        put(machine, field, Known(SINCE))


def notes_in(machine: Machine, found: Frame) -> list[Value] | None:
    """Return the notes after the last iteration, from a frame that has the fields.

    None if a local was bound before the loop and no iteration seen assigns it.
    """
    values = []
    places = {field: place for place, field in enumerate(machine.heap.fields)}
    for field in dict.fromkeys(machine.heap.noted.values()):
        note_ = found.locals[len(found.decoded.localsplus) + places[field]]
        if isinstance(note_, Scalar):
            values.append(note_.value)
        elif not (isinstance(note_, Known) and note_.object != BEFORE):
            return None
    return values
