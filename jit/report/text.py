"""A report as text for a terminal: at most 100 columns, short, in the user's words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import PurePath

from .break_text import breaks_in_brief, breaks_text
from .layout import WIDTH, count, duration, percent, times, wrapped
from .records import Facts, Spending
from .report_sums import captured
from .segment_text import segments_text

__all__ = ["LIBRARY", "WIDTH", "report_text"]

LIBRARY = "library"
"""The rule whose skips are summed up."""
SHORT = 40
"""Maximum number of lines of a report that is shown in full by default."""
MAX_ROWS = 10
"""Maximum number of segments in a shortened report."""
MOST = 2
"""Maximum number of lines of its other parts."""
MORE = "print(report.to_text(verbose=True)) tells all"


def report_text(facts: Facts, *, verbose: bool = False) -> str:
    """Return the whole report, or its most important parts if it is long and not `verbose`."""
    full = _joined(
        *(_head(facts), segments_text(facts, None), breaks_text(facts.breaks)),
        *(_recompiles(facts), _skipped(facts), _failures(facts)),
    )
    if verbose or full.count("\n") < SHORT:
        return full
    return _joined(
        *(_head(facts), breaks_in_brief(facts.breaks), segments_text(facts, MAX_ROWS)),
        *(_fewer(_recompiles(facts)), _fewer(_skipped(facts)), _failures(facts)),
        iter([MORE]),
    )


def _joined(*parts: Iterator[str]) -> str:
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def _fewer(part: Iterator[str]) -> Iterator[str]:
    """Yield the title of a part and its first lines."""
    title_and_lines = list(part)
    yield from title_and_lines[: MOST + 1]
    if (left := len(title_and_lines) - MOST - 1) > 0:
        yield f"  and {count(left, 'more line')}"


# ---- parts -------------------------------------------------------------------------------------


def _head(facts: Facts) -> Iterator[str]:
    place = facts.place
    took = (
        ""
        if facts.seconds is None
        else f", {duration(facts.seconds)}{' at best' if facts.calls > 1 else ''}"
    )
    yield (
        f"{place.function} ({PurePath(place.file).name}:{place.line}), backend {facts.backend}, "
        f"{count(facts.calls, 'call')}{took}"
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
        yield from _shares(facts)
    elif any(segment.waits for segment in facts.segments):
        yield "  nothing has run compiled so far: plain Python answers while kernels are compiled"
    else:
        yield f"  {count(len(facts.segments), 'segment')} compiled, but none has run so far"
    yield from _spending(facts)
    if facts.frameless:
        every = facts.frameless == facts.calls
        answered = "every call" if every else f"{facts.frameless} of {count(facts.calls, 'call')}"
        yield f"  {answered} answered by one kernel, without a Python frame"


def _shares(facts: Facts) -> Iterator[str]:
    """Yield the shares of the operations that ran, and of the time."""
    sums = captured(facts)
    rest = 1.0 - sums.share - sums.opaque_share
    breaks = f"{percent(rest)} at graph breaks"
    shares = [one.share for one in facts.breaks if one.share is not None]
    if shares:
        breaks += f" ({percent(sum(shares))} of the time)"
    fused, opaque = percent(sums.share), percent(sums.opaque_share)
    yield from wrapped(f"operations that ran: {fused} fused, {opaque} opaque, {breaks}", "  ")


def _spending(facts: Facts) -> Iterator[str]:
    """Yield the tier and the costs of a function, as far as they were measured."""
    known = facts.spending
    if known is None:
        return
    if known.spent is None:
        yield from _price(facts, known) if facts.seconds is not None else ()
        return
    yield f"  {known.tier}"
    yield (
        f"  {known.spent:.2f} s spent in its own code, {known.captured:.2f} s by captures, "
        f"{known.compiled:.2f} s by compiles beside it; about {known.saved:.2f} s saved"
    )


def _price(facts: Facts, known: Spending) -> Iterator[str]:
    """Yield the costs of captures and compiles of an explained function."""
    from_disk = sum(segment.origin == "disk" for segment in facts.segments)
    kept = f"; {from_disk} of {count(len(facts.segments), 'kernel')} from disk" if from_disk else ""
    captures = max(known.captured - known.waited, 0.0)
    if known.captured + known.compiled >= 0.01:
        yield (
            f"  captured in {duration(captures)} and compiled in "
            f"{duration(known.waited + known.compiled)} of CPU time{kept}"
        )


def _recompiles(facts: Facts) -> Iterator[str]:
    if not facts.recompiles:
        return
    yield "captured again"
    for record in facts.recompiles:
        often = f" ({times(record.count)})" if record.count > 1 else ""
        kept = f"; entries {record.entries} of {record.limit}" if record.entries else ""
        kept += f"; {duration(record.seconds)}" if record.seconds else ""
        yield from wrapped(f"line {record.place.line}: {record.reason}{often}{kept}", "  ", "    ")


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
