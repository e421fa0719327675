"""Segments of one function: capture points, their exits, and versions of the rewritten code.

The first break in a function starts an exploration: from each instruction after a break the machine
continues with the types it knows, until all points where a segment may begin, and the exits that it
would take, are known. The code is then rewritten with a stub at each point. Real live-ins are
captured when a stub is reached. An exit that was not predicted makes a new version of the code for
later calls; running frames take exit 0 meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING
from weakref import ref

from ...jit.config import debug_mode, is_hostile
from ...jit.native import Segment
from ..bytecode import gating
from ..bytecode.flow import Flow
from ..bytecode.kinds import Kind, has_iterator
from ..bytecode.loops import outermost_loops
from ..bytecode.model import SlotKind
from ..bytecode.placement import why_no_stub
from ..bytecode.rewrite import rewrite
from ..bytecode.stub import Exit, Stub
from ..tiers.at_once import is_explaining
from .capture_points import CapturePoint
from .owner import Owner

if TYPE_CHECKING:
    from .visits import Visits

MAX_VERSIONS = 8
"""Versions of a function that add exits; beyond it, new exits become exit 0."""
MAX_RETURNS = 4
"""Times that dropped stubs are restored because arguments of another kind arrive."""


class SegmentedCode:
    """All capture points of one function, and its code with stubs."""

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
        """Number of captures that were useless to their frame, as its code lacks the exits."""
        self.explored: set[tuple[Hashable, ...]] = set()
        """(point, kinds of known values) explored already; repeating them would find nothing new.
        """
        self.gates: tuple[int, ...] = ()
        """Headers of loops at which running frames switch to the newest version."""
        self._codes: list[ref[CodeType]] = []
        """Weak references to versions that frames may still run, newest last."""
        self.visits: Visits | None = None
        if is_explaining():
            self._count()

    # ---- points --------------------------------------------------------------------------------

    def point(self, index: int) -> CapturePoint | None:
        """Return the capture point at an instruction; None if no stub may stand there."""
        if index in self.points:
            return self.points[index]
        if not self.flow.is_reachable(index) or why_no_stub(self.flow, index) is not None:
            return None
        kinds = self.flow.stack_at(index)
        below = 0
        for k, item in enumerate(kinds):
            if item is not Kind.OBJECT and item is not Kind.ITERATOR and not has_iterator(kinds, k):
                below = k + 1
        live = tuple(sorted(self.flow.live_at(index) & self.flow.bound_at(index)))
        made = CapturePoint(self, index, below, len(kinds) - below, live)
        self.points[index] = made
        return made

    def forget(self) -> None:
        """Make stubs of running frames decline, as the function has died."""
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
        """Let frames of older versions switch to the newest one from now on."""
        self.gates = tuple(
            loop.header
            for loop in outermost_loops(self.flow.loops)
            if why_no_stub(self.flow, loop.header) is None
        )

    def hope_at(self, offset: int) -> bool:
        """Allow a segment at the loop at this offset; return True if that needs new code."""
        index = self.decoded.index_at(offset)
        point = self.point(index) if index in self.gates else None
        if point is None or index in self._stubbed or point.barren or point.dropped:
            return False
        point.hopeful = True
        return True

    def enter(self, offset: int) -> tuple[CodeType, int] | None:
        """Return (newest code, landing offset) for a frame at the loop at this offset, or None."""
        if self.hope_at(offset) and self.may_change:
            self.rewrite()
        code = self._codes[-1]() if self._codes else None
        if code is None:
            return None
        landings = (gate.landing for gate in gating.gates_of(code) if gate.header == offset)
        landing = next(landings, None)
        return None if landing is None else (code, landing)

    def _install(self, code: CodeType) -> None:
        """Make the function run this code, and frames of older versions switch to it at loops."""
        self.owner.install(code)
        if self.gates:
            older = [one for known in self._codes if (one := known()) is not None]
            if older:
                from ..bytecode.opening import open_gates

                for before in older:
                    open_gates(before)
            self._codes = [ref(one) for one in (*older, code)]

    # ---- exploring -----------------------------------------------------------------------------

    def start_blindly(self) -> None:
        """Make the first version for a function whose arguments are not known beforehand."""
        entry = self.point(self.entry())
        assert entry is not None
        entry.hopeful = True
        self.rewrite()

    def start_at_loops(self) -> None:
        """Make the first version of a module's body, with stubs at its loops."""
        if debug_mode("stub_everywhere"):
            self.start_everywhere()
            return
        for loop in self.flow.outermost_loops():
            point = self.point(loop.header)
            if point is not None:
                point.hopeful = True
        self.rewrite()

    def start_everywhere(self) -> None:
        """Hostile mode: put a stub at every legal offset, each for one instruction.

        Called before every call: findings of the last call make a new version.
        """
        if self.versions and not self.is_stale():
            return
        for index in range(len(self.decoded.instructions)):
            point = self.point(index)
            if point is not None:
                point.hopeful = not point.exits
        self.rewrite()

    def entry(self) -> int:
        """Return the first instruction where a stub may stand."""
        return next(
            k for k in range(len(self.decoded.instructions)) if why_no_stub(self.flow, k) is None
        )

    def pass_over(self, passed: list[int]) -> None:
        """Drop points between a miss and a break with nothing to capture in between."""
        for index in self.points.keys() & passed:
            point = self.points[index]
            if point.hopeful and not (point.entries or point.rests):
                point.hopeful, point.barren = False, True
                for segment in point.segments:
                    segment.closed = True

    # ---- rewriting -----------------------------------------------------------------------------

    @property
    def may_change(self) -> bool:
        """True if another version of the code is allowed."""
        return self.versions < (MAX_VERSIONS if not debug_mode("stub_everywhere") else 1000)

    def is_stale(self) -> bool:
        """True if a stub of the next version has an exit that the newest code lacks."""
        return self.may_change and any(
            len(point.exits) > self._stubbed.get(index, 0) and _gets_stub(point)
            for index, point in self.points.items()
        )

    def settle(self) -> None:
        """Rewrite or restore the code after a point has come to nothing."""
        points = self.points.items()
        new = any(at not in self._stubbed and _gets_stub(one) for at, one in points)
        if self.is_stale() or (self.may_change and new):
            self.rewrite()
        elif not any(one.entries or one.hopeful or one.exits for _, one in points):
            self.owner.give_up()

    def drop(self, useless: CapturePoint) -> bool:
        """Drop the stub of a point that costs more than it gains, and idle stubs with it."""
        if self.owner.frozen or is_hostile():
            return False
        idle = [useless, *(one for one in self.points.values() if _is_idle(one))]
        for point in idle:
            point.dropped = True
        if self.rewrite() is None:
            self._install(self._written(()))
        return False

    @property
    def is_counting(self) -> bool:
        """True while a call is explained, when all findings are wanted."""
        return self.visits is not None and self.visits.stands_in

    def count(self) -> bool:
        """Add counters to the code for another explained call; a capture action."""
        self._count()
        self.rewrite()
        return True

    def _count(self) -> None:
        from .visits import Visits, counting  # only explained calls need it

        self.visits = counting(self, self.visits or Visits(self.flow))

    def stop_counting(self) -> bool:
        """Stop counting, keeping the counts; a capture action."""
        if self.visits is None or not self.is_counting:
            return False
        self.visits.stands_in = False
        if self.rewrite() is None:
            self._install(self._written(()))
        return True

    def bring_back(self) -> bool:
        """Restore dropped stubs in the next version, as arguments of another kind have come.

        Returns True if there are any.
        """
        dropped = [one for one in self.points.values() if one.dropped and not one.too_short]
        if self.owner.frozen or not dropped or self.returns >= MAX_RETURNS:
            return False
        self.returns += 1
        for point in dropped:
            point.dropped = False
        return True

    def _unseen(self, point: CapturePoint) -> tuple[int, ...]:
        """Return slots that may be bound at a point but are overwritten before they are read."""
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
        """Return (index of the live-in that a loop here iterates over, or -1; its exits)."""
        loop = self.flow.loop_at(point.at)
        if loop is None:
            return -1, b""
        kinds = self.flow.stack_at(point.at)[point.below :]
        iterator = point.given - 1 if kinds and kinds[-1] is Kind.ITERATOR else -1
        return iterator, bytes(way.target not in loop.body for way in point.exits)

    def rewrite(self) -> CodeType | None:
        """Make and install a new version of the code; None if nothing changes.

        It counts as a version if it has exits that no earlier code had, not if it has fewer stubs.
        """
        stubs, counts = [], self.versions == 0
        for index, point in sorted(self.points.items()):
            if not _gets_stub(point):
                continue
            point.segment = self._segment(point)
            point.segment.closed = point.rests or point.is_off
            point.segments.append(point.segment)
            for entry in point.entries:
                if entry.native is not None and not point.is_off:
                    point.segment.add(entry.native)
            counts |= len(point.exits) > self._stubbed.get(index, 0)
            self._stubbed[index] = len(point.exits)
            # A stub needs an exit; a dummy stands in until there is a real one.
            exits = tuple(point.exits) or (Exit(index, (), point.consumed, nulls=point.indices),)
            stubs.append(Stub(index, point.segment, point.consumed, point.live, exits))
        if not stubs and not self.is_counting:
            return None
        self.versions += counts
        code = self._written(stubs)
        self._install(code)
        return code

    def rewritten(self) -> bool:
        """Make a version with the stubs that are wanted now; a capture action."""
        return self.rewrite() is not None

    def _written(self, stubs: Sequence[Stub]) -> CodeType:
        calls = None if self.visits is None else self.visits.calls()
        return rewrite(self.decoded, stubs, self.flow, self.gates, calls)

    def resuming(self) -> Segment | None:
        """Return the segment at which bails of whole calls continue in the newest code."""
        return next((one.segment for one in self.points.values() if one.resumes), None)


def _gets_stub(point: CapturePoint) -> bool:
    """True if the next version of the code has a stub here."""
    if point.resumes:  # even if it is off: without a stub no bail could continue there
        return True
    is_useful = point.entries or not point.barren
    return bool(is_useful and (point.exits or point.hopeful)) and not point.is_off


def _is_idle(point: CapturePoint) -> bool:
    """True if the stub has nothing to try and asks for nothing."""
    segment = point.segment
    asks = point.resumes or point.rests or point.waits or point.entries
    return segment is not None and bool(segment.closed) and not asks
