"""Lessons that the next captures of a function learn from bails and misses of its calls.

A capture treats as constant what usually repeats, because more is then known of the graph. If a
call differs, the next capture is more general.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakMethod

from ...jit.checks import Check
from ...jit.frozen import dataclass, field

if TYPE_CHECKING:
    from ...jit.ir.graph import Spot
    from ..report.misses import Missed

MAX_FRUITLESS = 4
"""Number of captures without an entry after which calls run eagerly without asking again."""
MAX_SPOTS = 8
"""Maximum number of instructions per function before which captures end."""
_OF_LENGTHS = (Check.SIZE, Check.SHAPE, Check.EMPTY)
_OF_STORES = (Check.SHARED, Check.OVERLAP, Check.LOUD)


@dataclass(slots=True)
class Lessons:
    """The lessons of one function."""

    too_short: set[int] = field(default_factory=set)
    """Headers of loops with so few iterations that segments do not continue in them."""
    varying: set[str] = field(default_factory=set)
    """Lists whose length, and ints whose value, differ each time, in the user's words: segments in
    loops do not rely on them."""
    lengths: set[str] = field(default_factory=set)
    """Lists whose length differs from call to call, in the user's words: captures do not fix it if
    they get as far without."""
    certain: set[str] = field(default_factory=set)
    """Such lists whose length captures have to rely on nevertheless."""
    kinds: set[str] = field(default_factory=set)
    """Numbers whose type, and objects whose class, differ from call to call, in the user's words;
    see `capture/state/number_kinds.py` and `capture/objects/attributes.py`."""
    lines: set[str] = field(default_factory=set)
    """Those of the numbers that are arrays with one axis in other calls."""
    any_length: bool = False
    """Computed lengths are sometimes 0 or 1 and sometimes larger."""
    takes_long: bool = False
    """Loops assumed to be short take long: all of them must be haltable between two iterations."""
    spots: dict[Spot, Check] = field(default_factory=dict)
    """Instructions whose check failed repeatedly: captures end before them, plain Python runs them,
    and their results get guards."""

    aside: bool = False
    """In-place statements compute values elsewhere before storing them, because their arrays
    overlap or floating point errors raise."""
    due: WeakMethod[Callable[[], None]] | None = None
    """Called when an entry requests another capture; weak, as its owner holds this object."""

    def outside_of_loops(self) -> Lessons:
        """Return the lessons for captures outside of loops, which may fix what varies in loops."""
        from dataclasses import replace  # captures only

        return replace(self, varying=set(), due=None)

    def heed(self, missed: Missed | None) -> None:
        """Learn from a miss because something varies: the next capture leaves that open."""
        if missed is not None and missed.varies == "kind":
            self.kinds.update((missed.of, *missed.beside, *missed.lines))
            self.lines.update(missed.lines)
        if missed is not None and missed.varies == "length" and missed.of not in self.certain:
            self.lengths.add(missed.of)

    def rely_on_lengths(self) -> None:
        """Note that captures which leave list lengths open do not get as far."""
        self.certain |= self.lengths
        self.lengths.clear()

    def learn(self, check: Check, *, is_narrow: bool) -> bool:
        """Learn from a bail; return True if the next capture may avoid it.

        `is_narrow`: the kernel fixed computed lengths to 0 or 1.
        """
        if check in _OF_STORES and not self.aside:
            self.aside = True
            return True
        if is_narrow and check in _OF_LENGTHS:
            self.any_length = True
            return True
        return False

    def end_before(self, spot: Spot, check: Check) -> bool:
        """Return True if the next capture will end before an instruction with repeated bails."""
        if len(self.spots) < MAX_SPOTS:
            self.spots.setdefault(spot, check)
        return spot in self.spots

    def ask(self) -> None:
        """Announce that another capture is due."""
        if self.due is not None and (due := self.due()) is not None:
            due()
