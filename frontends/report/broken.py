"""The graph breaks of a function in its report: which, how often, and at what cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...jit.ir.graph import Location
from ...jit.report import BreakRecord, Place
from ..bytecode.loops import Loop
from ..capture.values.breaks import LOOP, UNBOUND, Break
from .capture_record import AnyEntry
from .costs import outside_at
from .journal import Arrival
from .points import capture_points, passes_of
from .words import detail_of, hint_of

if TYPE_CHECKING:
    from ..runtime.function import Manager


def breaks(manager: Manager) -> Iterator[BreakRecord]:
    """Yield one record for each distinct break in a line, in program order."""
    merged: dict[tuple[Place, str, str], BreakRecord] = {}
    found: dict[tuple[Place, str, str], list[int]] = {}
    for index, record in _broken_instructions(manager):
        key = (record.place, record.code, record.detail)
        if record.detail.endswith(CONSEQUENCES) and any(at == key[0] for at, *_ in merged):
            continue
        found.setdefault(key, []).append(index)
        known = merged.get(key)
        if known is None or known.count < record.count:
            merged[key] = record
    costs = outside_at(manager, [index for all_ in found.values() for index in all_])
    for key, record in merged.items():
        if costs is None:
            yield record
            continue
        seconds = sum(costs.seconds[index] for index in found[key])
        share = seconds / costs.total if costs.total else None
        yield replace(record, seconds=seconds, share=share)


CONSEQUENCES = ("call of something made earlier in the line", "is taken from the stack")
"""Ends of details of instructions that only use the result of an earlier break in their line."""


RESUMED = "that is under way already"
"""End of the detail of a loop that a segment has begun and left before its first iteration."""


def _broken_instructions(manager: Manager) -> Iterator[tuple[int, BreakRecord]]:
    """Yield the index and record of each instruction that broke, as it broke first."""
    found: dict[int, Break] = {}
    for ended_by in (*(one.ended_by for one in _arrivals(manager)), *_predicted(manager)):
        known = found.get(ended_by.index)
        if known is None or not known.predicted or known.detail.endswith(RESUMED):
            found[ended_by.index] = ended_by
    for _, ended_by in sorted(found.items()):
        if _makes_generator(manager, ended_by):
            continue  # reported as a skip
        if ended_by.code == LOOP.code and _breaks_elsewhere(manager, ended_by.index, found):
            continue
        if ended_by.predicted and _went_on(manager, ended_by):
            continue
        times, exact = _times_passed(manager, ended_by)
        if times == 0:
            continue  # the program took another branch
        location = ended_by.location
        place = Place(location.filename, location.line, location.function)
        record = BreakRecord(
            ended_by.code,
            ended_by.title,
            detail_of(ended_by),
            hint_of(ended_by, in_loop=_is_in_loop(manager, ended_by.index)),
            place,
            place.source,
            times,
            exact,
        )
        yield ended_by.index, record


_RAISES = re.compile(r"(?:[\w.]+: )?\w+(Error|Exception|StopIteration): ")


def _went_on(manager: Manager, predicted: Break) -> bool:
    """True if an exception predicted by exploring was not raised, as an object had changed."""
    visits = None if manager.segmented is None else manager.segmented.visits
    if visits is None or not (predicted.code == UNBOUND.code or _RAISES.match(predicted.detail)):
        return False
    behind = manager.flow.successors[predicted.index]
    times = visits.times(predicted.index)
    following = predicted.index + 1  # the others are handlers of exceptions
    return bool(times) and following in behind and visits.times(following) == times


def _breaks_elsewhere(manager: Manager, header: int, found: Mapping[int, Break]) -> bool:
    """True if a loop only breaks because its start or statements in it do, which are reported."""
    before = found.get(header - 1)
    if before is not None and before.code == LOOP.code:
        return True
    loop = manager.flow.loop_at(header)
    visits = None if manager.segmented is None else manager.segmented.visits
    inside = () if loop is None or visits is None else loop.body & found.keys() - {header}
    return any(_times_passed(manager, found[at])[0] for at in inside)


def _is_in_loop(manager: Manager, index: int) -> bool:
    return any(index in loop.body for loop in manager.flow.loops)


def _predicted(manager: Manager) -> list[Break]:
    """Return breaks that the program may have reached, as counts show."""
    visits = None if manager.segmented is None else manager.segmented.visits
    return [] if visits is None else visits.predicted


def _arrivals(manager: Manager) -> list[Arrival]:
    """Return breaks that were reached, including those that only earlier processes captured."""
    found = [*manager.journal.arrivals]
    known = {(one.ended_by.index, one.ended_by.code) for one in found}
    for code, title, detail, hint, place, index, at in manager.kept_breaks:
        if (index, code) not in known:
            file, line, function, module = place
            where = Location(file, line, function, module, {})
            found.append(Arrival(Break(code, title, detail, hint, where, index), at, times=0))
    return found


def _makes_generator(manager: Manager, ended_by: Break) -> bool:
    """True if it is the instruction at which the call of a generator function ends."""
    ops = manager.flow.decoded.instructions[ended_by.index].ops
    return any(op.name == "RETURN_GENERATOR" for op in ops)


def _times_passed(manager: Manager, ended_by: Break) -> tuple[int, bool]:
    """Return (how often the program passed the break, True if that is exact).

    An explained call counts passes. Otherwise a segment that ends in the break counts its launches.
    If none does, the stub behind the break is called once per pass, provided nothing else leads
    there.
    """
    index = ended_by.index
    visits = None if manager.segmented is None else manager.segmented.visits
    if visits is not None and not visits.is_statement(index):
        return 0, True
    if not ended_by.predicted and (visits is not None or not _passes_into(manager, index)):
        return 0, True  # a try in the middle of a statement that another break had cut
    loop = manager.flow.loop_at(index) if ended_by.code == LOOP.code else None
    at = index if loop is None else index - 1  # of a loop, how often it was begun
    arrivals = [one for one in _arrivals(manager) if one.ended_by.index == index]
    if visits is not None and (visited := visits.times(at)) is not None:
        all_counted = visits.counted_calls == manager.calls
        if all_counted or not arrivals:
            if loop is None or not visits.times(index):
                return visited, all_counted
            begun = _begun_by_segments(manager, loop)
            return (max(visited, 1), False) if begun is None else (visited + begun, all_counted)
    points = capture_points(manager)
    counted = _passes_into(manager, index)
    behind = _calls_behind(manager, index)
    if behind is not None:
        return max(behind, counted, 1), True
    starts = {at for at, all_ in points for entry in all_ if _ends_at(entry, index)}
    silent = [one for one in arrivals if one.at and one.at not in starts]
    if any(one.at == 0 for one in arrivals) and not starts & _entry_points(manager):
        # Nothing is captured between the function's entry and the break: each call passes it.
        return max(counted + manager.calls, 1), not silent
    return max(counted + sum(one.times for one in silent), 1), not silent


def _begun_by_segments(manager: Manager, loop: Loop) -> int | None:
    """Return how many launches ended before a loop's first iteration; None if that is not counted.

    Of a segment with several exits nobody counts which one was taken.
    """
    points = capture_points(manager)
    entries = [entry for at, all_ in points if at not in loop.body for entry in all_]
    if any(len(entry.exit_numbers) > 1 for entry in entries if passes_of(entry)):
        return None
    return sum(passes_of(entry) for entry in entries if _ends_at(entry, loop.header))


def _passes_into(manager: Manager, index: int) -> int:
    """Return the number of launches that ran to a break at this instruction."""
    entries = [entry for _, all_ in capture_points(manager) for entry in all_]
    return sum(passes_of(entry) for entry in entries if _ends_at(entry, index))


def _ends_at(entry: AnyEntry, index: int) -> bool:
    return entry.ends_at == index


def _entry_points(manager: Manager) -> set[int]:
    """Return the first instruction, and the first at which a stub may stand."""
    points = manager.segmented.points if manager.segmented is not None else {}
    return {0, min(points, default=0)}


def _calls_behind(manager: Manager, index: int) -> int | None:
    """Return the calls of the stub behind an instruction; None if other instructions lead there."""
    if manager.segmented is None:
        return None
    flow = manager.flow
    points = manager.segmented.points
    behind = index
    while flow.successors[behind] and behind + 1 < len(flow.decoded.instructions):
        behind += 1
        led_to = [at for at, after in enumerate(flow.successors) if behind in after]
        if led_to != [behind - 1]:
            return None
        point = points.get(behind)
        if point is not None and point.segments:
            inside = range(index + 1, behind + 1)
            into = [e for _, all_ in capture_points(manager) for e in all_]
            other = [e for e in into if any(_ends_at(e, at) for at in inside)]
            calls = sum(segment.calls for segment in point.segments)
            return calls - sum(map(passes_of, other))
    return None
