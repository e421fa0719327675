"""The part of an entry's record that is fixed at its capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, TypeGuard

from ...guards.kinds import IsFunction, IsObject
from ...guards.namespaces import Holds
from ...jit.frozen import dataclass
from ...jit.ir.graph import Location
from ...jit.report import Place
from ...jit.report.layout import count
from ..kept.entry import KeptEntry
from ..runtime.entry import CacheEntry

if TYPE_CHECKING:
    from ..runtime.function import Manager

AnyEntry = CacheEntry | KeptEntry
SILENT = (Holds, IsObject, IsFunction)
"""Guards that say nothing about the data."""


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """Fields of the `SegmentRecord`, which documents them."""

    place: Place
    last_line: int
    fused: int
    opaque: int
    ends: str
    ends_line: int
    types: tuple[str, ...]
    passes: Mapping[str, int]
    loops: tuple[str, ...]


def place_of(function: FunctionType) -> Place:
    """Return the place of a function's definition."""
    code = function.__code__
    return Place(code.co_filename, code.co_firstlineno, function.__qualname__)


def line_of(manager: Manager, index: int) -> int:
    """Return the line of an instruction; at the function's entry the next that has one."""
    code = manager.function.__code__
    lines = [one.line for one in manager.flow.decoded.instructions[index:]]
    first = code.co_firstlineno if index == 0 else 0
    return next((line for line in lines if line and line != first), code.co_firstlineno)


def place_at(manager: Manager, index: int) -> Place:
    """Return the place of an instruction."""
    home = place_of(manager.function)
    return Place(home.file, line_of(manager, index), home.function)


def capture_record(manager: Manager, index: int, entry: AnyEntry) -> CaptureRecord:
    """Return the fixed part of the record of an entry at a capture point."""
    if isinstance(entry, KeptEntry):
        place, last, fused, opaque, ends, line, types, passes, loops = entry.fields["told"]
        words = tuple(types), passes, tuple(loops)
        return CaptureRecord(Place(*place), last, fused, opaque, ends, line, *words)
    code = manager.function.__code__
    located = [node.location for node in entry.captured.graph.nodes() if node.location]
    own = [one.line for one in located if one.filename == code.co_filename]
    own = [line for line in own if line >= code.co_firstlineno]
    ended_by = entry.captured.ended_by
    place = place_at(manager, index)
    first = min([place.line, *own]) if index else min(own, default=place.line)
    return CaptureRecord(
        Place(place.file, first, place.function),
        last_line=max(own, default=first),
        fused=entry.parts.fused,
        opaque=entry.parts.opaque,
        ends=_how_it_ends(entry),
        ends_line=line_of(manager, entry.captured.exit.at)
        if ended_by is None
        else ended_by.location.line,
        types=tuple(str(guard) for guard in entry.captured.guards if not isinstance(guard, SILENT)),
        passes=dict(entry.parts.done),
        loops=tuple(_loops(entry, code.co_filename)),
    )


def _how_it_ends(entry: CacheEntry) -> str:
    captured = entry.captured
    if captured.ended_by is not None:
        return captured.ended_by.code
    return "loop" if captured.goes_round else "return"


def _loops(entry: CacheEntry, filename: str) -> Iterator[str]:
    """Yield how loops were compiled: inside the kernel, or unrolled."""
    nodes = [node for node in entry.captured.graph.nodes() if node.op.loops]
    lines = sorted({node.location.line for node in nodes if _is_in(node.location, filename)})
    if lines:
        yield f"{_the_loops(lines)} inside the kernel"
    unrolled = Counter((one.line, why) for one, why in entry.captured.taken_apart)
    for (line, why), times in sorted(unrolled.items()):
        yield f"the loop of line {line} is taken apart, {count(times, 'iteration')}: {why}"


def _is_in(location: Location | None, filename: str) -> TypeGuard[Location]:
    return location is not None and location.filename == filename


def _the_loops(lines: list[int]) -> str:
    if len(lines) == 1:
        return f"the loop of line {lines[0]} runs"
    *others, last = map(str, lines)
    return f"the loops of lines {', '.join(others)} and {last} run"
