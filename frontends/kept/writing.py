"""Stores the entries captured in a process on disk at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...guards.kinds import IsFunction
from ...guards.program import GUARD, WEAK
from ...jit.addresses import Address, DtypeAddress, LibraryAddress, LoopAddress
from ...jit.log import log
from ...jit.native import GUARD_OPS, MAX_BAILS_IN_ROW
from ..report.capture_record import capture_record
from ..report.misses import remedies
from ..report.points import capture_points
from ..runtime.entry import CacheEntry, logged
from ..runtime.issuing import Logged
from ..tiers import this_process
from ..tiers.savings import has_lost
from .entry import KeptEntry, deflated
from .facts import digest_of_facts
from .in_vain import fields_in_vain
from .kernel_codes import bound_key
from .names import Namer, UnnamedError
from .place import are_kept, folder, name_of, why_not
from .record import packed
from .resolving import Root

if TYPE_CHECKING:
    from ..runtime.capture_points import CapturePoint
    from ..runtime.function import Manager

LONG = 0.005
"""Seconds of captures in vain from which later processes are told of them."""
MOST_TRIES = 2
"""Captures of a decorated function in copies that found only where a segment may begin."""


def write(manager: Manager) -> tuple[str, int] | None:
    """Store a function's entries; return the file's name and the number of entries in it.

    None if there is neither an entry nor a place where one may begin.
    """
    where, name = folder(), name_of(manager)
    if where is None or name is None:
        return None
    record = _record_of(manager)
    if record is None or not where.write(name, packed(record)):
        return None
    return name, len(record["entries"])


def content_of(manager: Manager) -> bytes | None:
    """Return the serialised entries of a function; None if none can be stored."""
    record = _record_of(manager)
    if record is None:
        return None
    return packed(record)


def _record_of(manager: Manager) -> dict[str, Any] | None:
    entries: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    for index, of_point in capture_points(manager):
        for entry in of_point:
            fields = fields_of(manager, index, entry)
            if fields is not None:
                numbers[id(entry)] = len(entries)
                entries.append(fields)
    if not (entries or has_hopes(manager)):
        return _needs_inside(manager) or _in_vain(manager)
    code = manager.segmented
    points = [] if code is None else [*code.points.values()]
    assert manager.dispatcher is not None
    return {
        "facts": digest_of_facts(folder()),
        "entries": entries,
        "tries": 0 if entries else manager.tries + 1,
        "whole": [numbers[id(one)] for one in manager.whole if id(one) in numbers],
        "points": [_point(point, numbers) for point in points],
        "has_code": code is not None and code.versions > 0,
        "closed": manager.dispatcher._closed,
        "lessons": _lessons(manager),
        "breaks": [_break(one) for one in manager.journal.arrivals],
    }


def has_hopes(manager: Manager) -> bool:
    """True if segments may begin in a function without entries that copies of the process capture.

    Those of a decorated function have a limited number of tries; an undecorated one has to pay.
    """
    if manager.site is None and not (this_process.is_copy and manager.tries < MOST_TRIES):
        return False
    points = () if manager.segmented is None else manager.segmented.points.values()
    return any(point.is_awaited for point in points)


def _needs_inside(manager: Manager) -> dict[str, Any] | None:
    """Return the record of a decorated function whose captures cannot be stored: what they take."""
    if manager.site is not None or not manager.copied.needs_inside:
        return None
    seconds = manager.price or manager.seconds
    return {
        "facts": digest_of_facts(folder()),
        "entries": [],
        "needs_inside": int(1e9 * seconds),
    }


def _in_vain(manager: Manager) -> dict[str, Any] | None:
    """Return the record of a decorated function whose captures gave no entry.

    What they took is told if it was long, where they broke and for which calls if nothing is left.

    Undecorated functions have a ledger for this.
    """
    if manager.site is not None or manager.frozen or manager.entries:
        return None
    found, seconds = fields_in_vain(manager), max(manager.seconds, manager.price)
    if seconds < LONG and not found:
        return None
    return {
        "facts": digest_of_facts(folder()),
        "entries": [],
        "in_vain": int(1e9 * seconds),
        "breaks": [_break(one) for one in manager.journal.arrivals] if found else [],
        **found,
    }


def _lessons(manager: Manager) -> dict[str, Any]:
    lessons = manager.lessons
    return {
        "too_short": sorted(lessons.too_short),
        "varying": sorted(lessons.varying),
        "kinds": sorted(lessons.kinds),
        "lines": sorted(lessons.lines),
        "any_length": lessons.any_length,
        "takes_long": lessons.takes_long,
        "aside": lessons.aside,
        "spots": [[*spot, check.name] for spot, check in lessons.spots.items()],
    }


def _break(arrival: Any) -> list[Any]:
    one = arrival.ended_by
    where = one.location
    place = [where.filename, where.line, where.function, where.module]
    return [one.code, one.title, one.detail, one.hint, place, one.index, arrival.at]


def _point(point: CapturePoint, numbers: dict[int, int]) -> dict[str, Any]:
    exits = [
        [
            *(way.target, [*way.stores], way.pushes, [*way.deletes], way.bare, [*way.nulls]),
            way.calls is not None,
        ]
        for way in point.exits
    ]
    segment = point.segment
    waits = point.waits or point.rests or segment in point.postponed
    return {
        "at": point.at,
        "closed": segment is not None and bool(segment.closed) and not waits,
        "exits": exits,
        "entries": [numbers[id(one)] for one in point.entries if id(one) in numbers],
        "barren": point.barren,
        "hopeful": point.hopeful or any(id(one) not in numbers for one in point.entries),
        "dropped": point.dropped and not point.postponed,
        "too_short": point.too_short,
        "resumes": point.resumes,
    }


# ---- entries -------------------------------------------------------------------------------------


def fields_of(manager: Manager, index: int, entry: CacheEntry | KeptEntry) -> dict[str, Any] | None:
    """Return the record of an entry; None if it cannot be stored or is not worth it."""
    if why := _why_not(entry):
        why_not[why] += 1
        return None
    if isinstance(entry, KeptEntry):
        return entry.fields
    try:
        return _packed_entry(manager, index, entry)
    except UnnamedError as error:
        why_not[str(error)] += 1
        log("cache", "%s: not kept: it holds %s", entry.name, error)
        return None


def _why_not(entry: CacheEntry | KeptEntry) -> str:
    native = entry.native
    if native is None or native.idle or native.outgrown:
        return "it has made room"
    if native.bails_in_row >= MAX_BAILS_IN_ROW or (entry.bails and not native.hits):
        return "it bails"
    kinds = native.trials()
    if kinds and all(map(has_lost, kinds)):
        return "plain Python is faster"
    return "" if are_kept(entry.options) and are_kept(entry.key) else "its options"


def _packed_entry(manager: Manager, index: int, entry: CacheEntry) -> dict[str, Any]:
    parts, program, graph = entry.parts, entry.program, entry.captured.graph
    native = entry.native
    assert native is not None
    namer = Namer(Root(manager.function))
    objects = _objects(namer, entry)
    located = [_logged(namer, logged(node)) for node in parts.located]
    addresses = [_address(namer, *one) for one in parts.addresses]
    return {
        "names": namer.rows,
        "objects": objects,
        "located": located,
        "guards": program.packed() + parts.guards,
        "n_guards": len(program.code),
        "loads": parts.loads,
        "n_loads": parts.n_loads,
        "arrays": parts.arrays,
        "calls": parts.calls,
        "recipes": parts.recipes,
        "steps": parts.steps,
        "words": parts.words,
        "addresses": addresses,
        "n_live": entry.n_live,
        "n_slots": parts.n_slots,
        "n_exits": len(graph.exits),
        "scratch": parts.scratch,
        "reports": parts.reports,
        "bails": bytes(exit_.kind == "bail" for exit_ in graph.exits),
        "exit_numbers": [*entry.exit_numbers],
        "parallel": parts.parallel,
        "small": parts.small,
        "releases": parts.releases,
        "patience": native.patience,
        "longest": native.longest,
        "shows": native.shows,
        "goes_round": sorted(entry.captured.goes_round),
        "ends_at": entry.ends_at,
        "has_loops": any(node.op.loops for node in graph.nodes()),
        "text": deflated(parts.text),
        "code": bound_key(parts.text) if entry.options.cache else [],
        "options": entry.options.values,
        "key": entry.key.values,
        "told": _report_facts(manager, index, entry),
        "conditions": [[_condition(origin), *remedies(origin)] for origin in program.origins],
        "graphs": [deflated(entry.graph_text(stage)) for stage in ("compiled", "captured")],
        "guards_text": deflated(entry.guards_text()),
    }


def _logged(namer: Namer, one: Logged) -> list[Any]:
    return [*one[:4], sorted(one.warned), namer.add(one.namespace)]


def _condition(origin: Any) -> str:
    return str(origin)[:200]


def _report_facts(manager: Manager, index: int, entry: CacheEntry) -> list[Any]:
    record = capture_record(manager, index, entry)
    place = [record.place.file, record.place.line, record.place.function]
    return [
        *(place, record.last_line, record.fused, record.opaque, record.ends, record.ends_line),
        *([*record.types], dict(record.passes), [*record.loops]),
    ]


def _objects(namer: Namer, entry: CacheEntry) -> list[int]:
    """Return the rows of an entry's objects."""
    hints: dict[int, list[Any]] = {}
    made: dict[int, Any] = {}
    compared: set[int] = set()
    objects = entry.parts.objects
    namer.see(objects)
    for row, origin in zip(entry.program.code, entry.program.origins, strict=True):
        op, _, _, _, c, object_, extra = GUARD.unpack(row)
        name = _OPS[op]
        if name in ("HOLDS", "CLASS_HOLDS"):
            home = objects[object_ & ~WEAK]
            made[extra] = home() if object_ & WEAK else home
        elif name == "FUNCTION" and isinstance(origin, IsFunction) and extra >= 0:
            hints[extra] = ["defaults", origin.namespace.get("__name__"), origin.name]
        if name in _COMPARED:
            compared.add(_COMPARED[name](c, object_, extra))
    return [
        namer.add_made(one, made[k])
        if k in made
        else namer.add(one, hints.get(k), is_compared=k in compared)
        for k, one in enumerate(objects)
    ]


_OPS = {number: name for name, number in GUARD_OPS.items()}
_COMPARED: dict[str, Callable[[int, int, int], int]] = {
    "IS": lambda c, object_, extra: object_,
    "GLOBAL_IS": lambda c, object_, extra: c,
    "CLASS_ATTR": lambda c, object_, extra: extra,
    "FUNCTION": lambda c, object_, extra: extra,
    "FETCH_OBJECT": lambda c, object_, extra: object_,
}
"""For each guard that compares identity, returns the index of the object compared."""


def _address(namer: Namer, word: int, address: Address) -> list[Any]:
    match address:
        case LoopAddress(ufunc, number, part):
            return [word, "loop", namer.add(ufunc), number, part]
        case DtypeAddress(dtype, part):
            return [word, "dtype", namer.add(dtype), part]
        case LibraryAddress(name):
            return [word, "library", name]
