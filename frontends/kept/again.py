"""FRAMEJIT_DEBUG=kept_everywhere: each entry is stored and loaded back before it is used.

Tests use it to check that a loaded entry behaves as the captured one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.config import debug_mode
from ..runtime.entry import CacheEntry
from . import writing
from .entry import KeptEntry
from .reading import brought_back
from .record import packed, unpacked

if TYPE_CHECKING:
    from ..runtime.function import Manager

IS_ON = debug_mode("kept_everywhere")
counts = {"kept": 0, "lost": 0}
"""Entries that were loaded back, and those that cannot be stored."""


def exchanged(manager: Manager, index: int, entry: CacheEntry) -> CacheEntry | KeptEntry:
    """Return the entry of a capture point after a round trip; unchanged if it cannot be stored."""
    kept = writing.fields_of(manager, index, entry)
    if kept is None:
        counts["lost"] += 1
        return entry
    back = brought_back(manager, unpacked(packed({"entry": kept}))["entry"])
    counts["kept"] += 1
    entry.forget()  # it is part of reference cycles and may hold the call's arguments
    return back
