"""Captures at a capture point, requested by its segment when no entry holds."""

from __future__ import annotations

from functools import partial
from types import CellType
from typing import TYPE_CHECKING, Any

from ...guards.sources import Live
from ...jit.config import Options, debug_mode
from ...jit.ir.graph import Graph, calls_python
from ...jit.native import Segment
from ...jit.pipeline import TooLong
from ..bytecode.kinds import Kind
from ..bytecode.model import SlotKind
from ..capture.values.symbolic import INDEX, Cell, Lazy, Symbolic
from ..report.misses import Missed
from ..tiers import random_decisions
from ..tiers.at_once import is_at_once
from .capture_budget import MAX_SECONDS, OverBudget
from .exploring import capture_at, explore
from .new_entries import draft_entry, make_entry, shorten
from .stub_exits import add_exits

if TYPE_CHECKING:
    from .capture_points import CapturePoint
    from .entry import CacheEntry

_ON_STACK = ("a value on the stack", "the iterator of the loop")

MAX_LENGTHS = 3
"""Captures for lists of other lengths, where a loop makes the segment begin repeatedly."""

MAX_VALUES = 3
"""Captures for other values of one int at such a point."""

_LIMITS = {"varying": MAX_VALUES, "growing": MAX_LENGTHS}

MAX_REASONS = 16
"""Number of misses with a recorded reason, of code that was compiled ahead of time."""

MAX_FOR_LATER = 3
"""Captures for frames that run older code and cannot use them, as its stubs lack the exits."""


def capture_or_resume(
    point: CapturePoint, segment: Segment, options: Options, live: tuple[Any, ...]
) -> bool:
    """Capture from a point, or let its entries that had declined serve again; True to try again."""
    made = _capture(point, segment, options, live)
    if not made:
        for entry in point.entries:
            entry.resume()
    return made


def _may_capture(
    point: CapturePoint, segment: Segment, options: Options, live: tuple[Any, ...]
) -> Options | None:
    """Return the options to compile under; None if nothing should be captured."""
    owner = point.code.owner
    if owner.frozen:
        owner.journal.missed(point.at, point.entries, options, live)
        segment.closed = owner.journal.misses.total() >= MAX_REASONS
        return None
    if random_decisions.declines():
        return None
    effective = owner.effective_options(options)
    if effective is None:
        owner.decline(options)
        return None  # other options may be in force in the next call
    later = effective.compiles_later and not is_at_once()
    if not debug_mode("stub_everywhere") and not owner.may_capture(point.at, later=later):
        segment.closed = point.waits = True
        return None
    if sum(not entry.is_outgrown for entry in point.entries) >= owner.max_entries:
        segment.closed = True
        owner.journal.came_to_limit(
            point.at, owner.max_entries, point.entries, options, live, owner.function
        )
        return None
    missed = owner.journal.missed(point.at, point.entries, options, live)
    owner.lessons.heed(missed)
    if missed is not None and point.resumed_in_loop and (why := _varies(point, missed)):
        segment.closed = True
        owner.journal.skipped(why, point.at, _LIMITS[why])
        return None
    is_old = segment is not point.segment and not point.code.is_counting
    if is_old and segment.calls < 2:
        return None  # an old version is running, and the frame may leave it soon
    if is_old and point.code.for_later >= MAX_FOR_LATER:
        segment.closed = True  # the new version may never come here
        return None
    return effective


def _capture(
    point: CapturePoint, segment: Segment, options: Options, live: tuple[Any, ...]
) -> bool:
    owner = point.code.owner
    effective = _may_capture(point, segment, options, live)
    if effective is None:
        return False
    single = debug_mode("stub_everywhere")
    try:
        outcome = capture_at(point.code, point, symbolic(point, live), single=single)
    except OverBudget as error:
        segment.closed = point.barren = True
        owner.journal.skipped(error.rule, point.at, MAX_SECONDS)
        return False
    owner.note_ends(outcome, point.at)
    point.hopeful = False
    if not single:
        explore(point.code, outcome)
    if outcome.captured is None:
        segment.closed = True
        point.rests = point.hopeful = outcome.met_unsupported_object and not point.asked_again
        point.barren = not point.rests
        if not single:
            point.code.pass_over(outcome.machine.passed_in_vain())
            point.code.settle()
        return False
    numbers, payloads = add_exits(point, outcome.captured.graph)
    number = max(numbers)
    if number >= segment.n_exits and not point.code.may_change:
        segment.closed = True  # no version of the code has the exit
        return False
    if single:
        effective = effective.replace({"backend": "numpy"})
    try:
        draft = draft_entry(outcome.captured, len(live), payloads, effective, options)
        entry = make_entry(owner, draft, always=single)
    except TooLong as error:
        if shorten(owner, outcome.captured, error, point.at):
            return _capture(point, segment, options, live)
        segment.closed = point.barren = True
        return False
    if entry is None or entry.native is None:
        owner.journal.skipped("nothing-fused", point.at)
        segment.closed = True
        return False
    entry.number_exits(numbers)
    entry.native.shows = _shows(point, outcome.captured.graph)
    entry.weigh()
    return _install(point, segment, entry, number)


def foresee(point: CapturePoint, live: tuple[Any, ...]) -> bool:
    """Record the breaks that the live-ins lead to; return False, as no entry is made."""
    visits = point.code.visits
    if visits is not None:
        try:
            outcome = capture_at(point.code, point, symbolic(point, live))
        except OverBudget:
            return False
        visits.predict(place.ended_by for place in outcome.breaks if place.ended_by is not None)
    return False


def _install(point: CapturePoint, segment: Segment, entry: CacheEntry, number: int) -> bool:
    """Add a new entry, whose last exit is `number`; True if the segment that was called has it."""
    owner, single = point.code.owner, debug_mode("stub_everywhere")
    for old in owner.entries:
        old.give_way()
    is_other_kind = bool(point.entries)
    serves = owner.new_entry(point.at, entry)
    assert serves.native is not None
    if serves.goes_round:
        serves.watch(partial(point.found_too_short, serves.goes_round))
    point.entries.append(serves)
    owner.entries.append(serves)
    come_back = is_other_kind and point.code.bring_back()
    if (come_back or point.code.is_stale()) and not single:
        point.code.rewrite()
    elif point.segment not in (None, segment) and number < point.segment.n_exits:
        point.segment.add(serves.native)  # otherwise no version of the code has the exit
    if number >= segment.n_exits:
        segment.closed = True  # only running frames call it
        point.code.for_later += 1
        return False
    segment.add(serves.native)
    return True


def _shows(point: CapturePoint, graph: Graph) -> bool:
    """True if loops are halted to show other code what they have changed.

    Each must be re-enterable by a stub at its header. Nothing else runs while the exit stores
    values: it calls no Python code, which would be interrupted before it begins.
    """
    halts = [exit_ for exit_ in graph.exits if exit_.kind == "halt"]
    headers = {at for at, one in point.code.points.items() if one.hopeful or one.exits}
    shown = any(exit_.effects for exit_ in halts)
    return shown and all(
        exit_.at in {point.at, *headers} and not calls_python(exit_) for exit_ in halts
    )


def _varies(point: CapturePoint, missed: Missed) -> str | None:
    """Return the rule by which captures stop for varying values; None to go on."""
    varying, name = point.code.owner.lessons.varying, missed.of
    if missed.varies == "value":
        if name in varying:
            return "varying"
        point.values[name] += 1
        if point.values[name] > MAX_VALUES:
            varying.add(name)
    point.lengths += missed.varies == "length"
    if point.lengths > MAX_LENGTHS:
        if missed.varies != "length" or name in varying:
            return "growing"
        varying.add(name)
    return None


def symbolic(
    point: CapturePoint, live: tuple[Any, ...]
) -> tuple[list[Symbolic], dict[int, Symbolic]]:
    """Return (stack items, slots) for real live-ins."""
    names = point.code.decoded.localsplus
    kinds = point.code.flow.stack_at(point.at)
    stack: list[Symbolic] = []
    given = 0
    for kind in kinds[point.below :]:
        if kind is Kind.INDEX:
            stack.append(INDEX)
            continue
        stack.append(Lazy(Live(given, _ON_STACK[kind is Kind.ITERATOR]), live[given]))
        given += 1
    slots: dict[int, Symbolic] = {}
    for k, slot in enumerate(point.live, given):
        if type(live[k]) is CellType and point.code.decoded.kinds[slot] is not SlotKind.LOCAL:
            slots[slot] = Cell(names[slot], Live(k, f"cell `{names[slot]}`"), live[k])
        else:
            slots[slot] = Lazy(Live(k, f"local `{names[slot]}`"), live[k])
    return stack, slots
