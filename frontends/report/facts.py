"""Makes the records of the report, and the numbers of stats(), from a manager and its journal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from time import monotonic
from types import FunctionType
from typing import TYPE_CHECKING

from ...jit import native
from ...jit.background import Job
from ...jit.native import MAX_BAILS_IN_ROW, Dispatcher
from ...jit.report import (
    Facts,
    FailureRecord,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
)
from ...jit.report.layout import count
from ..bytecode.model import GENERATORS
from ..capture.values.breaks import INTERNAL, Break
from ..context import current_options
from ..kept.entry import KeptEntry
from ..runtime.entry import CacheEntry
from ..runtime.segments import MAX_VERSIONS
from ..runtime.visits import total_of
from ..support import CHECKED, DEFAULT_OPTIONS
from .broken import breaks
from .capture_record import AnyEntry, CaptureRecord, capture_record, place_at, place_of
from .costs import seconds_of
from .journal import RULES
from .points import capture_points, passes_of
from .spending import spending_of
from .tier import awaited
from .trials import slower
from .words import detail_of, hint_of

if TYPE_CHECKING:
    from ..runtime.function import Manager


def fullgraph_text(function: FunctionType, ended_by: Break) -> str:
    """Return the message of the GraphBreakError for `fullgraph=True`."""
    location = ended_by.location
    return (
        f"fullgraph=True, but {function.__qualname__} has a graph break at "
        f"{location.filename}:{location.line}: {ended_by.code}, {detail_of(ended_by)}; "
        f"{ended_by.title}\nhint: {hint_of(ended_by)}"
    )


# ---- records -----------------------------------------------------------------------------------


def facts(manager: Manager, dispatcher: Dispatcher) -> Facts:
    """Return all facts on a function as of now.

    Other threads may call and capture meanwhile: growing containers are copied first.
    """
    entries = [entry for _, all_ in capture_points(manager) for entry in all_]
    total = total_of(manager)
    backends = dict.fromkeys(entry.options.backend for entry in entries)
    return Facts(
        place=place_of(manager.function),
        backend=" and ".join(backends) or manager.overrides.get("backend", CHECKED.backend),
        calls=manager.calls,
        frameless=dispatcher._hits,
        segments=tuple(_segments(manager)),
        breaks=tuple(breaks(manager)),
        skipped=tuple(_skips(manager, dispatcher)),
        recompiles=tuple(_recompiles(manager)),
        failures=tuple(
            FailureRecord(INTERNAL.code, one.where, one.text) for one in manager.failures
        ),
        spending=spending_of(manager),
        seconds=total.seconds if total.calls and math.isfinite(total.seconds) else None,
    )


def _recompiles(manager: Manager) -> Iterator[RecompileRecord]:
    points = dict(capture_points(manager))
    for (at, reason), times in dict(manager.journal.misses).items():
        kept = [one for one in points.get(at, ()) if not one.is_outgrown]
        later = sum(one.seconds for one in kept[1:] if isinstance(one, CacheEntry))
        place = place_at(manager, at)
        yield RecompileRecord(place, reason, times, len(kept), manager.max_entries, later)


def _segments(manager: Manager) -> Iterator[SegmentRecord]:
    for index, entries in capture_points(manager):
        for entry in entries:
            seconds = seconds_of(manager, index, entry)
            yield _segment(entry, capture_record(manager, index, entry), seconds)


def _segment(entry: AnyEntry, record: CaptureRecord, seconds: float | None) -> SegmentRecord:
    notes = list(record.loops)
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
        place=record.place,
        last_line=record.last_line,
        fused=record.fused,
        opaque=record.opaque,
        hits=passes_of(entry),
        bails=dict(entry.bails),
        checks=dict(entry.checks),
        ends=record.ends,
        ends_line=record.ends_line,
        types=record.types,
        passes=record.passes,
        notes=tuple(notes),
        waits=entry.job is not None and not entry.job.ended,
        seconds=seconds,
        eager=entry.pace.seconds if isinstance(entry, CacheEntry) and entry.pace else None,
        bytes=entry.pace.bytes if isinstance(entry, CacheEntry) and entry.pace else None,
        compiled=entry.seconds if isinstance(entry, CacheEntry) else 0.0,
        origin=entry.came_from()[0],
    )


def _in_background(job: Job, waited: int) -> str:
    """Return the state of a compile in the background, in words."""
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
    for at, trials, reason in slower(manager, dispatcher):
        yield SkipRecord("slower", reason, place_at(manager, at) if at else home, trials)


def _why_off() -> str:
    """Return the reason why nothing is captured in this thread now; "" if something can be."""
    if DEFAULT_OPTIONS is None:
        return "FRAMEJIT_DISABLE is set"
    if current_options() is None:
        return "this is a block of disable()"
    return "a debugger, profiler or coverage tool is watching" if native.tools_active() else ""


def _signature(flags: int) -> str:
    stars = [name for flag, name in ((0x04, "*args"), (0x08, "**kwargs")) if flags & flag]
    return f"it takes {' and '.join(stars)}" if stars else "it takes too many arguments"


def stats(manager: Manager, dispatcher: Dispatcher) -> dict[str, int]:
    """Return counts of what happened to a function so far.

    calls; hits: calls answered without a Python frame; captures: entries that this process
    captured; kept: entries loaded from disk; recompiles: entries beyond the first of a point;
    bails: launches that left for eager; breaks: places that broke; segments: capture points with an
    entry; launches: kernels run; from_disk: kernels whose machine code was found on disk; compiled:
    kernels that this process compiled; eager_calls: calls known to have met no compiled code;
    eager_operations: how often a break was passed; skipped: how often a rule left something to
    eager; slower: kernels, and rewritten code, that plain Python replaces as it was faster;
    awaited: kernels being compiled, and copies of the process that capture it; failures: internal
    errors.
    """
    points = capture_points(manager)
    entries = [entry for _, all_ in points for entry in all_]
    kept = sum(isinstance(entry, KeptEntry) for entry in entries)
    launches = sum(entry.native.hits for entry in entries if entry.native is not None)
    broken = list(breaks(manager))
    # Where there are segments a call counts as eager if none of them ever ran.
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
        "breaks": len(broken),
        "segments": len(points),
        "launches": launches,
        "from_disk": origins["disk"],
        "compiled": origins["compiled"],
        "eager_calls": eager,
        "eager_operations": sum(one.count for one in broken),
        "skipped": sum(manager.journal.skips.values()),
        "slower": len(slower(manager, dispatcher)),
        "awaited": sum(awaited(manager)),
        "failures": len(manager.failures),
    }
