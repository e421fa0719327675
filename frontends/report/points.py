"""Capture points of a function with their entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .capture_record import AnyEntry

if TYPE_CHECKING:
    from ..runtime.function import Manager


def capture_points(manager: Manager) -> list[tuple[int, list[AnyEntry]]]:
    """Return (instruction, entries) of each capture point with entries, in program order."""
    points = dict(manager.segmented.points) if manager.segmented is not None else {}
    found = {index: list(point.entries) for index, point in points.items() if point.entries}
    inside = {id(entry) for entries in found.values() for entry in entries}
    whole = [entry for entry in manager.entries if id(entry) not in inside]
    if whole:
        found[0] = whole + found.get(0, [])
    return sorted(found.items())


def passes_of(entry: AnyEntry) -> int:
    """Return the number of launches that ran to the end of the segment."""
    hits = 0 if entry.native is None else entry.native.hits
    return hits - sum(entry.bails.get(why, 0) for why in ("checkpoint", "halted", "late"))
