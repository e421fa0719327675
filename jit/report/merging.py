"""Records that several processes, or several functions of one `def`, have made of one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar

from .records import (
    BreakRecord,
    Facts,
    ProgramFacts,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
    Spending,
)

R = TypeVar("R")


def merged_programs(programs: Iterable[ProgramFacts]) -> ProgramFacts:
    """One report of processes of one program. The first one's order stays.

    What one of them has captured is not told of as left to plain Python by another one that has not
    come so far.
    """
    all_ = [*programs]
    functions = merged(one for program in all_ for one in program.functions)
    captured = {one.place for one in functions}
    skipped = (one for program in all_ for one in program.skipped if one.place not in captured)
    return ProgramFacts(
        tuple(sorted(functions, key=lambda one: (one.place.file, one.place.line))),
        tuple(_sums(skipped, lambda one: (one.rule, one.place), _skips)),
        sum(one.processes for one in all_),
        sum(one.inside for one in all_),
        sum(one.outside for one in all_),
        any(one.keeps_freed for one in all_),
    )


def merged(functions: Iterable[Facts]) -> list[Facts]:
    """One for each place and backend."""
    return _sums(functions, lambda one: (one.place, one.backend), _functions)


def _sums(records: Iterable[R], key: Callable[[R], Any], add: Callable[[R, R], R]) -> list[R]:
    """Records with one key become one."""
    same: dict[Any, list[R]] = {}
    for one in records:
        same.setdefault(key(one), []).append(one)
    return [reduce(add, group) for group in same.values()]


def _functions(a: Facts, b: Facts) -> Facts:
    return replace(
        a,
        calls=a.calls + b.calls,
        frameless=a.frameless + b.frameless,
        segments=tuple(_sums((*a.segments, *b.segments), _segment, _segments)),
        breaks=tuple(_sums((*a.breaks, *b.breaks), lambda one: (one.code, one.place), _breaks)),
        skipped=tuple(_sums((*a.skipped, *b.skipped), lambda one: (one.rule, one.place), _skips)),
        recompiles=tuple(
            _sums((*a.recompiles, *b.recompiles), lambda one: (one.place, one.reason), _recompiles)
        ),
        failures=tuple(dict.fromkeys((*a.failures, *b.failures))),
        spending=_both(a.spending, b.spending, _spendings),
        seconds=_both(a.seconds, b.seconds, min),
    )


def _segment(one: SegmentRecord) -> tuple[Any, ...]:
    return one.place, one.last_line, one.types, one.ends, one.ends_line


def _segments(a: SegmentRecord, b: SegmentRecord) -> SegmentRecord:
    origins = {a.origin, b.origin} - {""}
    return replace(
        a,
        hits=a.hits + b.hits,
        bails=_counts(a.bails, b.bails),
        checks=_counts(a.checks, b.checks),
        notes=tuple(dict.fromkeys((*a.notes, *b.notes))),
        waits=a.waits and b.waits,
        seconds=_both(a.seconds, b.seconds, min),
        eager=_both(a.eager, b.eager, min),
        bytes=_both(a.bytes, b.bytes, max),
        compiled=a.compiled + b.compiled,
        origin="compiled" if "compiled" in origins else min(origins, default=""),
    )


def _breaks(a: BreakRecord, b: BreakRecord) -> BreakRecord:
    seconds = _both(a.seconds, b.seconds, lambda x, y: x + y)
    return replace(
        a, count=a.count + b.count, exact=a.exact and b.exact, seconds=seconds, share=None
    )


def _skips(a: SkipRecord, b: SkipRecord) -> SkipRecord:
    return replace(a, count=a.count + b.count)


def _recompiles(a: RecompileRecord, b: RecompileRecord) -> RecompileRecord:
    return replace(
        a,
        count=a.count + b.count,
        entries=max(a.entries, b.entries),
        seconds=a.seconds + b.seconds,
    )


def _spendings(a: Spending, b: Spending) -> Spending:
    return replace(
        a,
        spent=_both(a.spent, b.spent, lambda x, y: x + y),
        captured=a.captured + b.captured,
        compiled=a.compiled + b.compiled,
        saved=a.saved + b.saved,
        waited=a.waited + b.waited,
    )


def _counts(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return dict(Counter(a) + Counter(b))


def _both(a: R | None, b: R | None, add: Callable[[R, R], R]) -> R | None:
    """The sum of what is known."""
    if a is None or b is None:
        return b if a is None else a
    return add(a, b)
