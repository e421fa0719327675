"""A report as text for a terminal: at most 100 columns, the user's words, short."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from .records import BreakRecord, Facts, SegmentRecord

WIDTH = 100
BAILS = {
    "flags": "for a floating point warning",
    "check": "for a check",
    "checkpoint": "in the middle, after a write",
    "interrupt": "for an exception of a signal handler or of another thread",
    "halted": "between two turns of a loop, for a signal handler or another thread",
    "late": "late in a long loop, of which it kept the finished turns",
    "changed": "as a signal handler or another thread changed what it relies on",
}
"""Reasons of bails in words."""
LIBRARY = "library"
"""The rule that is summed up."""
MAX_TYPES = 3
"""Guards shown for each segment; `inspect("guards")` has them all."""


def report_text(facts: Facts) -> str:
    """All of it."""
    parts = [_head(facts), _segments(facts), _breaks(facts), _recompiles(facts), _skipped(facts)]
    parts.append(_failures(facts))
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def count(number: int, noun: str) -> str:
    """A number and its noun: "1 break", "2 breaks"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def lines(first: int, last: int) -> str:
    """A range: "line 3" or "lines 3-5"."""
    return f"line {first}" if last <= first else f"lines {first}-{last}"


# ---- parts -------------------------------------------------------------------------------------


def _head(facts: Facts) -> Iterator[str]:
    place = facts.place
    yield (
        f"{place.function} ({PurePath(place.file).name}:{place.line}), backend {facts.backend}, "
        f"{count(facts.calls, 'call')}"
    )
    if not facts.segments:
        yield "  nothing was compiled: all of it ran as plain Python"
        return
    ran = [segment for segment in facts.segments if segment.launches]
    fused = sum(segment.fused for segment in ran)
    opaque = sum(segment.opaque for segment in ran)
    if ran:
        yield (
            f"  {count(len(ran), 'segment')} compiled: {count(fused, 'operation')} fused, "
            f"{opaque} opaque; {count(len(facts.breaks), 'graph break')}"
        )
    elif any(segment.waits for segment in facts.segments):
        yield "  nothing has run compiled so far: plain Python answers while kernels are compiled"
    else:
        yield f"  {count(len(facts.segments), 'segment')} compiled, but none has run so far"
    yield from _spending(facts)
    if facts.frameless:
        every = facts.frameless == facts.calls
        answered = "every call" if every else f"{facts.frameless} of {count(facts.calls, 'call')}"
        yield f"  {answered} answered by one kernel, without a Python frame"


def _spending(facts: Facts) -> Iterator[str]:
    """The tier and the costs of a function; nothing where the program was not sampled."""
    known = facts.spending
    if known is None or known.spent is None:
        return
    yield f"  {known.tier}"
    yield (
        f"  {known.spent:.2f} s spent in its own code, {known.captured:.2f} s by captures, "
        f"{known.compiled:.2f} s by compiles beside it; about {known.saved:.2f} s saved"
    )


def _segments(facts: Facts) -> Iterator[str]:
    ran = [segment for segment in facts.segments if segment.launches or segment.waits]
    if not ran:
        return
    yield "segments"
    rows: list[tuple[str, ...]] = [("", "fused", "opaque", "ran", "bailed", "ends")]
    rows += [_segment_row(segment) for segment in ran]
    first, *others = table(rows, "<>>>><")
    yield first
    for segment, row in zip(ran, others, strict=True):
        yield row
        for note in _segment_notes(segment):
            yield from wrapped(note, "      ")
    if idle := len(facts.segments) - len(ran):
        yield f"  {idle} more {'was' if idle == 1 else 'were'} compiled and did not run so far"


def _segment_row(segment: SegmentRecord) -> tuple[str, ...]:
    ends = "at the return"
    if segment.ends == "loop":
        ends = f"in the loop, or before line {segment.ends_line}"
    elif segment.ends != "return":
        ends = f"at the break in line {segment.ends_line}, {segment.ends}"
    return (
        lines(segment.place.line, segment.last_line),
        str(segment.fused),
        str(segment.opaque),
        str(segment.hits),
        str(sum(segment.bails.values())),
        ends,
    )


def _segment_notes(segment: SegmentRecord) -> Iterator[str]:
    shown = segment.types[:MAX_TYPES]
    more = len(segment.types) - len(shown)
    if shown:
        yield "for " + ", ".join(shown) + (f" and {more} more" if more else "")
    for why, number in segment.bails.items():
        yield f"bailed {times(number)} {BAILS.get(why, why)}: plain Python went on from there"
    for check, number in segment.checks.items():
        yield f"  {times(number)} {check}"
    if segment.passes:
        yield "passes: " + ", ".join(f"{number} {done}" for done, number in segment.passes.items())
    yield from segment.notes


def _breaks(facts: Facts) -> Iterator[str]:
    if not facts.breaks:
        return
    yield "graph breaks"
    shown: tuple[str, int] | None = None
    hinted: set[str] = set()
    for record in facts.breaks:
        home = (record.place.file, record.place.line)
        if home != shown:
            yield _shortened(f"  line {record.place.line}: {record.source}")
            shown = home
        yield from _break(record)
        if record.hint not in hinted:
            yield from wrapped(f"-> {record.hint}", "      ", "         ")
            hinted.add(record.hint)


def _break(record: BreakRecord) -> Iterator[str]:
    often = times(record.count) if record.exact else f"{times(record.count)} or more"
    yield from wrapped(f"{record.code}, {often}: {record.detail}; {record.title}", "    ", "      ")


def _recompiles(facts: Facts) -> Iterator[str]:
    if not facts.recompiles:
        return
    yield "captured again"
    for record in facts.recompiles:
        often = f" ({times(record.count)})" if record.count > 1 else ""
        yield from wrapped(f"line {record.place.line}: {record.reason}{often}", "  ", "    ")


def _skipped(facts: Facts) -> Iterator[str]:
    if not facts.skipped:
        return
    yield "left to plain Python"
    for record in facts.skipped:
        if record.rule == LIBRARY:
            continue
        often = f", {times(record.count)}" if record.count > 1 else ""
        home = f"line {record.place.line}" if record.place.file else "everywhere"
        if record.place.function != facts.place.function and record.place.file:
            home = (
                f"{record.place.function} ({PurePath(record.place.file).name}:{record.place.line})"
            )
        text = f"{home}: {record.reason} [{record.rule}{often}]"
        yield from wrapped(text, "  ", "    ")
    libraries = [record for record in facts.skipped if record.rule == LIBRARY]
    if libraries:
        names = sorted({record.reason.removeprefix("it belongs to ") for record in libraries})
        frames = sum(record.count for record in libraries)
        text = f"{count(len(libraries), 'function')} of libraries: {', '.join(names)}"
        yield from wrapped(f"{text} [{LIBRARY}, {times(frames)}]", "  ", "    ")


def _failures(facts: Facts) -> Iterator[str]:
    if not facts.failures:
        return
    yield "errors of framejit itself (please report them; plain Python answered)"
    for record in facts.failures:
        yield f"  {record.code}, in {record.function}:"
        yield textwrap.indent(record.traceback.rstrip(), "    ")


# ---- layout ------------------------------------------------------------------------------------


def times(number: int) -> str:
    """A number of times in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def table(rows: Sequence[tuple[str, ...]], sides: str) -> Iterator[str]:
    """Rows in columns; `sides` has "<" or ">" for each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, sides, strict=True)
        yield ("  " + "  ".join(f"{text:{side}{width}}" for text, width, side in cells)).rstrip()


def wrapped(text: str, indent: str, hanging: str | None = None) -> list[str]:
    """Lines of a text: the first indented, the others hanging, two more when not told."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  " if hanging is None else hanging,
        break_on_hyphens=False,
    )


def _shortened(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."
