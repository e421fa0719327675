"""Slices."""

from __future__ import annotations

from typing import Any

from ....jit.frozen import dataclass
from .value_kind import OfParts, live_in


@live_in
@dataclass(frozen=True, eq=False, slots=True)
class Slice(OfParts):
    """A slice (start, stop, step), made here or a live-in."""

    words = "a slice"
    stands_for = slice
    part_names = ("start", "stop", "step")
    do_parts_decide_breaks = True

    @classmethod
    def expected(cls, parts: tuple[Any, ...]) -> Any:
        """Return a slice, whose bounds may be anything."""
        return slice(*parts)
