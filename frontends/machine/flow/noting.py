"""Locals that no turn reads and only some turns assign: numbers tell which have been assigned.

Where a kernel bails late in a loop, it runs once more and is halted some turns before. The exit
lacks such locals, so that the turns from there on have to assign them: see HALTED. Each is noted in
a field of an object that is there for nothing else, as fields are carried through all regions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....jit.ir.assigned import BEFORE, NEVER, SINCE
from ....jit.ir.graph import Value
from ...bytecode.turns import assigned_together
from ..objects.fields import put
from ..objects.heap import Field
from ..values import Cell, Known, Scalar

if TYPE_CHECKING:
    from ...bytecode.loops import Loop
    from ..frame import Frame
    from ..machine import Machine


class SomeTurnsAssign(Exception):  # noqa: N818
    """A loop is captured once more, with notes of locals that only some of its turns assign."""

    def __init__(self, slots: frozenset[int]) -> None:
        super().__init__(slots)
        self.slots = slots


def begin_notes(machine: Machine, frame: Frame, loop: Loop, slots: Iterable[int]) -> bool:
    """Makes the fields for a loop of the frame itself; False inside of a region, which has none."""
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
    """Around the capture of an outermost loop: what it assigns is noted if it has notes by now."""
    heap = machine.heap
    notes = heap.notes.get(loop.header, {})
    if machine.depth or machine.turning:
        notes = heap.noted  # of the loop around
    elif not heap.fields.keys() >= {*notes.values()}:
        notes = {}  # the machine has gone back to before they were made
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
    """The frame that runs assigns a local, or unbinds it."""
    field = machine.heap.noted.get(slot) if machine.depth == 0 else None
    if field is not None:
        put(machine, field, Known(SINCE))


def notes_in(machine: Machine, found: Frame) -> list[Value] | None:
    """The numbers behind the last turn, from a frame that holds the fields.

    None where one is bound before the loop and no turn was seen that assigns it.
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
