"""Functions whose captures broke and gave no entry: later processes are told, and capture nothing.

A process that imports what captures only to find the same takes 300 ms for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...jit.config import SETTINGS, Options, is_hostile
from ..tiers.at_once import is_explaining
from .record import BadRecordError, items, text
from .surroundings import digest_of_surroundings

if TYPE_CHECKING:
    from ..runtime.function import Manager

MOST = 16
"""Maximum number of kinds of calls that are remembered for a function."""


def note_in_vain(manager: Manager, live: tuple[Any, ...]) -> bool:
    """Record that the capture of a call has broken; True if that is to be kept.

    It is kept if the function never gets an entry.
    """
    if manager.site is not None or not SETTINGS["entries"] or len(manager.vain) >= MOST:
        return False
    digest = digest_of_surroundings(manager.function, live)
    if digest is None:
        return False
    manager.vain.add(digest)
    return True


def fields_in_vain(manager: Manager) -> dict[str, Any]:
    """Return what is kept of such captures; empty if segments may begin yet."""
    points = () if manager.segmented is None else manager.segmented.points.values()
    if not manager.vain or any(point.is_awaited for point in points):
        return {}
    assert manager.dispatcher is not None
    rewritten = manager.dispatcher._fallback is not manager.function
    return {"vain": sorted(manager.vain), "rewritten": rewritten}


def take_in_vain(manager: Manager, record: dict[str, Any]) -> None:
    """Read what `fields_in_vain` has returned in an earlier process."""
    kept = items(record.get("vain", []))
    if len(kept) > MOST:
        raise BadRecordError("too many captures in vain")
    manager.vain |= set(map(text, kept))
    manager.was_rewritten = bool(record.get("rewritten"))


def is_in_vain(manager: Manager, options: Options, live: tuple[Any, ...]) -> bool:
    """True if an earlier process has found that a call has nothing to capture.

    The function is left to plain Python then, as it is where the finding was made.
    """
    dispatcher = manager.dispatcher
    if not manager.vain or manager.captures or dispatcher is None or is_hostile():
        return False
    effective = manager.effective_options(options)
    if is_explaining() or effective is None or effective.fullgraph:
        return False
    if digest_of_surroundings(manager.function, live) not in manager.vain:
        return False
    dispatcher._closed = 1
    manager.journal.skipped("known", 0)
    if manager.was_rewritten:
        manager.give_up()  # undecorated functions that it calls may have kernels
    return True
