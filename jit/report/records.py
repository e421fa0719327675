"""Records of a report: one frozen dataclass for each kind of event.

The docstrings of the fields are the descriptions in schema.json and docs/report.md.
"""

from __future__ import annotations

import linecache
from collections.abc import Mapping

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's program."""

    file: str
    """"" if the whole program is meant instead of a line."""
    line: int
    """Line number, from 1."""
    function: str
    """The qualified name of the function."""

    @property
    def source(self) -> str:
        """The text of the line, without indentation; empty if the file cannot be read."""
        return linecache.getline(self.file, self.line).strip()


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """One compiled segment."""

    place: Place
    """The place where it begins."""
    last_line: int
    """The last line with an operation in it."""
    fused: int
    """Number of operations in fused loops."""
    opaque: int
    """Number of operations that call the real NumPy or SciPy function."""
    hits: int
    """Number of launches that ran to the segment's end."""
    bails: Mapping[str, int]
    """Number of launches that left for eager before its end, by reason."""
    checks: Mapping[str, int]
    """Number of failed checks of the kernel in these, by the check in words."""
    ends: str
    """The break code where it ends, "return", or "loop" if it ends in a loop that it continues."""
    ends_line: int
    """The line where it ends."""
    types: tuple[str, ...]
    """The types and values it was compiled for: its guards in words."""
    passes: Mapping[str, int]
    """Number of operations that passes over its graph transformed, by transformation."""
    notes: tuple[str, ...] = ()
    """Remarks: loops inside the kernel, compiles in the background."""
    waits: bool = False
    """True while it is being compiled in the background and eager answers."""
    seconds: float | None = None
    """Seconds of the fastest launch with guards, in explained calls; null (None) elsewhere."""
    eager: float | None = None
    """Seconds that NumPy took for the same operations on copies; null if not measured."""
    bytes: int | None = None
    """Bytes of the arrays passed to the launch compared with NumPy; null if not measured."""
    compiled: float = 0.0
    """CPU seconds of compiling its kernel in this process, while calls waited."""
    origin: str = ""
    """Origin of its machine code: "compiled", "disk", "memory" or, if unknown, ""."""

    @property
    def launches(self) -> int:
        """The number of launches of its kernel."""
        return self.hits + sum(self.bails.values())


@dataclass(frozen=True, slots=True)
class BreakRecord:
    """A graph break that the program reached."""

    code: str
    """The stable code, such as FJ201, which can be searched for."""
    title: str
    """The meaning of the code."""
    detail: str
    """The operation that broke, in the program's own names."""
    hint: str
    """Advice on what to write instead."""
    place: Place
    """The place of the break."""
    source: str
    """The text of the line, so that JSON is readable without the program."""
    count: int
    """Number of times that the program passed it."""
    exact: bool = True
    """False if `count` is a lower bound."""
    seconds: float | None = None
    """Seconds spent outside of segments there, in all explained calls; null if not measured."""
    share: float | None = None
    """`seconds` as a fraction of the time of all segments and breaks of the function."""


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """Something that was left to eager, and the rule for it."""

    rule: str
    """The stable name of the rule."""
    reason: str
    """The rule in words."""
    place: Place
    """The place that was left to eager."""
    count: int = 1
    """Number of times that this happened."""


@dataclass(frozen=True, slots=True)
class RecompileRecord:
    """A capture beyond the first of a capture point, because a guard failed."""

    place: Place
    """The place where the capture begins."""
    reason: str
    """The difference, in the user's words."""
    count: int = 1
    """Number of times that it occurred."""
    entries: int = 0
    """Number of kernels kept for this place, each for other types or values."""
    limit: int = 0
    """Maximum number of kernels kept there; further types and values run as plain Python."""
    seconds: float = 0.0
    """CPU seconds of compiling all but the first of them, while calls waited."""


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """An internal error of framejit; eager answered."""

    code: str
    """FJ901."""
    function: str
    """The function that was captured or called."""
    traceback: str
    """The traceback, for a bug report."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Costs and gains of a function in this process, in seconds."""

    tier: str
    """Its state between plain Python and kernels."""
    spent: float | None
    """CPU time in it, by samples; null (None) without a sampler."""
    captured: float
    """CPU time of captures and rewriting, inside the program."""
    compiled: float
    """CPU time of compiles that plain Python did not wait for, in any process."""
    saved: float
    """Time that its kernels saved, by trials against plain Python; 0 without trials."""
    waited: float = 0.0
    """The part of `captured` in which kernels were compiled."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts on one function at one time."""

    place: Place
    """The place of its definition."""
    backend: str
    """The backend that computes its graphs, such as numba."""
    calls: int
    """Number of calls of the function."""
    frameless: int
    """Number of calls that were answered without a Python frame."""
    segments: tuple[SegmentRecord, ...] = ()
    """The compiled segments, in program order."""
    breaks: tuple[BreakRecord, ...] = ()
    """The graph breaks that the program reached, in program order."""
    skipped: tuple[SkipRecord, ...] = ()
    """Code that a rule left to eager."""
    recompiles: tuple[RecompileRecord, ...] = ()
    """Captures beyond the first, with their reasons."""
    failures: tuple[FailureRecord, ...] = ()
    """Internal errors of framejit."""
    spending: Spending | None = None
    """Its costs and gains, if known."""
    seconds: float | None = None
    """Seconds of the fastest explained call, excluding captures; null if there was none."""


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """All that is known of a program, or of a part of it."""

    functions: tuple[Facts, ...] = ()
    """Those of which something was compiled; of decorated ones all that were called."""
    skipped: tuple[SkipRecord, ...] = ()
    """Code that was reached and ran as it is: `count` is the number of its frames."""
    processes: int = 1
    """Processes that it sums up: the program, and those that multiprocessing has started for it."""
    inside: float = 0.0
    """CPU seconds that framejit took inside the program: its start, captures, entries from disk."""
    outside: float = 0.0
    """CPU seconds that it took in processes of its own, which capture and compile."""
    keeps_freed: bool = False
    """True if memory that the program frees stays in its heap, for its next arrays."""
    commands: float = 0.0
    """CPU seconds of ended child processes, such as those of `subprocess`, that the report does not
    tell of; 0 where multiprocessing has started processes, which would be counted in."""
