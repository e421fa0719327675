"""Capture points: where in a function a segment may begin, what it met there, where it goes on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from types import CellType
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from ..guards.sources import Live
from ..jit.config import Options, debug_mode
from ..jit.ir.graph import Build, Constant, Graph, Leaf, Recipe, calls_python
from ..jit.ir.graph import Exit as GraphExit
from ..jit.native import Segment, raise_held
from ..jit.pipeline import TooLong
from .bytecode import Exit, Kind, SlotKind
from .entry import CacheEntry
from .machine.budget import MAX_SECONDS, OverBudget
from .machine.values import Cell, Symbolic, Unread
from .new_entries import make_entry
from .report.journal import Missed
from .runtime import decisions, tossing

if TYPE_CHECKING:
    from .segments import SegmentedCode


_ON_STACK = ("a value on the stack", "the iterator of the loop")


MAX_LENGTHS = 3
"""Captures for lists of other lengths, where a loop has the segment begin again and again."""

MAX_VALUES = 3
"""Captures for other values of one int there."""

_LIMITS = {"varying": MAX_VALUES, "growing": MAX_LENGTHS}

MAX_REASONS = 16
"""Misses of what was compiled ahead of calls whose reason is written down."""

MAX_FOR_LATER = 3
"""Captures of frames that run older code and cannot use them: its stubs stand close together."""


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
    entries: list[CacheEntry] = field(default_factory=list)
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
        return owner.guarded_capture(lambda: self._capture_or_resume(segment, options, live))

    def _capture_or_resume(self, segment: Segment, options: Options, live: tuple[Any, ...]) -> bool:
        made = self._capture(segment, options, live)
        if not made:
            for entry in self.entries:
                entry.resume()
        return made

    def _may_capture(
        self, segment: Segment, options: Options, live: tuple[Any, ...]
    ) -> Options | None:
        """The options to compile under; None where nothing is to be captured."""
        owner = self.code.owner
        if owner.frozen:
            owner.journal.missed(self.at, self.entries, options, live)
            segment.closed = owner.journal.misses.total() >= MAX_REASONS
            return None
        if tossing.declines():
            return None
        if owner.site is not None and not owner.site.may_capture():
            self._postpone(segment)
            return None
        effective = owner.effective_options(options)
        if effective is None:
            return None  # other options may hold at the next call
        if not debug_mode("stub_everywhere") and not owner.may_capture(self.at):
            segment.closed = self.waits = True
            return None
        if sum(not entry.is_outgrown for entry in self.entries) >= owner.max_entries:
            segment.closed = True
            owner.journal.came_to_limit(
                self.at, owner.max_entries, self.entries, options, live, owner.function
            )
            return None
        missed = owner.journal.missed(self.at, self.entries, options, live)
        if missed is not None and self.resumed_in_loop and (why := self._varies(missed)):
            segment.closed = True
            owner.journal.skipped(why, self.at, _LIMITS[why])
            return None
        if segment is not self.segment and segment.calls < 2:
            return None  # an old version that still runs: it may leave here soon
        if segment is not self.segment and self.code.for_later >= MAX_FOR_LATER:
            segment.closed = True  # the new version may never come here
            return None
        return effective

    def _capture(self, segment: Segment, options: Options, live: tuple[Any, ...]) -> bool:
        owner = self.code.owner
        effective = self._may_capture(segment, options, live)
        if effective is None:
            return False
        one = debug_mode("stub_everywhere")
        try:
            outcome = self.code.capture_at(self, self.symbolic(live), one=one)
        except OverBudget:
            segment.closed = self.barren = True
            owner.journal.skipped("budget", self.at, MAX_SECONDS)
            return False
        owner.note_ends(outcome, self.at)
        self.hopeful = False
        if not one:
            self.code.explore(outcome)
        if outcome.captured is None:
            segment.closed = True
            self.rests = self.hopeful = outcome.met_what_is_not_held and not self.asked_again
            self.barren = not self.rests
            if not one:
                self.code.pass_over(outcome.machine.passed_in_vain())
                self.code.settle()
            return False
        numbers, payloads = self.add_exits(outcome.captured.graph)
        number = max(numbers)
        if number >= segment.n_exits and not self.code.may_change:
            segment.closed = True  # no version of the code will know the exit
            return False
        if one:
            effective = effective.replace({"backend": "numpy"})
        try:
            entry = make_entry(
                *(outcome.captured, len(live), payloads, effective, options, one),
                on_failure=owner.note_failure,
                lessons=owner.lessons,
                site=owner.site,
            )
        except TooLong as error:
            if owner.shorten(outcome.captured, error, self.at):
                return self._capture(segment, options, live)
            segment.closed = self.barren = True
            return False
        if entry is None or entry.native is None:
            owner.journal.skipped("nothing-fused", self.at)
            segment.closed = True
            return False
        entry.number_exits(numbers)
        entry.native.shows = self._shows(outcome.captured.graph)
        entry.weigh()
        if outcome.captured.goes_round:
            entry.watch(partial(self._found_too_short, outcome.captured.goes_round))
        for old in owner.entries:
            old.give_way()
        is_other_kind = bool(self.entries)
        self.entries.append(entry)
        owner.entries.append(entry)
        owner.journal.compiled(entry)
        come_back = is_other_kind and self.code.bring_back()
        if (come_back or self.code.is_stale()) and not one:
            self.code.rewrite()
        elif self.segment not in (None, segment) and number < self.segment.n_exits:
            self.segment.add(entry.native)  # else no version of the code knows the exit
        if number >= segment.n_exits:
            segment.closed = True  # only frames that run already call it
            self.code.for_later += 1
            return False
        segment.add(entry.native)
        return True

    def _postpone(self, segment: Segment) -> None:
        """The segment asks for nothing until a capture pays."""
        segment.closed = True
        if not self.postponed:
            decisions.wait(WeakMethod(self._reopen))
        self.postponed.append(segment)

    def _reopen(self) -> bool:
        """Segments ask again if a capture pays by now; False if it does not."""
        site = self.code.owner.site
        if site is not None and not site.may_capture():
            return False
        for segment in self.postponed:
            segment.open()
        self.postponed.clear()
        return True

    def _shows(self, graph: Graph) -> bool:
        """True if loops are halted to show others what they have changed.

        Each of them is to be entered again, by a stub at its header. Nobody runs while the exit
        stores them: it calls no code of Python, which would be interrupted before it begins.
        """
        halts = [exit_ for exit_ in graph.exits if exit_.kind == "halt"]
        headers = {at for at, one in self.code.points.items() if one.hopeful or one.exits}
        shown = any(exit_.effects for exit_ in halts)
        return shown and all(
            exit_.at in {self.at, *headers} and not calls_python(exit_) for exit_ in halts
        )

    def _varies(self, missed: Missed) -> str | None:
        """Why no more is captured: something is another each time though nothing relies on it."""
        varying, value = self.code.owner.lessons.varying, missed.other_value
        if value in varying:
            return "varying"
        if value is not None:
            self.values[value] += 1
            if self.values[value] > MAX_VALUES:
                varying.add(value)
        self.lengths += missed.other_length is not None
        if self.lengths > MAX_LENGTHS:
            if missed.other_length is None or missed.other_length in varying:
                return "growing"
            varying.add(missed.other_length)
        return None

    def _found_too_short(self, loops: frozenset[int]) -> None:
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
            if entry.native is not None and entry.captured.goes_round & loops:
                entry.native.idle = 1
                self.too_short = True
        if self.too_short:
            for segment in self.segments:
                segment.closed = True

    def symbolic(self, live: tuple[Any, ...]) -> tuple[list[Symbolic], dict[int, Symbolic]]:
        """(stack items, slots) for real live-ins."""
        names = self.code.decoded.localsplus
        kinds = self.code.flow.stack_at(self.at)
        stack: list[Symbolic] = [
            Unread(Live(k, _ON_STACK[kind is Kind.ITERATOR]), live[k])
            for k, kind in enumerate(kinds[self.below :])
        ]
        slots: dict[int, Symbolic] = {}
        for k, slot in enumerate(self.live, self.consumed):
            if type(live[k]) is CellType and self.code.decoded.kinds[slot] is not SlotKind.LOCAL:
                slots[slot] = Cell(names[slot], Live(k, f"cell `{names[slot]}`"), live[k])
            else:
                slots[slot] = Unread(Live(k, f"local `{names[slot]}`"), live[k])
        return stack, slots

    def add_exits(self, graph: Graph) -> tuple[tuple[int, ...], list[Recipe]]:
        """(numbers among the exits of the stub, payloads) of all exits of a graph."""
        numbers = tuple(self.add_exit(exit_) for exit_ in graph.exits)
        payloads = [
            _payload(exit_, self.exits[number])
            for exit_, number in zip(graph.exits, numbers, strict=True)
        ]
        return numbers, payloads

    def add_exit(self, exit_: GraphExit) -> int:
        """The number of this exit among those of the stub; a new one is appended."""
        bare = len(exit_.recipes) == 1 and isinstance(exit_.recipes[0], Leaf)
        stores = tuple(slot for slot, _ in exit_.stores)
        wanted = Exit(
            exit_.at,
            stores,
            len(exit_.pushes) + len(exit_.nulls),
            tuple(sorted({*exit_.deletes, *self._gone(exit_.at, stores)})),
            bare,
            exit_.nulls,
            raise_held if exit_.kind == "halt" else None,
        )
        if wanted not in self.exits:
            self.exits.append(wanted)
        return self.exits.index(wanted)

    def _gone(self, target: int, stores: tuple[int, ...]) -> list[int]:
        """Locals that may be bound at the point and surely are not at the target.

        The machine knows nothing of a local that is assigned before it is read, and sees no change
        when it is deleted after that.
        """
        flow = self.code.flow
        gone = flow.maybe_bound_at(self.at) - flow.maybe_bound_at(target) - {*stores}
        return [slot for slot in gone if flow.decoded.kinds[slot] is SlotKind.LOCAL]


def _payload(exit_: GraphExit, shape: Exit) -> Recipe:
    if not shape.values:
        return exit_.payload(Constant(True))
    if shape.bare:
        return exit_.payload(exit_.recipes[0])
    return exit_.payload(Build("tuple", exit_.recipes))
