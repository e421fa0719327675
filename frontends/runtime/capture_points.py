"""Capture points: where segments may begin, what captures there found, and where they exit to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from ...jit.config import Options
from ...jit.frozen import dataclass, field
from ...jit.native import Segment
from ..bytecode.kinds import Kind
from ..bytecode.stub import Exit
from ..tiers import copies, waiting

if TYPE_CHECKING:
    from ..kept.entry import KeptEntry
    from .entry import CacheEntry
    from .segments import SegmentedCode


@dataclass(eq=False)
class CapturePoint:
    """A bytecode position where a segment may begin; the native Segment asks it on a miss."""

    code: SegmentedCode
    at: int
    below: int
    """Number of stack items that belong to enclosing loops, `with` blocks and pending calls."""
    consumed: int
    """Number of stack items above them, which the segment takes the place of."""
    live: tuple[int, ...]
    exits: list[Exit] = field(default_factory=list)
    entries: list[CacheEntry | KeptEntry] = field(default_factory=list)
    segment: Segment | None = None
    """The segment in the newest version of the code."""
    segments: list[Segment] = field(default_factory=list)
    """Segments of all versions; running frames may still call older ones."""
    barren: bool = False
    """Capture from real live-ins gave nothing: the next version has no stub here."""
    rests: bool = False
    """That was because graphs cannot hold their kind; it is tried once more with others."""
    asked_again: bool = False
    hopeful: bool = False
    """Exploring could not decide: real live-ins may be worth a segment."""
    lengths: int = 0
    """Misses because a list or tuple had a length that no entry has."""
    values: Counter[str] = field(default_factory=Counter)
    """Misses because an int had a value that no entry has, by name."""
    dropped: bool = False
    """A stub costs more than it gains for the present arguments, or until a capture pays: the next
    version has none."""
    too_short: bool = False
    """The loops entered here have too few iterations: no further version has a stub for them."""
    waits: bool = False
    """The captures of a call have taken too long; it is tried again in a later one."""
    postponed: list[Segment] = field(default_factory=list)
    """Segments that stay closed until a capture pays."""
    foreseen: bool = False
    """An explained call has looked for the breaks behind it, though no segment may run."""
    resumes: bool = False
    """Bails of whole calls continue here: each version has a stub for them."""

    @property
    def indices(self) -> tuple[int, ...]:
        """Return which of the consumed stack items are indices, which are not passed."""
        kinds = self.code.flow.stack_at(self.at)[self.below :]
        return tuple(k for k, kind in enumerate(kinds) if kind is Kind.INDEX)

    @property
    def given(self) -> int:
        """Return the number of stack items that are passed to the segment."""
        return self.consumed - len(self.indices)

    @property
    def is_awaited(self) -> bool:
        """True if a segment may begin here, and nothing was captured from real live-ins yet."""
        return bool(self.hopeful or self.exits) and not (self.barren or self.entries or self.is_off)

    @property
    def is_off(self) -> bool:
        """True if no further version runs the point's entries."""
        return self.dropped or self.too_short

    @property
    def resumed_in_loop(self) -> bool:
        """True if the point is inside a loop."""
        return any(self.at in loop.body for loop in self.code.flow.loops)

    def miss(self, segment: Segment, options: Options, live: tuple[Any, ...]) -> bool:
        """Capture, as no entry holds for these live-ins; return True if there is a new entry."""
        owner = self.code.owner

        def capture() -> bool:
            from .point_captures import capture_or_resume

            return capture_or_resume(self, segment, options, live)

        if owner.may_capture_here(options):
            return owner.guarded_capture(capture)
        if copies.may_begin(owner):
            copies.begin(owner, capture)
        self.postpone(segment)  # before the capturing code is imported
        for entry in self.entries:
            entry.resume()
        return False

    def foresee(self, segment: Segment, options: Options, live: tuple[Any, ...]) -> bool:
        """Look once for the breaks behind this point, which a report is to tell of.

        Called by segment.c in an explained call whose frame holds an object that a segment must not
        keep alive: no segment runs, so that nothing would be captured from these values.
        """
        if self.foreseen:
            return False
        self.foreseen = True

        def look() -> bool:
            from .point_captures import foresee

            return foresee(self, live)

        return self.code.owner.guarded_capture(look)

    def postpone(self, segment: Segment) -> None:
        """Close the segment until a capture pays."""
        segment.closed = True
        if not self.postponed:
            waiting.wait(WeakMethod(self._reopen))
        self.postponed.append(segment)

    def _reopen(self) -> bool:
        """Reopen the code's postponed segments if a capture pays by now; return False if not."""
        if not self.postponed:
            return True  # another point has reopened it
        owner = self.code.owner
        if not (owner.may_capture_here() or copies.may_begin(owner)):
            return False
        points = [one for one in self.code.points.values() if one.postponed]
        without_stub = [one for one in points if one.dropped]
        for point in points:
            for segment in point.postponed:
                segment.open()
            point.postponed.clear()
            point.dropped = False
        if without_stub:
            owner.guarded_capture(self.code.rewritten)
        return True

    def found_too_short(self, loops: frozenset[int]) -> None:
        """Give up these loops everywhere, as launches do too little of them."""
        self.code.owner.lessons.too_short |= loops
        for point in self.code.points.values():
            point._leave_alone(loops)
        self.code.owner.journal.skipped("few-iterations", self.at)
        self.code.rewrite()

    def slower(self, segment: Segment) -> None:
        """Drop the segment's stub, as plain Python is faster; called by segment.c."""
        self.postponed.clear()
        self._drop(segment)

    def in_vain(self, segment: Segment) -> None:
        """React to many vain calls of a closed segment in a row; called by segment.c.

        The stub of a postponed segment goes, too: nobody knows how long it would ask in vain.
        """
        if self.waits:
            self.ask_again()
            return
        if self.rests and segment is self.segment:
            # The first live-in was, say, an unaligned array or a big int: the next one may be
            # captured.
            self.rests, self.asked_again = False, True
            segment.closed = False
            return
        self._drop(segment)

    def _drop(self, segment: Segment) -> None:
        """Make a version without the segment, unless only frames of older versions have it."""
        if segment is self.segment and not self.dropped:
            self.code.owner.guarded_capture(lambda: self.code.drop(self))

    def ask_again(self) -> None:
        """Resume captures that have waited for another call."""
        if self.waits and self.segment is not None:
            self.segment.closed = False
        self.waits = False

    def _leave_alone(self, loops: frozenset[int]) -> None:
        """Drop the point if its segment would continue in one of these loops."""
        for entry in self.entries:
            if entry.native is not None and entry.goes_round & loops:
                entry.native.idle = 1
                self.too_short = True
        if self.too_short:
            for segment in self.segments:
                segment.closed = True
