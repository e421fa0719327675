"""Segments of one function: capture points, the exits they may take, the rewritten code.

The first break in a function starts an exploration: from each instruction that follows a break the
machine runs on with the types it knows, until every point where a segment may begin, and the exit
it would take, is known. The code is then rewritten with a stub at each point. What the program
really brings is captured when a stub is reached; an exit that nobody foresaw makes a new version of
the code for later calls, and running frames take exit 0 meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import CodeType, FunctionType
from weakref import ref

from ..jit.config import debug_mode, is_hostile
from ..jit.native import Segment
from .bytecode import gating
from .bytecode.flow import Flow
from .bytecode.kinds import Kind
from .bytecode.loops import outermost_loops
from .bytecode.model import SlotKind
from .bytecode.opening import open_gates
from .bytecode.placement import why_no_stub
from .bytecode.rewrite import rewrite
from .bytecode.stub import Exit, Stub
from .owner import Owner
from .points import CapturePoint
from .visits import Visits, counting, new_visits

MAX_VERSIONS = 8
"""Versions of one function with more exits than before; beyond it new exits are exit 0."""
MAX_RETURNS = 4
"""Times that dropped stubs of a function come back because of another kind of arguments."""


class SegmentedCode:
    """All capture points of one function, and the code with stubs at them."""

    def __init__(self, owner: Owner, function: FunctionType, flow: Flow) -> None:
        self.owner = owner
        self.function = function
        self.decoded = flow.decoded
        self.flow = flow
        self.points: dict[int, CapturePoint] = {}
        self.versions = 0
        self.returns = 0
        self._stubbed: dict[int, int] = {}
        self.for_later = 0
        """Captures for frames that cannot use them, as their code does not know the exits."""
        self.explored: set[tuple[Hashable, ...]] = set()
        """Points and kinds of what was known there: the same again would show nothing new."""
        self.gates: tuple[int, ...] = ()
        """Headers of loops at which running frames go over into the newest version."""
        self._codes: list[ref[CodeType]] = []
        """All versions that frames may still run, the newest last; code must not be kept alive."""
        self.visits = new_visits(self)

    # ---- points --------------------------------------------------------------------------------

    def point(self, index: int) -> CapturePoint | None:
        """The capture point at an instruction, or None where no stub may stand."""
        if index in self.points:
            return self.points[index]
        if not self.flow.is_reachable(index) or why_no_stub(self.flow, index) is not None:
            return None
        kinds = self.flow.stack_at(index)
        below = 0
        for k, item in enumerate(kinds):
            if item is not Kind.OBJECT and item is not Kind.ITERATOR:
                below = k + 1
        live = tuple(sorted(self.flow.live_at(index) & self.flow.bound_at(index)))
        made = CapturePoint(self, index, below, len(kinds) - below, live)
        self.points[index] = made
        return made

    def forget(self) -> None:
        """The function has died: stubs of frames that still run decline from now on."""
        for point in self.points.values():
            for segment in point.segments:
                segment.forget()
            for entry in point.entries:
                entry.forget()
            point.segment = None
            point.segments.clear()
        self.points.clear()
        self.visits = None
        del self.function

    # ---- frames that run -----------------------------------------------------------------------

    def gate(self) -> None:
        """Frames that run older versions of the code go over into the newest from now on."""
        self.gates = tuple(
            loop.header
            for loop in outermost_loops(self.flow.loops)
            if why_no_stub(self.flow, loop.header) is None
        )

    def hope_at(self, offset: int) -> bool:
        """A segment may begin at the loop at this offset: True if that needs other code."""
        index = self.decoded.index_at(offset)
        point = self.point(index) if index in self.gates else None
        if point is None or index in self._stubbed or point.barren or point.dropped:
            return False
        point.hopeful = True
        return True

    def enter(self, offset: int) -> tuple[CodeType, int] | None:
        """The newest version of the code, and where a frame lands in it that comes to this loop."""
        if self.hope_at(offset) and self.may_change:
            self.rewrite()
        code = self._codes[-1]() if self._codes else None
        if code is None:
            return None
        landings = (gate.landing for gate in gating.gates_of(code) if gate.header == offset)
        landing = next(landings, None)
        return None if landing is None else (code, landing)

    def _install(self, code: CodeType) -> None:
        """The function runs this code now, and frames that run an older one from a loop on."""
        self.owner.install(code)
        if self.gates:
            older = [one for known in self._codes if (one := known()) is not None]
            for before in older:
                open_gates(before)
            self._codes = [ref(one) for one in (*older, code)]

    # ---- exploring -----------------------------------------------------------------------------

    def start_blindly(self) -> None:
        """The first version for a function whose arguments are not known beforehand."""
        entry = self.point(self.entry())
        assert entry is not None
        entry.hopeful = True
        self.rewrite()

    def start_at_loops(self) -> None:
        """The first version for the body of a module, which is entered where it loops."""
        if debug_mode("stub_everywhere"):
            self.start_everywhere()
            return
        for loop in self.flow.outermost_loops():
            point = self.point(loop.header)
            if point is not None:
                point.hopeful = True
        self.rewrite()

    def start_everywhere(self) -> None:
        """Hostile mode: a stub at every legal offset, each for one instruction.

        Called before every call: what the last one found out makes a new version.
        """
        if self.versions and not self.is_stale():
            return
        for index in range(len(self.decoded.instructions)):
            point = self.point(index)
            if point is not None:
                point.hopeful = not point.exits
        self.rewrite()

    def entry(self) -> int:
        """The first instruction where a stub may stand."""
        return next(
            k for k in range(len(self.decoded.instructions)) if why_no_stub(self.flow, k) is None
        )

    def pass_over(self, passed: list[int]) -> None:
        """From a miss up to a break there was nothing: the frame need not ask again on its way."""
        for index in self.points.keys() & passed:
            point = self.points[index]
            if point.hopeful and not (point.entries or point.rests):
                point.hopeful, point.barren = False, True
                for segment in point.segments:
                    segment.closed = True

    # ---- rewriting -----------------------------------------------------------------------------

    @property
    def may_change(self) -> bool:
        """Whether there may be one more version of the code."""
        return self.versions < (MAX_VERSIONS if not debug_mode("stub_everywhere") else 1000)

    def is_stale(self) -> bool:
        """Whether a point has an exit that the newest code does not know."""
        return self.may_change and any(
            len(point.exits) > self._stubbed.get(index, 0) for index, point in self.points.items()
        )

    def settle(self) -> None:
        """A point has come to nothing: without it the code is another, or as it was."""
        points = self.points.items()
        new = any(one.hopeful and at not in self._stubbed for at, one in points)
        if self.is_stale() or (self.may_change and new):
            self.rewrite()
        elif not any(one.entries or one.hopeful or one.exits for _, one in points):
            self.owner.give_up()

    def drop(self, segment: Segment) -> bool:
        """A segment of the newest version costs more than it gives: the next has no such stubs."""
        if self.owner.frozen:
            return False
        useless = next((one for one in self.points.values() if one.segment is segment), None)
        if useless is None or is_hostile():
            return False
        idle = [useless, *(one for one in self.points.values() if _is_idle(one))]
        for point in idle:
            point.dropped = True
        if self.rewrite() is None:
            self._install(self._written(()))
        return False

    @property
    def is_counting(self) -> bool:
        """True while a call is explained: whatever can be found out is wanted."""
        return self.visits is not None and self.visits.stands_in

    def count(self) -> bool:
        """A call is explained once more: the code has counters again; a capture action."""
        self.visits = counting(self, self.visits or Visits(self.flow))
        self.rewrite()
        return True

    def stop_counting(self) -> bool:
        """From now on nothing is counted; what was counted is kept. A capture action."""
        if self.visits is None or not self.is_counting:
            return False
        self.visits.stands_in = False
        if self.rewrite() is None:
            self._install(self._written(()))
        return True

    def bring_back(self) -> bool:
        """Arguments of another kind have come: the next version has the stubs that were dropped.

        True if there are such.
        """
        dropped = [one for one in self.points.values() if one.dropped and not one.too_short]
        if self.owner.frozen or not dropped or self.returns >= MAX_RETURNS:
            return False
        self.returns += 1
        for point in dropped:
            point.dropped = False
        return True

    def _unseen(self, point: CapturePoint) -> tuple[int, ...]:
        """Slots that may hold something there which is overwritten without being read."""
        stored = self.flow.stored_later_at(point.at)
        slots = self.flow.maybe_bound_at(point.at) & stored - {*point.live}
        return tuple(k for k in sorted(slots) if self.decoded.kinds[k] is SlotKind.LOCAL)

    def _segment(self, point: CapturePoint) -> Segment:
        returns = any(self.decoded.instructions[way.target].returns for way in point.exits)
        unseen, timing = self._unseen(point), self.owner.timing
        iterator, leaves = self._loop_at(point)
        made = Segment(point, len(point.exits), unseen, returns, timing, iterator, leaves)
        if self.visits is not None:
            made.lap = self.visits.lap_of_segment(point.at)
        return made

    def _loop_at(self, point: CapturePoint) -> tuple[int, bytes]:
        """Of the loop that begins there: which live-in is its iterator, which exits leave it."""
        loop = self.flow.loop_at(point.at)
        if loop is None:
            return -1, b""
        kinds = self.flow.stack_at(point.at)[point.below :]
        iterator = len(kinds) - 1 if kinds and kinds[-1] is Kind.ITERATOR else -1
        return iterator, bytes(way.target not in loop.body for way in point.exits)

    def rewrite(self) -> CodeType | None:
        """A new version of the code, installed as what the dispatcher runs.

        It counts where it has exits that no code had before; one with fewer stubs, or with those of
        before, does not.
        """
        stubs, counts = [], self.versions == 0
        for index, point in sorted(self.points.items()):
            useful = point.entries or point.resumes or not point.barren
            if not useful or point.dropped or point.too_short or not (point.exits or point.hopeful):
                continue
            point.segment = self._segment(point)
            point.segment.closed = point.rests
            point.segments.append(point.segment)
            for entry in point.entries:
                if entry.native is not None:
                    point.segment.add(entry.native)
            counts |= len(point.exits) > self._stubbed.get(index, 0)
            self._stubbed[index] = len(point.exits)
            # A stub needs an exit; one that goes nowhere stands in until there is a real one.
            exits = tuple(point.exits) or (Exit(index, (), point.consumed),)
            stubs.append(Stub(index, point.segment, point.consumed, point.live, exits))
        if not stubs and not self.is_counting:
            return None
        self.versions += counts
        code = self._written(stubs)
        self._install(code)
        return code

    def _written(self, stubs: Sequence[Stub]) -> CodeType:
        calls = None if self.visits is None else self.visits.calls()
        return rewrite(self.decoded, stubs, self.flow, self.gates, calls)

    def resuming(self) -> Segment | None:
        """Where bails of whole calls go on in the newest code."""
        return next((one.segment for one in self.points.values() if one.resumes), None)


def _is_idle(point: CapturePoint) -> bool:
    """Whether the stub there has nothing to try, and asks for nothing."""
    segment = point.segment
    asks = point.resumes or point.rests or point.waits or point.entries
    return segment is not None and bool(segment.closed) and not asks
