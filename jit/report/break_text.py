"""The part of a report on graph breaks, with what to fix first at the top."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..frozen import dataclass
from .layout import WIDTH, duration, percent, shortened, times, wrapped
from .records import BreakRecord

_INSIDE = re.compile(r", which breaks at line \d+(?: of [^:]+)?: ")
_CALL = re.compile(r"call of `([^`]*)`")
MAX_HINTED = 8
"""Maximum number of groups with hints in a long report."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Breaks reported together: of one line, or of one cause."""

    records: tuple[BreakRecord, ...]

    @property
    def seconds(self) -> float:
        return sum(one.seconds or 0.0 for one in self.records)

    @property
    def cost(self) -> str:
        """Return the cost in words, divided by the arrivals; "" if not measured."""
        if any(one.seconds is None for one in self.records):
            return ""
        one_line = len({one.place.line for one in self.records}) == 1
        arrivals = max(one.count for one in self.records) if one_line else 1
        share = sum(one.share or 0.0 for one in self.records)
        each = " each" if arrivals > 1 else ""
        return f"   [{duration(self.seconds / max(arrivals, 1))}{each}, {percent(share)}]"


def breaks_text(breaks: Sequence[BreakRecord]) -> Iterator[str]:
    """Yield each line with its breaks and their hints."""
    if not breaks:
        return
    yield _title(breaks)
    hinted: set[str] = set()
    for group in _sorted(_grouped(breaks, lambda one: (one.place.file, one.place.line))):
        place = group.records[0].place
        head = f"  line {place.line}: {group.records[0].source}"
        yield shortened(head, WIDTH - len(group.cost)) + group.cost
        for record in group.records:
            yield from _break(record)
            if record.hint not in hinted:
                yield from wrapped(f"-> {record.hint}", "      ", "         ")
                hinted.add(record.hint)


def _break(record: BreakRecord) -> Iterator[str]:
    often = times(record.count) if record.exact else f"{times(record.count)} or more"
    yield from wrapped(f"{record.code}, {often}: {record.detail}; {record.title}", "    ", "      ")


def breaks_in_brief(breaks: Sequence[BreakRecord]) -> Iterator[str]:
    """Yield breaks grouped by cause, three lines each; one line beyond MAX_HINTED groups."""
    if not breaks:
        return
    yield _title(breaks)
    places = _grouped(breaks, lambda one: (one.code, _cause(one)))
    spread = {
        id(one)
        for group in places
        if len({each.place.line for each in group.records}) > 1
        for one in group.records
    }
    groups = _sorted(
        _grouped(
            breaks,
            lambda one: (
                (one.code, _cause(one)) if id(one) in spread else (one.place.file, one.place.line)
            ),
        )
    )
    for number, group in enumerate(groups):
        yield from _brief(group, hinted=number < MAX_HINTED)


def _brief(group: _Group, *, hinted: bool) -> Iterator[str]:
    first = max(group.records, key=lambda one: one.seconds or 0.0)
    exact = all(one.exact for one in group.records)
    numbers = list(dict.fromkeys(one.place.line for one in group.records))
    causes = list(dict.fromkeys(_short(one.detail) for one in group.records))
    if len(numbers) == 1:
        head = f"  line {numbers[0]}: {first.source}"
        often = max(one.count for one in group.records)
    else:
        head = f"  lines {', '.join(map(str, numbers))}: {causes[0]}"
        often = sum(one.count for one in group.records)
    yield shortened(head, WIDTH - len(group.cost)) + group.cost
    if hinted:
        cause = f": {'; '.join(causes)}" if len(numbers) == 1 else ""
        where = f"line {first.place.line}: " if len(numbers) > 1 else ""
        yield shortened(
            f"    {first.code}, {times(often)}{'' if exact else ' or more'}{cause}", WIDTH
        )
        yield from _at_most(wrapped(f"-> {where}{first.hint}", "      ", "         "), 2)


def _at_most(shown: list[str], most: int) -> list[str]:
    return (
        shown if len(shown) <= most else [*shown[: most - 1], shortened(shown[most - 1] + " ...")]
    )


def _title(breaks: Sequence[BreakRecord]) -> str:
    measured = any(one.seconds is not None for one in breaks)
    return (
        "graph breaks, with what each costs, the most expensive first"
        if measured
        else "graph breaks"
    )


def _cause(record: BreakRecord) -> str:
    """Return the call or operation, by which breaks are grouped since it decides the remedy."""
    found = _CALL.match(record.detail)
    return found[1] if found else record.detail


def _short(detail: str) -> str:
    """Return a detail without the calls inside libraries, which the user cannot change."""
    first, *inner = _INSIDE.split(detail)
    return f"{first}, in which breaks: {inner[-1]}" if inner else first


def _grouped(breaks: Iterable[BreakRecord], key: Callable[[BreakRecord], object]) -> list[_Group]:
    found: dict[object, list[BreakRecord]] = {}
    for one in breaks:
        found.setdefault(key(one), []).append(one)
    return [_Group(tuple(records)) for records in found.values()]


def _sorted(groups: list[_Group]) -> list[_Group]:
    """Return the most expensive groups first; in program order if nothing was measured."""
    return sorted(groups, key=lambda one: -one.seconds)
