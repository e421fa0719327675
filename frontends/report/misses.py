"""Finds the reason why no entry served a call: the guard that failed, in the user's words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...guards.arrays import IsArray
from ...guards.conversions import IndexOf, Listed, Number, Spread
from ...guards.grip import made_at_run_time
from ...guards.kinds import HasLength, IsConverted, IsFound, IsType, IsValue, reached
from ...guards.numbers import is_line, is_number
from ...guards.objects import IsSame
from ...guards.program import Guard, GuardProgram
from ...guards.sources import Attribute, Source
from ...jit.config import Options
from ...jit.frozen import dataclass
from ..kept.entry import KeptEntry
from ..runtime.entry import CacheEntry

if TYPE_CHECKING:
    from .capture_record import AnyEntry


@dataclass(frozen=True, slots=True)
class Missed:
    """The first guard of an entry that failed."""

    number: int
    """Its index in the guard program; -1 for an entry with other options."""
    reason: str
    remedy: str
    """Advice, as a sentence."""
    varies: str = ""
    """The property that differs and that captures can leave open: "length" of a list or tuple,
    "value" of an int, "kind" of a number or an object."""
    of: str = ""
    """The object with that property, in the user's words."""
    beside: tuple[str, ...] = ()
    """Others that vary with it. If the kind of a number differs: the other numbers whose types are
    guarded, as components of vectors vary together, and each would take a kernel of its own. If an
    object is another one than before: that one."""
    lines: tuple[str, ...] = ()
    """Those of them that are arrays with one axis in one call and numbers in another."""


def nearest(entries: Sequence[AnyEntry], options: Options, live: tuple[Any, ...]) -> Missed | None:
    """Return the failed guard, in words, of the entry that passed most; None without entries."""
    found = [why for entry in entries if (why := why_missed(entry, options, live)) is not None]
    return max(found, key=lambda why: why.number, default=None)


def why_missed(entry: AnyEntry, options: Options, live: tuple[Any, ...]) -> Missed | None:
    """Return the first guard that fails; None if all pass.

    An entry for other options counts as one that failed before its first guard.
    """
    if entry.key is not options:
        reason = f"the options are {options.text()} now"
        return Missed(-1, reason, "Call it with the same options each time.")
    if entry.native is None:
        return None
    if entry.native.outgrown:
        remedy = "nothing needs to be done: the next kernel is more general"
        reason = f"a kernel was left {entry.made_room_for.value}" if entry.made_room_for else ""
        if isinstance(entry, CacheEntry) and entry.ends_before is not None:
            remedy = "operands of one kind; until then segments end before that line"
            reason = f"kernels have been left at line {entry.ends_before[2]} again and again"
        return Missed(sys.maxsize, reason, f"What helps: {remedy}.")
    index = entry.native.failed_guard(live)
    if index is None:
        return None
    if isinstance(entry, KeptEntry):
        words, *helps = entry.fields["conditions"][index]
        return Missed(index, f"{words}: not so now", *helps)
    reason = reason_of(entry.program, index, live)
    origin = entry.program.origins[index]
    missed = Missed(index, reason, *remedies(origin))
    varies, lines = _kind_that_varies(entry.program, origin, live)
    if varies is not None:
        missed = replace(missed, varies="kind", of=str(varies), lines=lines)
    if missed.varies == "kind":
        return replace(missed, beside=tuple(_guarded_kinds(entry.program)))
    return missed


def _kind_that_varies(
    program: GuardProgram, origin: Guard | Source, live: tuple[Any, ...]
) -> tuple[Source | None, tuple[str, ...]]:
    """Return an object that has another kind than before, and the numbers that may be arrays.

    (None, ()) if the guard that failed is about something else.
    """
    if isinstance(origin, IsSame):
        return origin.source, ()
    number = _number_of(origin)
    if number is not None and is_line(reached(number, live)):
        return number, _beside(program, number)
    if isinstance(origin, IsArray | IsType) and is_number(type(reached(origin.source, live))):
        was_line = isinstance(origin, IsArray) and _is_line(origin)
        return origin.source, _beside(program, origin.source) if was_line else ()
    return None, ()


def _number_of(origin: Guard | Source) -> Source | None:
    """Return the number that a guard or a conversion is about; None for others."""
    if isinstance(origin, Number):
        return origin.owner
    return origin.source if isinstance(origin, IsType) and is_number(origin.kind.get()) else None


def _is_line(guard: IsArray) -> bool:
    return guard.dtype.char == "d" and len(guard.lengths) == 1 and guard.memory == "C"


def _beside(program: GuardProgram, of: Source) -> tuple[str, ...]:
    """Return the numbers and arrays of doubles that one object holds, such as a vector."""
    names = dict.fromkeys((str(of),))
    for origin in program.origins:
        source = _number_of(origin)
        if isinstance(origin, IsArray) and _is_line(origin):
            source = origin.source
        if isinstance(source, Attribute) and isinstance(of, Attribute):
            names |= {str(source): None} if source.owner == of.owner else {}
    return tuple(names)


def _guarded_kinds(program: GuardProgram) -> Iterator[str]:
    """Yield the numbers and objects whose exact types or identities are guarded."""
    for origin in program.origins:
        if isinstance(origin, IsType) and _comes_in_kinds(origin.kind.get()):
            yield str(origin.source)
        elif isinstance(origin, IsSame):
            yield str(origin.source)
            yield str(origin.other)


def remedies(origin: Guard | Source) -> tuple[str, str, str]:
    """Return advice for a failed guard, the property that may vary, and the object that has it."""
    if isinstance(origin, Source):
        return "What helps: leave it where it is.", "", ""
    return f"What helps: {origin.remedy}.", *_varies(origin)


def _varies(origin: Guard) -> tuple[str, str]:
    match origin:
        case HasLength():
            return "length", str(origin.source)
        case IsValue(value=int() as value) if type(value) is int:
            return "value", str(origin.source)
        case IsType() if _comes_in_kinds(origin.kind.get()):
            return "kind", str(origin.source)
        case IsArray(lengths=()):
            return "kind", str(origin.source)
    return "", ""


def _comes_in_kinds(kind: type | None) -> bool:
    """True if captures can leave its type open: numbers, and classes of the program."""
    return kind is None or is_number(kind) or made_at_run_time(kind)


def reason_of(program: GuardProgram, index: int, live: tuple[Any, ...]) -> str:
    """Return the reason why a guard fails, in words."""
    origin = program.origins[index]
    if isinstance(origin, IndexOf):
        return IsFound(origin).why(program, live)
    if isinstance(origin, Number | Listed | Spread):
        return IsConverted(origin).why(program, live)
    if isinstance(origin, Source):
        return f"{origin}: it is not there any more"
    return origin.why(program, live)
