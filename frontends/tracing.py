"""`f.trace(*args)`: captures that leave the function unchanged and run nothing of it.

The first segment is captured from the arguments. One after a graph break is captured from stand-ins
with the types that are known before the call (`capture/values/expected.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from ..jit.errors import GraphBreakError
from ..jit.ir.text import print_graph
from ..jit.ir.types import PY_INT
from ..jit.report import BreakRecord, Place
from .bytecode import isa
from .bytecode.model import SlotKind
from .capture.objects.expecting import expected
from .capture.outcome import Outcome
from .capture.outcome import Place as Reached
from .capture.state.machine import Machine
from .capture.values.breaks import Break
from .capture.values.expected import NOT_KNOWN, Expected, Unseen, kind_of
from .capture.values.ranges import RangeIterator
from .capture.values.symbolic import INDEX, Lazy, Symbolic, Unknown
from .context import current_options
from .report.capture_record import line_of
from .report.facts import fullgraph_text
from .report.words import detail_of, hint_of
from .runtime.at_work import at_work
from .runtime.exploring import capture_at
from .runtime.point_captures import symbolic
from .runtime.segments import SegmentedCode
from .runtime.whole_calls import capture_from_entry
from .stages import Traced, TracedSegment, Untraced, check_backend_for_stages
from .support import CHECKED

if TYPE_CHECKING:
    from .runtime.capture_points import CapturePoint
    from .runtime.function import Manager


def trace(manager: Manager, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Traced:
    """Capture a function for some arguments; see `trace` in jit/native/dispatcher.c."""
    key = current_options() or CHECKED
    options = key.replace(manager.overrides)
    check_backend_for_stages(options)
    live = _bound(manager.function, args, kwargs)
    own = type(manager)(manager.function, manager.overrides)
    dispatcher = manager.dispatcher
    with at_work("trace"):
        found = _Trace(own)
        found.run(live, whole=dispatcher is not None and bool(dispatcher._bindable))
    breaks = found.breaks()
    if options.fullgraph and breaks:
        raise GraphBreakError(fullgraph_text(manager.function, breaks[0]))
    return Traced(
        manager.function.__qualname__,
        tuple(found.segments()),
        tuple(map(_record, breaks)),
        tuple(found.untraced()),
        options,
        key,
        manager.function,
        manager.overrides,
        type(manager),
    )


def _bound(
    function: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Return the values of the parameters by slot, as a call would bind them."""
    plain = FunctionType(
        function.__code__, {}, function.__name__, function.__defaults__, function.__closure__
    )
    plain.__kwdefaults__ = function.__kwdefaults__
    bound = inspect.signature(plain).bind(*args, **kwargs)
    bound.apply_defaults()
    names = function.__code__.co_varnames
    return tuple(bound.arguments[name] for name in names[: len(bound.arguments)])


MAX_KINDS = 4
"""Captures from one place for live-ins of other types, as a number may change type in a loop."""


@dataclass(frozen=True, slots=True)
class _Found:
    """One capture, and the place where it begins."""

    at: int
    outcome: Outcome
    n_live: int
    whole: bool = False
    """True for a capture of the whole call, without a frame."""


class _Trace:
    """The captures of one trace."""

    def __init__(self, own: Manager) -> None:
        self.own = own
        self.code = SegmentedCode(own, own.function, own.flow)
        self.found: list[_Found] = []
        self._seen: dict[int, set[tuple[Hashable, ...]]] = {}

    def run(self, live: tuple[Any, ...], *, whole: bool) -> None:
        """Capture what a call would capture at its entry, and then after each break."""
        outcome = capture_from_entry(self.own, live) if whole else None
        if outcome is not None and outcome.ended_by is None and not outcome.pauses:
            self.found.append(_Found(0, outcome, len(live), whole=True))
        else:
            point = self.code.point(self.code.entry())
            assert point is not None
            outcome = self._capture(point, self._slots(point, live))
        waiting = [(place, outcome.machine) for place in outcome.breaks]
        while waiting:
            place, machine = waiting.pop()
            for after in place.successors(self.own.flow):
                point = self.code.point(after.index)
                if point is None:
                    if self._is_new(after.index, ()):
                        after.ended_by = place.ended_by
                        waiting.append((after, machine))  # no stub may stand here: what is next?
                    continue
                given = self._expected(point, place, after, machine)
                if self._is_new(after.index, given):
                    found = self._capture(point, given)
                    waiting += [(one, found.machine) for one in found.breaks]

    def _is_new(self, at: int, live: tuple[Any, ...]) -> bool:
        """Record live-in types at an instruction; return True if they are new."""
        kinds = self._seen.setdefault(at, set())
        kind = tuple(map(kind_of, live))
        if kind in kinds or len(kinds) == MAX_KINDS:
            return False
        kinds.add(kind)
        return True

    def _capture(self, point: CapturePoint, live: tuple[Any, ...]) -> Outcome:
        """Capture from a point as a call does; `live` stands for its stub's arguments."""
        # An iterator is captured only if nothing else refers to it: besides these references only
        # the frame's stack and the stub's copy of it do.
        by_stack, by_stub = [*live], [*live]
        outcome = capture_at(self.code, point, symbolic(point, live))
        by_stack.clear()
        by_stub.clear()
        self.found.append(_Found(point.at, outcome, len(live)))
        return outcome

    def _slots(self, point: CapturePoint, live: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the slots of the initial frame: arguments, and cells for shared variables."""
        kinds = self.code.decoded.kinds
        held = dict(enumerate(live))
        for slot in point.live:
            if kinds[slot] is not SlotKind.LOCAL:
                held[slot] = self._cell(slot, held)
        return tuple(held[slot] for slot in point.live)

    def _cell(self, slot: int, held: Mapping[int, Any]) -> CellType:
        """Return the closure's own cell, or one like a frame makes for inner functions."""
        closure = self.own.function.__closure__ or ()
        first = len(self.code.decoded.localsplus) - len(closure)
        if slot >= first:
            return closure[slot - first]
        return CellType(held[slot]) if slot in held else CellType()

    def _expected(
        self, point: CapturePoint, place: Reached, after: Reached, machine: Machine
    ) -> tuple[Any, ...]:
        """Return stand-ins for a stub's arguments after a place, from the capture before it."""
        result = _given_by(place.ended_by)
        stack = [
            result if isinstance(value, Unknown) else expected(machine, value)
            for value in after.stack[point.below :]
            if value is not INDEX
        ]
        ops = self.code.decoded.instructions[place.index].ops
        if after.index == place.index + 1 and any(op.name == isa.FOR_ITER for op in ops):
            stack[-2] = expected(machine, place.stack[-1])  # the loop continues with its iterator
            if _is_range_iterator(place.stack[-1]):
                stack[-1] = Expected(PY_INT)
        kinds = self.code.decoded.kinds
        slots = [
            expected(machine, after.locals[slot])
            if kinds[slot] is SlotKind.LOCAL
            else self._cell(slot, {slot: Unseen(f"`{self.code.decoded.localsplus[slot]}`")})
            for slot in point.live
        ]
        return (*stack, *slots)

    # ---- what it came to -------------------------------------------------------------------------

    def segments(self) -> Iterator[TracedSegment]:
        """Yield segments in program order.

        Differing types of locals that are not read are merged.
        """
        told = set()
        for number, one in sorted(enumerate(self.found), key=lambda item: item[1].at):
            captured = one.outcome.captured
            if captured is None:
                continue
            key = (one.at, print_graph(captured.graph), *map(str, captured.guards))
            if key not in told:
                told.add(key)
                lengths = dict(one.outcome.machine.builder.lengths)
                line = line_of(self.own, one.at)
                yield TracedSegment(
                    line, captured, lengths, number > 0, one.at, one.n_live, one.whole
                )

    def breaks(self) -> list[Break]:
        """Return each break once, except where just a value is missing that a call would have."""
        return [one for one in self._ends() if one.predicted]

    def untraced(self) -> Iterator[Untraced]:
        """Yield places where captures end because only a call has the value needed."""
        broken = {one.index for one in self.breaks()}
        told: set[Place] = set()
        for one in self._ends():
            place = _place_of(one)
            if not one.predicted and one.index not in broken and place not in told:
                told.add(place)
                yield Untraced(place, _why_untraced(one))

    def _ends(self) -> list[Break]:
        ends = [place.ended_by for one in self.found for place in one.outcome.breaks]
        found: dict[tuple[int, bool], Break] = {}
        for one in ends:
            if one is not None:
                found.setdefault((one.index, one.predicted), one)
        return [one for _, one in sorted(found.items(), key=lambda item: item[0])]


_RANGE = type(iter(range(0)))


def _given_by(ended_by: Break | None) -> Unseen:
    """Return a stand-in for the result of the instruction that breaks there."""
    if ended_by is None:
        return Unseen("what comes before")
    why = f" ({detail_of(ended_by)})" if ended_by.predicted else ""
    return Unseen(f"what line {ended_by.location.line} gives{why}")


def _why_untraced(ended_by: Break) -> str:
    """Return what is not known there."""
    detail = detail_of(ended_by)
    return detail if detail.endswith(NOT_KNOWN) else f"{detail}, of something that {NOT_KNOWN}"


def _is_range_iterator(value: Symbolic) -> bool:
    return isinstance(value, RangeIterator) or (
        isinstance(value, Lazy) and type(value.object) is _RANGE
    )


def _place_of(one: Break) -> Place:
    return Place(one.location.filename, one.location.line, one.location.function)


def _record(one: Break) -> BreakRecord:
    place = _place_of(one)
    return BreakRecord(
        one.code, one.title, detail_of(one), hint_of(one), place, place.source, count=0
    )
