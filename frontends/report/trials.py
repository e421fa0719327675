"""Lists the kernels and rewritten code that plain Python replaces because it was faster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.native import Dispatcher
from ..tiers.savings import has_lost
from .journal import RULES

if TYPE_CHECKING:
    from ..runtime.function import Manager


def slower(manager: Manager, dispatcher: Dispatcher) -> list[tuple[int, int, str]]:
    """Return (first instruction, trials so far, both times in words) of each kernel or code.

    Kernels of whole calls and rewritten code have instruction 0 and one row per kind of calls.
    """
    whole = [entry.native.trials() for entry in manager.whole if entry.native is not None]
    found = [(0, trial[:4]) for kinds in (dispatcher._trials, *whole) for trial in kinds]
    points = dict(manager.segmented.points) if manager.segmented is not None else {}
    found += [
        (at, point.segment.trial()) for at, point in points.items() if point.segment is not None
    ]
    return [(at, trial[0], _reason(*trial[2:])) for at, trial in found if has_lost(trial)]


def _reason(compiled: int, as_it_is: int) -> str:
    return RULES["slower"].format(f"{as_it_is / 1e3:,.1f} us", f"{compiled / 1e3:,.1f} us")
