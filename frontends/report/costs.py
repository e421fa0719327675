"""What segments and graph breaks have cost, in calls that were explained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...jit.frozen import dataclass
from ..entry import CacheEntry
from ..visits import total_of

if TYPE_CHECKING:
    from ..function import Manager
    from .told import AnyEntry


@dataclass(frozen=True, slots=True)
class Outside:
    """Time that the interpreter has spent outside of segments."""

    seconds: dict[int, float]
    """At each instruction that broke, with what lies between the segments on both sides."""
    total: float
    """Of the function: with that in segments."""


def outside_at(manager: Manager, broken: Sequence[int]) -> Outside | None:
    """The time outside of segments, divided among instructions that broke; None: not measured.

    Instructions of the same line go to its break, all others to the break before them. What comes
    before the first break goes to that one.
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
    """The break that an instruction stands with."""
    same = [one for one in broken if lines[one] == lines[at]]
    behind = [one for one in same if one >= at]
    before = [one for one in same or broken if one <= at]
    return min(behind, default=max(before, default=min(broken)))


def seconds_of(manager: Manager, at: int, entry: AnyEntry) -> float | None:
    """Of the fastest launch at a capture point, or of an entry of calls; None: not known."""
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
