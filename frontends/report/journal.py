"""Records what happens to one function as it runs: breaks, misses, skips. Facts are made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ...jit.config import Options
from ...jit.frozen import dataclass, field
from ...jit.log import log, tell

if TYPE_CHECKING:
    from ..capture.values.breaks import Break
    from ..kept.entry import KeptEntry
    from ..runtime.entry import CacheEntry
    from .misses import Missed

RULES = {
    "backend": "the backend is 'eager'",
    "cache-limit": "{} entries are kept for one place; what is new runs as plain Python{}",
    "no-arrays": "it computes nothing with arrays",
    "breaks": "it breaks before anything is computed",
    "nothing-fused": "nothing in it would be fused, so that a kernel would gain nothing",
    "known": "an earlier process has found nothing in such a call that could be compiled",
    "signature": "{}, so that a whole call is never one kernel; its segments are captured",
    "bails": "a segment bailed {} times in a row and is tried again only now and then",
    "varying": "an int has another value each time, and {} kernels were made for that",
    "growing": "a list has another length each time, and {} kernels were made for that",
    "few-iterations": "a loop that is left again and again does too few iterations in between",
    "waits": "a segment ends before a loop, so that others see its changes while the loop runs",
    "slower": "plain Python took {}, kernels in it made that {}: it runs as it is for now",
    "size": "a segment ends where its kernel would take seconds to compile; another one goes on",
    "text": "its kernel would have {} lines, and take seconds to compile: it is made of fewer",
    "too-long": "its kernel would have {} lines, and take seconds to compile, and cannot be cut",
    "overdrawn": "captures took {:g} s more than the process had earned: they go on in later calls",
    "call-budget": "captures of a call took more than {:g} s of CPU time: they go on in later ones",
    "budget": "its capture took more than {:g} s of CPU time, and was given up",
    "unsettled": "its capture began anew without having learnt anything, and was given up",
    "versions": "its code was rewritten {} times; exits found later are not followed",
    "generator": "a {} runs when its result is asked for: this tells what ran until now",
    "unsupported": "{}",
    "code": "its bytecode is not what CPython's compiler writes: {}",
    "exchanged": "the program has put other builtins in the place of {}, which framejit relies on",
    "replaced": "the program has replaced {}, of which framejit made its tables afterwards",
    "off": "framejit is switched off: {}",
}
"""Reasons why something is left to eager, by the stable name of the rule."""
REMARKS = ("signature", "generator", "waits", "size", "text", "call-budget", "overdrawn")
"""Rules that leave only a part to eager."""


@dataclass(slots=True)
class Arrival:
    """A break that a capture point led to."""

    ended_by: Break
    at: int
    """The instruction of the capture point."""
    times: int = 1


@dataclass(slots=True)
class Journal:
    """Facts recorded as they happen, since they cannot be determined later."""

    function: str
    arrivals: list[Arrival] = field(default_factory=list)
    misses: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Misses by (instruction of the capture point, the guard that failed and how)."""
    skips: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """Skips by (rule, instruction, the reason in words)."""
    logged: dict[str, str] = field(default_factory=dict)
    """The last message logged per topic."""
    limits: dict[int, str] = field(default_factory=dict)
    """For each capture point at its limit, the reason why the next call matched no entry."""
    quiet: bool = False
    """If true, only the report tells what costs time."""

    def came_to(self, ended_by: Break, at: int) -> None:
        """Count a break that the capture point `at` led to."""
        from .words import detail_of

        place = f"{ended_by.location.filename}:{ended_by.location.line}"
        self._log("breaks", f", {place}: {ended_by.code} {detail_of(ended_by)}")
        for arrival in self.arrivals:
            if arrival.ended_by == ended_by and arrival.at == at:
                arrival.times += 1
                return
        self.arrivals.append(Arrival(ended_by, at))

    def _log(self, topic: str, message: str) -> None:
        """Log a message unless it is the topic's last: a call and its frame may repeat it."""
        if self.logged.get(topic) != message:
            log(topic, "%s%s", self.function, message)
        self.logged[topic] = message

    def missed(
        self,
        at: int,
        entries: Sequence[CacheEntry | KeptEntry],
        options: Options,
        live: tuple[Any, ...],
    ) -> Missed | None:
        """Count a miss of all entries of the capture point `at`; return the reason, if any."""
        from .misses import nearest

        missed = nearest(entries, options, live)
        if missed is not None:
            self.misses[at, missed.reason] += 1
            self._log("recompiles", f": {missed.reason}")
        return missed

    def came_to_limit(
        self,
        at: int,
        limit: int,
        entries: Sequence[CacheEntry | KeptEntry],
        options: Options,
        live: tuple[Any, ...],
        function: FunctionType,
    ) -> None:
        """Count a call for which the capture point `at` may have no more entries.

        The report says why the first such call matched none, and what helps; the log says so once
        per function.
        """
        if at not in self.limits:
            from .misses import nearest

            missed = nearest(entries, options, live)
            self.limits[at] = "" if missed is None else f": {missed.reason}. {missed.remedy}"
            if missed is not None and len(self.limits) == 1:
                self.tell(
                    f"was compiled {len(entries)} times, and calls like this one need another "
                    f"kernel: {missed.reason}. The kernels that are there stay; calls that none of "
                    f"them fits run as plain Python from now on. {missed.remedy}",
                    function,
                )
        self.skipped("cache-limit", at, limit, self.limits[at])

    def tell(self, message: str, function: FunctionType) -> None:
        """Warn of something that slows this function; with `quiet` only the report tells."""
        if not self.quiet:
            code = function.__code__
            tell(f"{self.function} ({code.co_filename}:{code.co_firstlineno}) {message}")

    def skipped(self, rule: str, at: int, *details: object) -> None:
        """Count something that a rule left to eager."""
        self.skips[rule, at, RULES[rule].format(*details)] += 1

    def compiled(self, entry: CacheEntry) -> None:
        """Log a new entry."""
        log("graphs", "%s:\n%s", self.function, entry.graph_text("captured"))
        log("guards", "%s:\n%s", self.function, entry.guards_text())
        log("kernels", "%s:\n%s", self.function, entry.parts.text)
