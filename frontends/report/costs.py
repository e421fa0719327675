"""The time of segments and graph breaks in explained calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...jit.frozen import dataclass
from ..runtime.entry import CacheEntry
from ..runtime.visits import total_of

if TYPE_CHECKING:
    from ..runtime.function import Manager
    from .capture_record import AnyEntry


@dataclass(frozen=True, slots=True)
class Outside:
    """Time that the interpreter spent outside of segments."""

    seconds: dict[int, float]
    """For each instruction that broke, including the code between the segments around it."""
    total: float
    """Time of the function, including segments."""


def outside_at(manager: Manager, broken: Sequence[int]) -> Outside | None:
    """Return the time outside of segments, divided among breaks; None if not measured.

    Instructions of a break's line count for it, all others for the break before them. Code before
    the first break counts for that one.
    """
    code = manager.segmented
    visits = None if code is None else code.visits
    if code is None or visits is None or not visits.counted_calls:
        return None
    spent = visits.outside()
    seconds = dict.fromkeys(broken, 0.0)
    lines = [one.line for one in code.decoded.instructions]
    for at, took in spent.items():
        if broken:
            seconds[_break_of(at, broken, lines)] += took
    return Outside(seconds, sum(spent.values()) + visits.inside())


def _break_of(at: int, broken: Sequence[int], lines: Sequence[int | None]) -> int:
    """Return the break that the time of an instruction counts for."""
    same = [one for one in broken if lines[one] == lines[at]]
    behind = [one for one in same if one >= at]
    before = [one for one in same or broken if one <= at]
    return min(behind, default=max(before, default=min(broken)))


def seconds_of(manager: Manager, at: int, entry: AnyEntry) -> float | None:
    """Return the fastest launch of an entry; None if unknown."""
    if entry.native is None or not entry.native.hits:
        return None
    if isinstance(entry, CacheEntry) and entry.pace is not None and entry.pace.bytes is None:
        return None  # it has served other calls
    total = total_of(manager)
    if any(entry is one for one in manager.whole):
        return total.seconds if 0 < total.calls == total.whole else None
    code = manager.segmented
    visits = None if code is None else code.visits
    return None if visits is None else visits.of_segment(at)
