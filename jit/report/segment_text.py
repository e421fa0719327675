"""The part of a report on segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .layout import count, duration, lines, shortened, size, table, times, wrapped
from .records import Facts, SegmentRecord

BAILS = {
    "flags": "for a floating point warning",
    "check": "for a check",
    "checkpoint": "in the middle, after a write",
    "interrupt": "for an exception of a signal handler or of another thread",
    "halted": "between two iterations of a loop, for a signal handler or another thread",
    "late": "late in a long loop, of which it kept the finished iterations",
    "changed": "as a signal handler or another thread changed what it relies on",
}
"""Reasons of bails in words."""
MAX_TYPES = 3
"""Maximum number of guards shown per segment; `inspect("guards")` has them all."""
LONG = 2e-4
"""Seconds beside which it is no matter that a launch is the first."""
FEWEST = 5
"""Launches of which the fastest is compared with NumPy, which had as many tries, before a loss is
told of."""
SMALL = 20_000
"""Bytes of arrays for which a launch costs about as much as it saves."""


def segments_text(facts: Facts, most: int | None) -> Iterator[str]:
    """Yield a row for each segment; with `most`, only the most expensive ones and no notes."""
    ran = [segment for segment in facts.segments if segment.launches or segment.waits]
    if not ran:
        return
    shown = ran if most is None or len(ran) <= most else _longest(ran, most)
    yield "segments"
    measured = any(segment.seconds is not None for segment in shown)
    rows: list[tuple[str, ...]] = [_head(measured)]
    rows += [_row(segment, measured) for segment in shown]
    first, *others = table(rows, "<>>>>>>><" if measured else "<>>>><")
    yield first
    for segment, row in zip(shown, others, strict=True):
        yield shortened(row)
        for note in _notes(segment, everything=most is None):
            yield from wrapped(note, "      ")
    if any(one.eager is not None and not _says(one) for one in shown):
        yield "  first launches of short kernels tell of no gain: explain(f, repeat=9) has more"
    if left := len(ran) - len(shown):
        yield f"  {count(left, 'more segment')} that took less"
    if idle := len(facts.segments) - len(ran):
        yield f"  {idle} more {'was' if idle == 1 else 'were'} compiled and did not run so far"


def _longest(ran: Sequence[SegmentRecord], most: int) -> list[SegmentRecord]:
    taking = sorted(ran, key=lambda one: -(one.seconds or 0.0) * one.launches)[:most]
    return [one for one in ran if any(one is taken for taken in taking)]


def _head(measured: bool) -> tuple[str, ...]:
    middle = ("time", "gain", "reads") if measured else ()
    return ("", "fused", "opaque", "ran", "bailed", *middle, "ends")


def _row(segment: SegmentRecord, measured: bool) -> tuple[str, ...]:
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
        *(_costs(segment) if measured else ()),
        ends,
    )


def _costs(segment: SegmentRecord) -> tuple[str, str, str]:
    """Return a launch's time, the speedup over NumPy, and the bytes read; "" if not measured."""
    took = segment.seconds
    gain = f"{segment.eager / took:.1f}x" if took and segment.eager and _says(segment) else ""
    read = "" if segment.bytes is None else size(segment.bytes)
    return "" if took is None else duration(took), gain, read


def _says(segment: SegmentRecord) -> bool:
    """False where the time of a launch tells little: the first one of a kernel takes longer.

    A few launches tell of a gain only: all of them may have been held up.
    """
    took, eager = segment.seconds or 0.0, segment.eager or 0.0
    return segment.hits >= FEWEST or (eager > took and (segment.hits > 1 or eager >= LONG))


def _notes(segment: SegmentRecord, *, everything: bool) -> Iterator[str]:
    shown = segment.types[:MAX_TYPES]
    more = len(segment.types) - len(shown)
    if shown and everything:
        yield "for " + ", ".join(shown) + (f" and {more} more" if more else "")
    for why, number in segment.bails.items():
        yield f"bailed {times(number)} {BAILS.get(why, why)}: plain Python went on from there"
    for check, number in segment.checks.items():
        yield f"  {times(number)} {check}"
    if why := why_no_gain(segment):
        yield f"no speed-up: {why}"
    if segment.passes and everything:
        yield "passes: " + ", ".join(f"{number} {done}" for done, number in segment.passes.items())
    yield from segment.notes if everything or segment.waits or segment.bails else ()


def why_no_gain(segment: SegmentRecord) -> str:
    """Return the reason why a launch takes as long as NumPy; "" if it is faster, or unknown."""
    took, eager = segment.seconds, segment.eager
    if not took or eager is None or eager > took or segment.hits < FEWEST:
        return ""  # a few launches may all have been held up
    if segment.bytes is not None and segment.bytes < SMALL:
        return f"arrays of {size(segment.bytes)} are small; a launch costs what it saves"
    if segment.opaque >= segment.fused:
        return "its opaque operations take as long as they do in NumPy"
    return "NumPy is as fast in these operations"
