"""Records what happened in an undecorated program: functions captured, frames left alone.

The C core counts the frames of each code object along with its mark and the rule of a skip. A
report is the difference of two such counts, with the facts on the captured functions. A function
may die before the report is made: while one is being recorded, its facts are saved then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...backends.registry import EAGER
from ...jit import heap, native
from ...jit.report import Facts, Place, ProgramFacts, SkipRecord
from ...jit.report.merging import merged
from ..report.journal import REMARKS, RULES
from ..report.last_words import DECORATED, KEEPERS, Key, known_of
from ..report.spending import Sampled
from ..support import CHECKED
from ..tiers.accounts import ACCOUNT
from .policy import REASONS, is_framejit, is_library, package_of

if TYPE_CHECKING:
    from ..runtime.function import Manager

MOST_DEAD = 100
"""Records of dead functions that are kept one by one."""
INNER = ("rewritten",)
"""Rules of code that framejit made; its frames count for the code that it replaces."""


def _reached(manager: Manager) -> int:
    """Return the calls, or the times stubs were reached: frames come to a loop without a call."""
    code = manager.segmented
    points = [] if code is None else [*code.points.values()]
    return manager.calls + sum(segment.calls for point in points for segment in point.segments)


class Seen:
    """Records what happens until close(); a report can be made at any time."""

    def __init__(self, *, tells_of_decorated: bool = False) -> None:
        self.tells_of_decorated = tells_of_decorated
        self._dead: list[tuple[Key, Facts]] = []
        self._decorated: list[Facts] = []
        """Facts on those that have died; a worker of dask makes one for each task."""
        native.keep_records(True)
        self._calls = {one.serial: _reached(one) for one in (*_living(), *DECORATED)}
        self._sampled = Sampled()
        KEEPERS.append(self)
        self._before = _frames()
        self._aside = _left_aside()
        self._spent = _spent()
        self._end: ProgramFacts | None = None

    def close(self) -> None:
        """Stop recording."""
        if self._end is None:
            self._end = self._facts()
            KEEPERS.remove(self)
            native.keep_records(False)

    def note_dead(self, key: Key, facts: Facts, *, decorated: bool) -> None:
        """Keep the facts on a function that has died."""
        if not decorated:
            self._dead.append((key, facts))
            return
        self._decorated.append(facts)
        if len(self._decorated) > MOST_DEAD:
            self._decorated = merged(self._decorated)

    def has_seen(self, manager: Manager) -> bool:
        """True if a function was called since this began."""
        return _reached(manager) != self._calls.get(manager.serial, 0)

    def facts(self) -> ProgramFacts:
        """Return everything recorded."""
        return self._facts() if self._end is None else self._end

    def _facts(self) -> ProgramFacts:
        now = _records()[::-1]  # dead code first, then the oldest, which was seen before
        seen = {place for place, count in _frames().items() if count > self._before[place]}
        seen |= self._sampled.places()
        known: dict[Key, list[Facts]] = {}
        called = filter(self.has_seen, _living())
        alive = [one for one in map(known_of, called) if one is not None]
        for key, facts in (*self._dead, *alive):
            if key in seen:
                known.setdefault(key, []).append(facts)
        skipped = list(self._skipped(now, known))
        told = {one.place for one in skipped if one.rule != "cold"}
        taken = {
            one.place: one for one in self._sampled.left_to_plain_python() if one.place not in told
        }
        skipped = [taken.pop(one.place, one) for one in skipped]
        captured_places = {one.place for all_ in known.values() for one in all_ if one.segments}
        skipped += [one for place, one in taken.items() if place not in captured_places]
        for rule, count in _left_aside().items():
            if frames := count - self._aside[rule]:
                skipped.append(SkipRecord(rule, REASONS[rule], Place("", 0, ""), frames))
        captured = [one for all_ in known.values() for one in all_ if one.segments]
        captured += self._decorated_now()
        captured.sort(key=lambda one: (one.place.file, one.place.line))
        skipped.sort(key=lambda one: (one.place.file, one.place.line, one.place.function))
        inside, outside = (now - then for now, then in zip(_spent(), self._spent, strict=True))
        keeps = heap.keeps_freed()
        return ProgramFacts(tuple(captured), tuple(skipped), 1, inside, outside, keeps)

    def _decorated_now(self) -> list[Facts]:
        """Return the facts on decorated functions that were called; of one `def` merged."""
        if not self.tells_of_decorated:
            return []
        called = [one for one in [*DECORATED] if one.dispatcher is not None and self.has_seen(one)]
        alive = (one for one in map(known_of, called) if one is not None)
        return merged((*self._decorated, *(facts for _, facts in alive)))

    def _skipped(
        self,
        now: list[tuple[Key, int, str | None, int, int]],
        known: dict[Key, list[Facts]],
    ) -> Iterator[SkipRecord]:
        """Yield a record for each place and rule, without the counts from before."""
        before = Counter(self._before)
        for key, mark, rule, frames, deep in now:
            if mark == native.MARK_SKIP and rule in INNER:
                continue
            count = frames - min(frames, before[key])
            before[key] -= frames - count
            if not count:
                continue
            facts = known.get(key, [])
            place = Place(key[0], key[2], key[1])
            if min(deep, count):
                yield SkipRecord("deep", REASONS["deep"], place, min(deep, count))
            if count - deep <= 0:
                continue
            if mark == native.MARK_SKIP:
                why, reason = _why_left_alone(key[0], rule), ""
            elif any(one.segments for one in facts):
                continue
            else:
                why, reason = _why_nothing(facts)
            yield SkipRecord(why, reason or reason_of(why, key[0]), place, count - deep)


def _why_left_alone(file: str, rule: str | None) -> str:
    """Return the rule of a skip; an installed framejit is no library."""
    if is_framejit(file):
        return "framejit"
    return "library" if is_library(file) else rule or "undecided"


def _why_nothing(facts: list[Facts]) -> tuple[str, str]:
    """Return the reason why functions that the policy lets in have no segment.

    It is a rule, and its words if they are told.
    """
    if CHECKED.backend == EAGER:
        return "backend", ""
    skips = [skip for one in facts for skip in one.skipped if skip.rule not in REMARKS]
    if skips:
        return skips[-1].rule, skips[-1].reason
    return "breaks" if any(one.breaks for one in facts) else "cold", ""


def reason_of(rule: str, file: str) -> str:
    """Return a rule in words."""
    return REASONS.get(rule, RULES.get(rule, rule)).replace("{package}", package_of(file))


def _living() -> list[Manager]:
    from .caught import hooked_managers

    return [one for one in hooked_managers() if one.hooked]


def _records() -> list[tuple[Key, int, str | None, int, int]]:
    return native.records()


def _frames() -> Counter[Key]:
    """Return the frames so far by the place of their code, without framejit's own code."""
    total: Counter[Key] = Counter()
    for place, _, rule, frames, _ in _records():
        if rule not in INNER:
            total[place] += frames
    return total


def _left_aside() -> dict[str, int]:
    """Return the frames left alone for reasons outside of their code, by rule."""
    counted = native.hook_state()["defaulted"]
    return {rule: counted[rule] for rule in ("tools", "exchanged")}


def _spent() -> tuple[float, float]:
    """Return what framejit has spent inside the process and in processes of its own."""
    return ACCOUNT.inside, ACCOUNT.helper
