"""What happened to one function while it ran: breaks, misses, skips. Facts are made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ...jit.config import Options
from ...jit.frozen import dataclass
from ...jit.log import log, tell

if TYPE_CHECKING:
    from ..entry import CacheEntry
    from ..kept.entry import KeptEntry
    from ..machine.breaks import Break
    from .misses import Missed

RULES = {
    "backend": "the backend is 'eager'",
    "cache-limit": "{} entries are kept for one place; what is new runs as plain Python{}",
    "no-arrays": "it computes nothing with arrays",
    "breaks": "it breaks before anything is computed",
    "nothing-fused": "nothing in it would be fused, so that a kernel would gain nothing",
    "signature": "{}, so that a whole call is never one kernel; its segments are captured",
    "bails": "a segment bailed {} times in a row and is tried again only now and then",
    "varying": "an int has another value each time, and {} kernels were made for that",
    "growing": "a list has another length each time, and {} kernels were made for that",
    "short-turns": "a loop that is left again and again went round too few times in between",
    "waits": "a segment ends before a loop, so that others see its changes while the loop runs",
    "slower": "plain Python took {}, kernels in it made that {}: it runs as it is for now",
    "size": "a segment ends where its kernel would take seconds to compile; another one goes on",
    "text": "its kernel would have {} lines, and take seconds to compile: it is made of fewer",
    "too-long": "its kernel would have {} lines, and take seconds to compile, and cannot be cut",
    "call-budget": "captures of a call took more than {:g} s of CPU time: they go on in later ones",
    "budget": "its capture took more than {:g} s of CPU time, and was given up",
    "versions": "its code was rewritten {} times; exits found later are not followed",
    "generator": "a {} runs when its result is asked for: this tells what ran until now",
    "unsupported": "{}",
    "code": "its bytecode is not what CPython's compiler writes: {}",
    "exchanged": "the program has put other builtins in the place of {}, which framejit relies on",
    "replaced": "the program has replaced {}, of which framejit made its tables afterwards",
    "off": "framejit is switched off: {}",
}
"""Why something is left to eager, by the stable name of the rule."""
REMARKS = ("signature", "generator", "waits", "size", "text", "call-budget")
"""Those of them that leave only a part to eager."""


@dataclass(slots=True)
class Arrival:
    """A break that live-ins of one capture point came to."""

    ended_by: Break
    at: int
    """The instruction of the capture point."""
    times: int = 1


@dataclass(slots=True)
class Journal:
    """What is written down at the time, since it cannot be found out later."""

    function: str
    arrivals: list[Arrival] = field(default_factory=list)
    misses: Counter[tuple[int, str]] = field(default_factory=Counter)
    """(instruction of the capture point, which guard failed and how)."""
    skips: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """(rule, instruction, the reason in words)."""
    logged: dict[str, str] = field(default_factory=dict)
    """By topic, what was logged last."""
    limits: dict[int, str] = field(default_factory=dict)
    """By capture point that may have no more entries, why the first call beyond fitted none."""
    quiet: bool = False
    """Nobody is told of what costs time but by the report."""

    def came_to(self, ended_by: Break, at: int) -> None:
        """Live-ins of the capture point `at` came to a break."""
        from .words import detail_of

        place = f"{ended_by.location.filename}:{ended_by.location.line}"
        self._log("breaks", f", {place}: {ended_by.code} {detail_of(ended_by)}")
        for arrival in self.arrivals:
            if arrival.ended_by == ended_by and arrival.at == at:
                arrival.times += 1
                return
        self.arrivals.append(Arrival(ended_by, at))

    def _log(self, topic: str, message: str) -> None:
        """Logs what happens, once where the call and then the frame come to the same."""
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
        """No entry of the capture point `at` holds for these live-ins; why, if there is one."""
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
        """No more entries are made for the capture point `at`, which has these already.

        The report says why the first such call fitted none, and what helps; the log once for each
        function.
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
        """Logs something that costs this function time; `quiet` leaves it to the report."""
        if not self.quiet:
            code = function.__code__
            tell(f"{self.function} ({code.co_filename}:{code.co_firstlineno}) {message}")

    def skipped(self, rule: str, at: int, *details: object) -> None:
        """A rule left something to eager."""
        self.skips[rule, at, RULES[rule].format(*details)] += 1

    def compiled(self, entry: CacheEntry) -> None:
        """There is a new entry."""
        log("graphs", "%s:\n%s", self.function, entry.graph_text("captured"))
        log("guards", "%s:\n%s", self.function, entry.guards_text())
        log("kernels", "%s:\n%s", self.function, entry.parts.text)
