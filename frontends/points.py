"""Capture points: where in a function a segment may begin, what it met there, where it goes on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from ..jit.config import Options
from ..jit.native import Segment
from .bytecode.stub import Exit
from .runtime import copies, waiting

if TYPE_CHECKING:
    from .entry import CacheEntry
    from .kept.entry import KeptEntry
    from .segments import SegmentedCode


@dataclass(eq=False)
class CapturePoint:
    """A bytecode position where a segment may begin; what a native Segment asks on a miss."""

    code: SegmentedCode
    at: int
    below: int
    """Stack items that belong to loops, `with` blocks and pending calls around the point."""
    consumed: int
    """Stack items above them: they go into the segment."""
    live: tuple[int, ...]
    exits: list[Exit] = field(default_factory=list)
    entries: list[CacheEntry | KeptEntry] = field(default_factory=list)
    segment: Segment | None = None
    """The segment of the newest version of the code."""
    segments: list[Segment] = field(default_factory=list)
    """Those of all versions: frames that run may still call the older ones."""
    barren: bool = False
    """Real live-ins came and gave nothing: the next version has no stub here."""
    rests: bool = False
    """They were of a kind that graphs do not hold; others may come, so it is asked once more."""
    asked_again: bool = False
    hopeful: bool = False
    """Exploring could not tell: real live-ins may be worth a segment."""
    lengths: int = 0
    """Misses since a list or tuple was longer or shorter than in any entry."""
    values: Counter[str] = field(default_factory=Counter)
    """Misses since an int had another value than in any entry, by its name."""
    dropped: bool = False
    """A stub costs more than it gives, for arguments as they are: the next version has none."""
    too_short: bool = False
    """What goes on here are loops of too few turns: no version has a stub for them any more."""
    waits: bool = False
    """The captures of a call have taken too long; in a later one it is asked again."""
    postponed: list[Segment] = field(default_factory=list)
    """They are closed until a capture pays."""
    resumes: bool = False
    """Bails of whole calls go on here: each version has a stub for them."""

    @property
    def resumed_in_loop(self) -> bool:
        """Whether the point is inside of a loop."""
        return any(self.at in loop.body for loop in self.code.flow.loops)

    def miss(self, segment: Segment, options: Options, live: tuple[Any, ...]) -> bool:
        """No entry holds for these live-ins: capture. True when there is a new entry to try."""
        owner = self.code.owner

        def capture() -> bool:
            from .point_captures import capture_or_resume

            return capture_or_resume(self, segment, options, live)

        if owner.site is None or owner.frozen or owner.site.may_capture_here():
            return owner.guarded_capture(capture)
        if copies.may_begin(owner):
            copies.begin(owner, capture)
        self.postpone(segment)  # before what captures is loaded
        for entry in self.entries:
            entry.resume()
        return False

    def postpone(self, segment: Segment) -> None:
        """The segment asks for nothing until a capture pays."""
        segment.closed = True
        if not self.postponed:
            waiting.wait(WeakMethod(self._reopen))
        self.postponed.append(segment)

    def _reopen(self) -> bool:
        """Segments ask again if a capture pays by now; False if it does not."""
        owner = self.code.owner
        if owner.site is not None and not (
            owner.site.may_capture_here() or copies.may_begin(owner)
        ):
            return False
        for segment in self.postponed:
            segment.open()
        self.postponed.clear()
        return True

    def found_too_short(self, loops: frozenset[int]) -> None:
        """What launches do of these loops is not worth their price, from wherever they begin."""
        self.code.owner.lessons.too_short |= loops
        for point in self.code.points.values():
            point._leave_alone(loops)
        self.code.owner.journal.skipped("short-turns", self.at)
        self.code.rewrite()

    def slower(self, segment: Segment) -> None:
        """Plain Python is faster than a segment, and does not take long; called by segment.c."""
        self.code.owner.guarded_capture(lambda: self.code.drop(segment))

    def in_vain(self, segment: Segment) -> None:
        """A closed segment has come to nothing many times in a row; called by segment.c."""
        if segment in self.postponed:
            return
        if self.waits:
            self.ask_again()
            return
        if self.rests and segment is self.segment:
            # An array that is not aligned came first, or a big int: what comes now may be another.
            self.rests, self.asked_again = False, True
            segment.closed = False
            return
        self.code.owner.guarded_capture(lambda: self.code.drop(segment))

    def ask_again(self) -> None:
        """Captures may go on that have waited for another call."""
        if self.waits and self.segment is not None:
            self.segment.closed = False
        self.waits = False

    def _leave_alone(self, loops: frozenset[int]) -> None:
        """Nothing begins here any more that goes on with one of these loops."""
        for entry in self.entries:
            if entry.native is not None and entry.goes_round & loops:
                entry.native.idle = 1
                self.too_short = True
        if self.too_short:
            for segment in self.segments:
                segment.closed = True
