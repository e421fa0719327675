"""Loads the entries that earlier processes stored, at the first call of a function."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from ...jit.addresses import Address, DtypeAddress, LibraryAddress, LoopAddress
from ...jit.checks import Check
from ...jit.config import OPTIONS, Options
from ...jit.frozen import dataclass, field
from ...jit.kernels import MachineCode
from ...jit.log import log
from ...jit.native import Entry, raise_held
from ...jit.threads import share
from ..runtime import exit_calls  # noqa: F401 (exits of kept entries call its functions, by name)
from ..runtime.issuing import Logged
from ..runtime.lessons import Lessons
from ..tiers import prices
from ..tiers.savings import saved_by
from .at_exit import hold_body
from .entry import KeptEntry, inflated
from .fingerprints import NoFingerprintError, fingerprint
from .in_vain import take_in_vain
from .kernel_codes import code_of
from .place import are_kept, contents_for
from .record import BadRecordError, fields, ints, items, number, row, table, text, texts, unpacked
from .resolving import CannotResolveError, Root, resolved

if TYPE_CHECKING:
    from ..bytecode.model import Decoded
    from ..bytecode.stub import Exit
    from ..runtime.function import Manager

_WORD = struct.Struct("=q")
MOST_ENTRIES, MOST_POINTS = 64, 2000
prices.loads_entries = True


def restore(manager: Manager, contents: Iterable[bytes]) -> bool:
    """Load a function's entries from the first content that is valid; True if calls can use any."""
    for content in contents:
        if bring_back(manager, content):
            hold_body(manager)
            return True
    return False


def restore_again(manager: Manager) -> bool:
    """Reload entries that were stored since; they replace the present ones."""
    if (content := next(contents_for(manager), None)) is None:
        return False
    if manager.site is not None:
        before, now = manager.site.replaced_gain, saved_by(manager)
        manager.site.replaced_gain = before[0] + now[0], before[1] + now[1]
    if manager.segmented is not None:
        for point in manager.segmented.points.values():
            for part in (point.entries, point.exits, point.postponed):
                part.clear()
    manager.entries.clear()
    manager.whole.clear()
    if manager.dispatcher is not None:
        manager.dispatcher._drop_entries()
    return bring_back(manager, content)


def bring_back(manager: Manager, content: bytes) -> bool:
    """Load entries from a file's content; False, with a log line, if it is invalid."""
    try:
        return _Reading(manager, unpacked(content)).bring_back()
    except (BadRecordError, CannotResolveError, NoFingerprintError) as error:
        manager.entries.clear()
        manager.segmented, manager.lessons = None, Lessons(due=manager.lessons.due)
        log("cache", "%s: what was kept cannot be used: %s", manager.function.__qualname__, error)
        return False


def brought_back(manager: Manager, kept: dict[str, Any]) -> KeptEntry:
    """Load one entry, for FRAMEJIT_DEBUG=kept_everywhere."""
    return _Reading(manager, {}).entry(kept)


@dataclass(eq=False, slots=True)
class _Reading:
    """The loading of one record."""

    manager: Manager
    record: dict[str, Any]
    _found: dict[str, Any] = field(default_factory=dict)
    """Resolved objects by name, with their fingerprints checked."""
    _entries: list[KeptEntry | None] = field(default_factory=list)
    """Entries by number; None for those that are not valid in this process."""

    def bring_back(self) -> bool:
        manager, record = self.manager, self.record
        manager.copied.needs_inside |= "needs_inside" in record
        if (price := record.get("needs_inside", record.get("in_vain"))) is not None:
            manager.price = number(price) / 1e9
            take_in_vain(manager, record)
            manager.kept_breaks = [_break(one) for one in items(record.get("breaks", []))]
            return False
        listed = items(record.get("entries"))
        if len(listed) > MOST_ENTRIES:
            raise BadRecordError("too many entries")
        manager.tries = number(record.get("tries", 0))
        self._take_lessons(fields(record.get("lessons")))
        self._entries = [self._entry_or_none(fields(one)) for one in listed]
        if listed and not any(self._entries):
            return False
        breaks = [_break(one) for one in items(record.get("breaks"))]
        whole = [one for one in map(self._number_of, items(record.get("whole"))) if one is not None]
        has_code = bool(record.get("has_code"))
        if not has_code and any(any(ints(one.fields["exit_numbers"])) for one in whole):
            raise BadRecordError("exits that go on in code that is not there")
        if has_code:
            self._bring_code(items(record.get("points")))
        for entry in whole:
            self._add_whole(entry)
        manager.kept_breaks = breaks
        if manager.dispatcher is not None and number(record.get("closed")):
            manager.dispatcher._closed = 1
        if listed and manager.site is not None:
            manager.site.has_kept_entries = True
        for topic in ("cache", "tiers"):
            log(topic, "%s: %s entries brought back", manager.function.__qualname__, len(listed))
        return True

    def _number_of(self, given: Any) -> KeptEntry | None:
        at = number(given)
        if not 0 <= at < len(self._entries):
            raise BadRecordError("no such entry")
        return self._entries[at]

    def _add_whole(self, entry: KeptEntry) -> None:
        manager, native = self.manager, entry.native
        assert native is not None
        manager.entries.append(entry)
        manager.whole.append(entry)
        if manager.dispatcher is not None:
            manager.dispatcher._add(native)

    def _take_lessons(self, kept: dict[str, Any]) -> None:
        lessons = self.manager.lessons
        lessons.too_short |= set(ints(kept.get("too_short")))
        lessons.varying |= set(texts(kept.get("varying")))
        lessons.kinds |= set(texts(kept.get("kinds")))
        lessons.lines |= set(texts(kept.get("lines")))
        lessons.any_length |= bool(kept.get("any_length"))
        lessons.takes_long |= bool(kept.get("takes_long"))
        lessons.aside |= bool(kept.get("aside"))
        for one in items(kept.get("spots")):
            file, function, line, at, check = row(one, 5)
            spot = (text(file), text(function), number(line), number(at))
            if text(check) in Check.__members__:
                lessons.spots.setdefault(spot, Check[check])

    # ---- the code with its stubs -----------------------------------------------------------------

    def _bring_code(self, points: list[Any]) -> None:
        if len(points) > MOST_POINTS:
            raise BadRecordError("too many points")
        code = self.manager.code_with_segments()
        for one in map(fields, points):
            at = number(one.get("at"))
            point = code.point(at) if 0 <= at < len(code.decoded.instructions) else None
            if point is None:
                raise BadRecordError("a point where no stub may stand")
            point.exits += [_exit(way, code.decoded) for way in items(one.get("exits"))]
            for entry in map(self._number_of, items(one.get("entries"))):
                if entry is None:
                    point.hopeful = True
                    continue
                self._check_exits(entry, len(point.exits))
                point.entries.append(entry)
                self.manager.entries.append(entry)
                if entry.goes_round:
                    entry.watch(partial(point.found_too_short, entry.goes_round))
            point.barren, point.dropped = bool(one.get("barren")), bool(one.get("dropped"))
            point.hopeful |= bool(one.get("hopeful"))
            point.too_short, point.resumes = bool(one.get("too_short")), bool(one.get("resumes"))
        try:
            rewritten = code.rewrite()
        except ValueError as error:  # an unsafe stub
            raise BadRecordError(str(error)) from None
        if rewritten is None:
            return
        for one in points:
            segment = code.points[one["at"]].segment
            if segment is not None and one.get("closed"):
                segment.closed = True

    def _check_exits(self, entry: KeptEntry, n_exits: int) -> None:
        if not all(0 <= one < n_exits for one in ints(entry.fields["exit_numbers"])):
            raise BadRecordError("an exit that the stub does not have")

    # ---- entries ---------------------------------------------------------------------------------

    def _entry_or_none(self, kept: dict[str, Any]) -> KeptEntry | None:
        """Return an entry; None if an object that it relies on has changed."""
        try:
            return self.entry(kept)
        except (CannotResolveError, NoFingerprintError) as error:
            log("cache", "%s: an entry is not taken: %s", self.manager.function.__qualname__, error)
            return None

    def entry(self, kept: dict[str, Any]) -> KeptEntry:
        """Return one entry with its native entry."""
        manager = self.manager
        options, key = _options(kept.get("options")), _options(kept.get("key"))
        if not (are_kept(options) and are_kept(key)):
            raise BadRecordError("options under which nothing is kept")
        rows = self._rows(items(kept.get("names")))
        objects = tuple(rows[at] for at in ints(kept.get("objects")) if 0 <= at < len(rows))
        if len(objects) != len(kept["objects"]):
            raise BadRecordError("an object without a name")
        located = [_logged(one, rows) for one in items(kept.get("located"))]
        entry = KeptEntry(kept, options, key, located, lessons=manager.lessons, site=manager.site)
        entry.on_failure = WeakMethod(manager.note_failure)
        _check_words(kept)
        written, bound = inflated(table(kept.get("text"))), [*texts(kept.get("code"))]
        code, unfinished = code_of(written, bound, options)
        entry.native = native = self._native(entry, objects, rows, code)
        loops = _count(kept.get("parallel")), _count(kept.get("small"))
        share(native, options, *loops, bool(kept.get("releases")))
        native.patience, native.longest = _count(kept.get("patience")), number(kept.get("longest"))
        native.shows = int(bool(kept.get("shows")))
        if unfinished is not None:
            entry.job = entry.begin(unfinished, native)
        return entry

    def _native(
        self, entry: KeptEntry, objects: tuple[Any, ...], rows: list[Any], code: MachineCode | None
    ) -> Entry:
        kept = entry.fields
        address, keepalive = (0, None) if code is None else code
        try:
            native = Entry(
                objects=objects,
                **_plain_fields(kept),
                words=_words(table(kept.get("words")), items(kept.get("addresses")), rows),
                kernel=address,
                keepalive=keepalive,
                python_kernel=None,
                owner=entry,
                options=entry.key,
            )
            native.set_exit_numbers(ints(kept.get("exit_numbers")))
        except (TypeError, ValueError, OverflowError) as error:
            raise BadRecordError(str(error)) from None
        return native

    def _rows(self, names: list[Any]) -> list[Any]:
        """Return the named objects; raise CannotResolveError if one has changed."""
        root = Root(self.manager.function)
        rows: list[Any] = []

        def earlier(at: int) -> Any:
            if at >= len(rows):
                raise CannotResolveError("a row that comes later")
            return rows[at]

        for one in names:
            name, mark = row(one, 2)
            rows.append(self._object(name, text(mark), root, earlier))
        return rows

    def _object(self, name: Any, mark: str, root: Root, rows: Callable[[int], Any]) -> Any:
        if not mark:
            return resolved(name, root, rows)
        known = repr((name, mark))
        if known not in self._found:
            one = resolved(name, root, rows)
            if fingerprint(one) != mark:
                raise CannotResolveError(f"{name} is another one now")
            self._found[known] = one
        return self._found[known]


def _logged(one: Any, rows: list[Any]) -> Logged:
    name, file, line, module, warned, at = row(one, 6)
    namespace = rows[number(at)] if 0 <= number(at) < len(rows) else None
    if type(namespace) is not dict:
        raise BadRecordError("no namespace")
    place = (text(name), text(file), number(line), text(module))
    return Logged(*place, frozenset(texts(warned)), namespace)


def _plain_fields(kept: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that C takes unchanged and checks itself."""
    tables = {name: table(kept.get(name)) for name in _TABLES}
    return {**tables, **{name: number(kept.get(name)) for name in _NUMBERS}}


def _break(one: Any) -> list[Any]:
    """Check the types of a stored break."""
    *words, place, index, at = row(one, 7)
    file, line, function, module = row(place, 4)
    for part in (*words, file, function, module):
        text(part)
    for part in (line, index, at):
        number(part)
    return row(one, 7)


def _exit(way: Any, decoded: Decoded) -> Exit:
    """Return an exit of a stub, checked to lie in the code; `rewrite` checks that it is safe."""
    from ..bytecode.stub import Exit

    target, stores, pushes, deletes, bare, nulls, calls = row(way, 7)
    slots = (*ints(stores), *ints(deletes))
    in_code = 0 <= number(target) < len(decoded.instructions)
    if not in_code or not all(0 <= slot < len(decoded.localsplus) for slot in slots):
        raise BadRecordError("an exit outside of the code")
    return Exit(
        *(target, ints(stores), number(pushes), ints(deletes), bool(bare), ints(nulls)),
        raise_held if calls else None,
    )


_TABLES = ("guards", "loads", "arrays", "calls", "recipes", "steps", "bails")
_NUMBERS = ("n_guards", "n_loads", "n_live", "n_slots", "n_exits", "scratch", "reports")


def _options(values: Any) -> Options:
    """Return stored options, with the types of their values checked."""
    known = {name: OPTIONS[name] for name in OPTIONS if OPTIONS[name].scope == "call"}
    given = {
        name: tuple(texts(value)) if type(value) is list else value
        for name, value in fields(values).items()
    }
    for name, value in given.items():
        if name not in OPTIONS or type(value) is not type(OPTIONS[name].default):
            raise BadRecordError(f"option {name!r}")
    if not known.keys() <= given.keys():
        raise BadRecordError("options are missing")
    return Options.of(given)


def _words(packed: bytes, addresses: list[Any], rows: list[Any]) -> bytes:
    """Return the first words of a launch, with this process's addresses filled in."""
    words = bytearray(packed)
    for word, *name in addresses:
        at = number(word) * _WORD.size
        if not 0 <= at < len(words):
            raise BadRecordError("an address outside of the words")
        found = _address(name, rows).find()
        if found == 0 and name[0] != "loop":
            raise CannotResolveError(f"no address {name}")
        _WORD.pack_into(words, at, found)
    return bytes(words)


def _address(name: list[Any], rows: list[Any]) -> Address:
    try:
        match name:
            case ["loop", at, index, part]:
                return LoopAddress(rows[at], index, part)
            case ["dtype", at, 0 | 1 | 2 | 3 as part]:
                return DtypeAddress(rows[at], part)
            case ["library", str(word)]:
                return LibraryAddress(word)
    except (LookupError, TypeError):
        pass
    raise BadRecordError(f"no address: {name!r}")


def _count(value: Any) -> int:
    if number(value) < 0:
        raise BadRecordError(f"no count: {value!r}")
    return number(value)


def _check_words(kept: dict[str, Any]) -> None:
    """Check the types of the fields that reports show."""
    place, last, fused, opaque, ends, line, types, passes, loops = row(kept.get("told"), 9)
    file, first, function = row(place, 3)
    for one in (file, function, ends, *texts(types), *texts(loops), *fields(passes)):
        text(one)
    for one in (first, last, fused, opaque, line, *fields(passes).values()):
        number(one)
    for one in items(kept.get("conditions")):
        for part in row(one, 4):
            text(part)
    for one in (*row(kept.get("graphs"), 2), kept.get("guards_text")):
        inflated(table(one))
    if kept.get("ends_at") is not None:
        number(kept["ends_at"])
    ints(kept.get("goes_round"))
    ints(kept.get("exit_numbers"))
