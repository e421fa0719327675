"""Variables that inner functions share, where several ways are captured.

What a cell holds is known to the heap, which all ways have in common. Where a frame forks, what
its own cells hold is put into the frame instead, so that each way has its own, and is joined with
those of the others as locals are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bytecode.model import SlotKind
from ..frame import Frame
from ..values import Cell

if TYPE_CHECKING:
    from ..machine import Machine


def own_cells(frame: Frame) -> Iterator[tuple[int, Cell]]:
    """The cells that a frame has made, by slot."""
    for slot, cell in frame.cells.items():
        is_own = frame.decoded.kinds[slot] is SlotKind.CELL
        if is_own and isinstance(cell, Cell) and cell.source is None:
            yield slot, cell


def put_away(machine: Machine, frame: Frame) -> None:
    """What the frame's cells hold is in the frame from here on."""
    if not frame.holds_cells:
        for slot, cell in own_cells(frame):
            frame.locals[slot] = machine.heap.state(cell)
        frame.holds_cells = True


def take_up(machine: Machine, frame: Frame) -> None:
    """What the frame's cells hold is in the heap again; it may change on the frame's way."""
    if frame.holds_cells:
        for slot, cell in own_cells(frame):
            machine.heap.carry(cell, frame.locals[slot])
            frame.locals[slot] = None
        frame.holds_cells = False


def needed_at(frame: Frame, index: int) -> frozenset[int]:
    """Variables that may be read from an instruction on; inner functions read those they share."""
    live = frame.flow.live_at(index) if index >= 0 else frozenset[int]()
    return live | {slot for slot, _ in own_cells(frame)}
