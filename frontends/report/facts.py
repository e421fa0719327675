"""From a manager and its journal to the records of the report, and to the numbers of stats()."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from time import monotonic
from types import FunctionType
from typing import TYPE_CHECKING

from ...jit import native
from ...jit.background import Job
from ...jit.ir.graph import Location
from ...jit.native import MAX_BAILS_IN_ROW, Dispatcher
from ...jit.report import (
    BreakRecord,
    Facts,
    FailureRecord,
    Place,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
)
from ...jit.report.text import count
from ..bytecode.model import GENERATORS
from ..context import current_options
from ..entry import CacheEntry
from ..kept.entry import KeptEntry
from ..machine.breaks import INTERNAL, LOOP, Break
from ..segments import MAX_VERSIONS
from ..support import CHECKED, DEFAULT_OPTIONS
from .journal import RULES, Arrival
from .spending import spending_of
from .told import AnyEntry, Told, place_at, place_of, told_of
from .trials import slower
from .words import detail_of, hint_of

if TYPE_CHECKING:
    from ..function import Manager


def fullgraph_text(function: FunctionType, ended_by: Break) -> str:
    """The message of the GraphBreakError for `fullgraph=True`."""
    location = ended_by.location
    return (
        f"fullgraph=True, but {function.__qualname__} has a graph break at "
        f"{location.filename}:{location.line}: {ended_by.code}, {detail_of(ended_by)}; "
        f"{ended_by.title}\nhint: {hint_of(ended_by)}"
    )


# ---- records -----------------------------------------------------------------------------------


def capture_points(manager: Manager) -> list[tuple[int, list[AnyEntry]]]:
    """(instruction, entries) of each capture point that has entries, in program order."""
    points = dict(manager.segmented.points) if manager.segmented is not None else {}
    found = {index: list(point.entries) for index, point in points.items() if point.entries}
    inside = {id(entry) for entries in found.values() for entry in entries}
    whole = [entry for entry in manager.entries if id(entry) not in inside]
    if whole:
        found[0] = whole + found.get(0, [])
    return sorted(found.items())


def facts(manager: Manager, dispatcher: Dispatcher) -> Facts:
    """All that is known of a function now.

    Other threads may call and capture meanwhile: what they add to is read from a copy.
    """
    entries = [entry for _, all_ in capture_points(manager) for entry in all_]
    backends = dict.fromkeys(entry.options.backend for entry in entries)
    return Facts(
        place=place_of(manager.function),
        backend=" and ".join(backends) or manager.overrides.get("backend", CHECKED.backend),
        calls=manager.calls,
        frameless=dispatcher._hits,
        segments=tuple(_segments(manager)),
        breaks=tuple(_breaks(manager)),
        skipped=tuple(_skips(manager, dispatcher)),
        recompiles=tuple(
            RecompileRecord(place_at(manager, at), reason, times)
            for (at, reason), times in dict(manager.journal.misses).items()
        ),
        failures=tuple(
            FailureRecord(INTERNAL.code, one.where, one.text) for one in manager.failures
        ),
        spending=spending_of(manager),
    )


def _segments(manager: Manager) -> Iterator[SegmentRecord]:
    for index, entries in capture_points(manager):
        for entry in entries:
            yield _segment(entry, told_of(manager, index, entry))


def _segment(entry: AnyEntry, told: Told) -> SegmentRecord:
    notes = list(told.loops)
    if entry.job is not None and entry.native is not None:
        notes.append(_in_background(entry.job, entry.native.waited))
    if isinstance(entry, KeptEntry):
        notes.append("brought back from disk: an earlier process has captured it")
    if remark := entry.came_from()[1]:
        notes.append(f"compiled in this process although machine code is kept on disk: {remark}")
    if isinstance(entry, CacheEntry) and entry.attributing:
        notes.append("its warnings are given by a second kernel that keeps them apart by line")
    if entry.native is not None and entry.native.bails_in_row >= MAX_BAILS_IN_ROW:
        often = RULES["bails"].format(MAX_BAILS_IN_ROW)
        serves = "segments that end before what it bails at serve, and it is tried now and then"
        notes.append(serves if entry.native.has_others else often)
    return SegmentRecord(
        place=told.place,
        last_line=told.last_line,
        fused=told.fused,
        opaque=told.opaque,
        hits=_passes(entry),
        bails=dict(entry.bails),
        checks=dict(entry.checks),
        ends=told.ends,
        ends_line=told.ends_line,
        types=told.types,
        passes=told.passes,
        notes=tuple(notes),
        waits=entry.job is not None and not entry.job.ended,
    )


def _in_background(job: Job, waited: int) -> str:
    """How a compile in the background goes, or went."""
    answered = count(waited, "call")
    if not job.ended:
        since = 1e3 * (monotonic() - job.asked)
        return f"compiling in the background for {since:.0f} ms: plain Python answered {answered}"
    if job.failed:
        return f"it could not be compiled in the background: plain Python answered {answered}"
    return (
        f"compiled in the background in {1e3 * (job.ended - job.began):.0f} ms, ready "
        f"{1e3 * (job.ended - job.asked):.0f} ms after the capture: plain Python answered "
        f"{answered} meanwhile"
    )


def _passes(entry: AnyEntry) -> int:
    """Launches that ran to the end of the segment."""
    hits = 0 if entry.native is None else entry.native.hits
    return hits - sum(entry.bails.get(why, 0) for why in ("checkpoint", "halted", "late"))


# ---- breaks ------------------------------------------------------------------------------------


def _breaks(manager: Manager) -> Iterator[BreakRecord]:
    """One record for each thing in a line that broke, in program order."""
    merged: dict[tuple[Place, str, str], BreakRecord] = {}
    for record in _broken_instructions(manager):
        key = (record.place, record.code, record.detail)
        if record.detail.endswith(CONSEQUENCES) and any(at == key[0] for at, *_ in merged):
            continue
        known = merged.get(key)
        if known is None or known.count < record.count:
            merged[key] = record
    yield from merged.values()


CONSEQUENCES = ("call of something made earlier in the line", "is taken from the stack")
"""Ends of what is said of an instruction that goes on with the result of a break in its line."""


def _broken_instructions(manager: Manager) -> Iterator[BreakRecord]:
    """One record for each instruction that broke, with the words of what came to it first."""
    found: dict[int, Break] = {}
    for ended_by in (*(one.ended_by for one in _arrivals(manager)), *_foreseen(manager)):
        if ended_by.index not in found or not found[ended_by.index].foreseen:
            found[ended_by.index] = ended_by
    for _, ended_by in sorted(found.items()):
        if _makes_generator(manager, ended_by):
            continue  # which is told as a skip
        if ended_by.code == LOOP.code and _breaks_elsewhere(manager, ended_by.index, found):
            continue
        times, exact = _times_passed(manager, ended_by)
        if times == 0:
            continue  # the program took another branch
        location = ended_by.location
        place = Place(location.filename, location.line, location.function)
        yield BreakRecord(
            ended_by.code,
            ended_by.title,
            detail_of(ended_by),
            hint_of(ended_by, in_loop=_is_in_loop(manager, ended_by.index)),
            place,
            place.source,
            times,
            exact,
        )


def _breaks_elsewhere(manager: Manager, header: int, found: Mapping[int, Break]) -> bool:
    """True where a loop breaks since statements in it do, or its start: they are told of."""
    before = found.get(header - 1)
    if before is not None and before.code == LOOP.code:
        return True
    loop = manager.flow.loop_at(header)
    visits = None if manager.segmented is None else manager.segmented.visits
    inside = () if loop is None or visits is None else loop.body & found.keys() - {header}
    return any(_times_passed(manager, found[at])[0] for at in inside)


def _is_in_loop(manager: Manager, index: int) -> bool:
    return any(index in loop.body for loop in manager.flow.loops)


def _foreseen(manager: Manager) -> list[Break]:
    """Breaks that the program may have come to, which counts tell."""
    visits = None if manager.segmented is None else manager.segmented.visits
    return [] if visits is None else visits.foreseen


def _arrivals(manager: Manager) -> list[Arrival]:
    """Breaks that live-ins came to, those too that only earlier processes have captured."""
    found = [*manager.journal.arrivals]
    known = {(one.ended_by.index, one.ended_by.code) for one in found}
    for code, title, detail, hint, place, index, at in manager.kept_breaks:
        if (index, code) not in known:
            file, line, function, module = place
            where = Location(file, line, function, module, {})
            found.append(Arrival(Break(code, title, detail, hint, where, index), at, times=0))
    return found


def _makes_generator(manager: Manager, ended_by: Break) -> bool:
    """Whether it is the instruction at which the call of a generator function ends."""
    ops = manager.flow.decoded.instructions[ended_by.index].ops
    return any(op.name == "RETURN_GENERATOR" for op in ops)


def _times_passed(manager: Manager, ended_by: Break) -> tuple[int, bool]:
    """(how often the program passed the break, whether that is exact).

    A call that is explained counts them. Else a segment that ends in it counts its passes. Where
    none does, the stub behind it is called once for each pass, as long as nothing else leads there.
    """
    index = ended_by.index
    visits = None if manager.segmented is None else manager.segmented.visits
    if visits is not None and not visits.is_statement(index):
        return 0, True
    if not ended_by.foreseen and (visits is not None or not _passes_into(manager, index)):
        return 0, True  # a try in the middle of a statement that another break had cut
    at = index - 1 if ended_by.code == LOOP.code else index  # of a loop, how often it was begun
    arrivals = [one for one in _arrivals(manager) if one.ended_by.index == index]
    if visits is not None and (visited := visits.times(at)) is not None:
        all_counted = visits.counted_calls == manager.calls
        if all_counted or not arrivals:
            return visited, all_counted
    points = capture_points(manager)
    counted = _passes_into(manager, index)
    behind = _calls_behind(manager, index)
    if behind is not None:
        return max(behind, counted, 1), True
    starts = {at for at, all_ in points for entry in all_ if _ends_at(entry, index)}
    silent = [one for one in arrivals if one.at and one.at not in starts]
    if any(one.at == 0 for one in arrivals) and not starts & _entry_points(manager):
        # Nothing is captured between the entry of the function and the break: each call passes it.
        return max(counted + manager.calls, 1), not silent
    return max(counted + sum(one.times for one in silent), 1), not silent


def _passes_into(manager: Manager, index: int) -> int:
    """Launches that ran to a break at this instruction."""
    entries = [entry for _, all_ in capture_points(manager) for entry in all_]
    return sum(_passes(entry) for entry in entries if _ends_at(entry, index))


def _ends_at(entry: AnyEntry, index: int) -> bool:
    return entry.ends_at == index


def _entry_points(manager: Manager) -> set[int]:
    """The first instruction, and the first before which a stub may stand."""
    points = manager.segmented.points if manager.segmented is not None else {}
    return {0, min(points, default=0)}


def _calls_behind(manager: Manager, index: int) -> int | None:
    """Calls of the stub that follows an instruction, when only that instruction leads to it."""
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
            return calls - sum(map(_passes, other))
    return None


# ---- skips and numbers -------------------------------------------------------------------------


def _skips(manager: Manager, dispatcher: Dispatcher) -> Iterator[SkipRecord]:
    home = place_of(manager.function)
    flags = manager.function.__code__.co_flags
    for flag, kind in GENERATORS.items():
        if flags & flag:
            yield SkipRecord("generator", RULES["generator"].format(kind), home)
    if not dispatcher._bindable:
        yield SkipRecord("signature", RULES["signature"].format(_signature(flags)), home)
    if exchanged := native.exchanged_builtins():
        yield SkipRecord("exchanged", RULES["exchanged"].format(", ".join(exchanged)), home)
    if not manager.entries and manager.segmented is None and (off := _why_off()):
        yield SkipRecord("off", RULES["off"].format(off), home)
    for (rule, at, reason), times in dict(manager.journal.skips).items():
        yield SkipRecord(rule, reason, place_at(manager, at) if at else home, times)
    if manager.segmented is not None and manager.segmented.versions >= MAX_VERSIONS:
        yield SkipRecord("versions", RULES["versions"].format(MAX_VERSIONS), home)
    for at, trials, told in slower(manager, dispatcher):
        yield SkipRecord("slower", told, place_at(manager, at) if at else home, trials)


def _why_off() -> str:
    """Why nothing is captured in this thread now; "" where things are."""
    if DEFAULT_OPTIONS is None:
        return "FRAMEJIT_DISABLE is set"
    if current_options() is None:
        return "this is a block of disable()"
    return "a debugger, profiler or coverage tool is watching" if native.tools_active() else ""


def _signature(flags: int) -> str:
    stars = [name for flag, name in ((0x04, "*args"), (0x08, "**kwargs")) if flags & flag]
    return f"it takes {' and '.join(stars)}" if stars else "it takes too many arguments"


def stats(manager: Manager, dispatcher: Dispatcher) -> dict[str, int]:
    """Plain numbers of what happened to a function so far.

    calls; hits: calls answered without a Python frame; captures: entries that this process has
    captured; kept: entries that it found on disk; recompiles: entries beyond the first of a point;
    bails: launches that left for eager; breaks: places that broke; segments: capture points with an
    entry; launches: kernels that were run; from_disk: kernels whose machine code was found on disk;
    compiled: those that this process compiled; eager_calls: calls known to have met no compiled
    code; eager_operations: how often a break was passed; skipped: how often a rule left something
    to eager; slower: kernels, and rewritten code, that plain Python serves in place of, as it was
    faster; failures: errors of framejit's own.
    """
    points = capture_points(manager)
    entries = [entry for _, all_ in points for entry in all_]
    kept = sum(isinstance(entry, KeptEntry) for entry in entries)
    launches = sum(entry.native.hits for entry in entries if entry.native is not None)
    breaks = list(_breaks(manager))
    # Where there are segments a call is counted as eager when none of them ever ran.
    begun = dispatcher._hits + dispatcher._midway
    known = manager.segmented is None or not launches
    eager = manager.calls - begun if known else dispatcher._plain
    origins = Counter(entry.came_from()[0] for entry in entries)
    return {
        "calls": manager.calls,
        "hits": dispatcher._hits,
        "captures": len(entries) - kept,
        "kept": kept,
        "recompiles": sum(len(all_) - 1 for _, all_ in points),
        "bails": sum(sum(entry.bails.values()) for entry in entries),
        "breaks": len(breaks),
        "segments": len(points),
        "launches": launches,
        "from_disk": origins["disk"],
        "compiled": origins["compiled"],
        "eager_calls": eager,
        "eager_operations": sum(one.count for one in breaks),
        "skipped": sum(manager.journal.skips.values()),
        "slower": len(slower(manager, dispatcher)),
        "failures": len(manager.failures),
    }
