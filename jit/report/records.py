"""The records of a report: one frozen dataclass for each kind of thing that can happen."""

from __future__ import annotations

import linecache
from collections.abc import Mapping

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's program."""

    file: str
    """"" where no line is meant, but all of the program."""
    line: int
    """Counted from 1."""
    function: str
    """Its qualified name."""

    @property
    def source(self) -> str:
        """The text of the line, without indentation; empty when the file cannot be read."""
        return linecache.getline(self.file, self.line).strip()


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """One compiled segment."""

    place: Place
    """Where it begins."""
    last_line: int
    """The last line that it computes something of."""
    fused: int
    """Operations that run in fused loops."""
    opaque: int
    """Operations that call the real NumPy or SciPy function."""
    hits: int
    """Launches that ran to the segment's end."""
    bails: Mapping[str, int]
    """Launches that left for eager before its end, by reason."""
    checks: Mapping[str, int]
    """Checks of the kernel that did not hold in these, in words."""
    ends: str
    """Code of the break that it ends in, "return", or "loop": in one that it goes on with."""
    ends_line: int
    """The line where it ends."""
    types: tuple[str, ...]
    """What it was compiled for: its guards in words."""
    passes: Mapping[str, int]
    """Operations that passes over its graph have dealt with, by what became of them."""
    notes: tuple[str, ...] = ()
    """What else is worth knowing of it: loops inside the kernel, compiles in the background."""
    waits: bool = False
    """It is being compiled in the background, and eager answers."""
    seconds: float | None = None
    """Of the fastest launch, guards and all, in explained calls; null (None) elsewhere."""
    eager: float | None = None
    """What NumPy took for the same, op by op, on copies; null where that was not measured."""
    bytes: int | None = None
    """Of the arrays that a launch was given, at the one that was compared with NumPy."""
    compiled: float = 0.0
    """CPU seconds of compiling its kernel in this process, while calls waited."""
    origin: str = ""
    """Where its machine code is from: "compiled", "disk", "memory" or, not known, ""."""

    @property
    def launches(self) -> int:
        """How often its kernel was started."""
        return self.hits + sum(self.bails.values())


@dataclass(frozen=True, slots=True)
class BreakRecord:
    """A graph break that the program came to."""

    code: str
    """Stable: can be searched for."""
    title: str
    """What the code means."""
    detail: str
    """What the program does there, in its own names."""
    hint: str
    """What to write instead."""
    place: Place
    """Where it is."""
    source: str
    """The text of the line, so that JSON is readable away from the program."""
    count: int
    """How often the program passed it."""
    exact: bool = True
    """False: at least so often."""
    seconds: float | None = None
    """Spent outside of segments there, in all explained calls; null where that was not measured."""
    share: float | None = None
    """Of the time of the function: `seconds` against those of all segments and breaks."""


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """Something that was left to eager, and the rule that said so."""

    rule: str
    """Stable name of the rule."""
    reason: str
    """The rule in words."""
    place: Place
    """Where it is."""
    count: int = 1
    """How often it came to that."""


@dataclass(frozen=True, slots=True)
class RecompileRecord:
    """A capture beyond the first of a capture point: a guard that did not hold."""

    place: Place
    """Where the capture begins."""
    reason: str
    """What was different, in the user's words."""
    count: int = 1
    """How often it was so."""
    entries: int = 0
    """Kernels that are kept for this place, of other types or values each."""
    limit: int = 0
    """So many are kept there at most; what is new runs as plain Python then."""
    seconds: float = 0.0
    """CPU seconds of compiling all but the first of them, while calls waited."""


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """An error of framejit's own; eager answered."""

    code: str
    """FJ901."""
    function: str
    """The function that was captured or called."""
    traceback: str
    """For a bug report."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a function has cost and gained in this process, in seconds."""

    tier: str
    """Where it stands between plain Python and kernels."""
    spent: float | None
    """CPU time in it, by samples; null (None) where nobody samples."""
    captured: float
    """CPU time of captures and rewriting, inside the program."""
    compiled: float
    """CPU time of compiles that plain Python did not wait for, in whatever process."""
    saved: float
    """What its kernels have saved, by trials against plain Python; 0 where there was none."""
    waited: float = 0.0
    """The part of `captured` in which kernels were compiled."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of one function at one time."""

    place: Place
    """Its definition."""
    backend: str
    """What computes its graphs, such as numba."""
    calls: int
    """Calls of the function."""
    frameless: int
    """Calls that were answered without a Python frame."""
    segments: tuple[SegmentRecord, ...] = ()
    """What was captured, in program order."""
    breaks: tuple[BreakRecord, ...] = ()
    """The graph breaks that the program came to, in program order."""
    skipped: tuple[SkipRecord, ...] = ()
    """What was left to eager by a rule."""
    recompiles: tuple[RecompileRecord, ...] = ()
    """What was captured again, and why."""
    failures: tuple[FailureRecord, ...] = ()
    """Errors of framejit's own."""
    spending: Spending | None = None
    """What it has cost and gained, where that is known."""
    seconds: float | None = None
    """Of the fastest explained call, without captures and compiles; null where none was."""


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """All that is known of a program, or of a part of it, that nobody decorated."""

    functions: tuple[Facts, ...] = ()
    """Those of which something was compiled."""
    skipped: tuple[SkipRecord, ...] = ()
    """Code that was reached and ran as it is: `count` is the number of its frames."""
