"""FRAMEJIT_DEBUG=kept_everywhere: each entry goes to its form on disk and back before it serves.

For tests: what was brought back answers as what was captured does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.config import debug_mode
from ..entry import CacheEntry
from . import writing
from .entry import KeptEntry
from .reading import brought_back
from .record import packed, unpacked

if TYPE_CHECKING:
    from ..function import Manager

IS_ON = debug_mode("kept_everywhere")
counts = {"kept": 0, "lost": 0}
"""Entries that came back, and those that cannot be kept."""


def exchanged(manager: Manager, index: int, entry: CacheEntry) -> CacheEntry | KeptEntry:
    """What comes back of an entry of the capture point at an instruction; it, where it cannot."""
    kept = writing.fields_of(manager, index, entry)
    if kept is None:
        counts["lost"] += 1
        return entry
    back = brought_back(manager, unpacked(packed({"entry": kept}))["entry"])
    counts["kept"] += 1
    entry.forget()  # it leads round in circles, and may hold what the call was given
    return back
