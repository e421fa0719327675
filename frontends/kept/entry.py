"""Entries loaded from disk: what C runs, without the graph that it was made of."""

from __future__ import annotations

import zlib
from typing import Any

from ...jit.checks import Check, decode_check
from ...jit.config import Options
from ...jit.frozen import dataclass, field
from ...jit.log import log
from ...jit.native import Entry
from ..runtime.awaited import AwaitsKernels
from ..runtime.issuing import Logged, issue
from ..runtime.lessons import Lessons
from .record import BadRecordError

MAX_BAILS = 8
"""Bails after which the call is captured anew, since an entry with its graph can handle them
better."""


@dataclass(eq=False, slots=True)
class KeptEntry(AwaitsKernels):
    """The Python side of a native entry that was loaded from disk.

    It has no graph. Where one is needed (to find the node that warns, or the lesson for the next
    capture) it steps aside, and the call is captured as if this entry did not exist.
    """

    fields: dict[str, Any]
    """The stored record."""
    options: Options
    key: Options
    """The options of the context in which it is valid."""
    located: list[Logged]
    """The operations by their numbers in the log of flags."""
    bails: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    made_room_for: Check | None = None
    lessons: Lessons | None = None

    @property
    def is_outgrown(self) -> bool:
        """True if it has stepped aside for a capture, so that limits on entries do not count it."""
        return self.native is not None and bool(self.native.outgrown)

    @property
    def goes_round(self) -> frozenset[int]:
        """Ends of loops whose iterations it may leave halfway."""
        return frozenset(self.fields["goes_round"])

    @property
    def exit_numbers(self) -> tuple[int, ...]:
        """Return, for each exit of the graph, its number among the stub's exits."""
        return tuple(self.fields["exit_numbers"])

    @property
    def ends_at(self) -> int | None:
        """The instruction at which it breaks; None if it ends otherwise."""
        found: int | None = self.fields["ends_at"]
        return found

    @property
    def kernel_text(self) -> str:
        """Source text of the kernel."""
        return inflated(self.fields["text"])

    def came_from(self) -> tuple[str, str]:
        """Return the origin of its kernel's machine code, and the reason of a failed look-up."""
        from ...backends.numba.machine_code.lookups import machine_code_of
        from ...backends.numba.machine_code.shared_text import shared

        return machine_code_of(shared(self.kernel_text))

    def graph_text(self, stage: str = "compiled") -> str:
        """Return the text of the graph at a stage, "compiled" or "captured"."""
        return inflated(self.fields["graphs"][stage == "captured"])

    def guards_text(self) -> str:
        """Return one line per guard."""
        return inflated(self.fields["guards_text"])

    def measured_once(self) -> None:
        """Do nothing; without a graph NumPy cannot be measured."""

    def resume(self) -> None:
        """Do nothing; a captured entry takes its calls back here."""

    def give_way(self) -> None:
        """Do nothing; a captured entry leaves its calls to a segment here."""

    def forget(self) -> None:
        """Drop the native entry when no call can reach this one any more."""
        self.native = None
        self._waiting.clear()

    # ---- called by launch.c ----------------------------------------------------------------------

    def took_long(self) -> None:
        """Step aside if a launch spent long in a loop that it could not interrupt."""
        if self.lessons is not None and not self.lessons.takes_long:
            self.lessons.takes_long = True
            self._make_room(Check.LONG)

    def grew(self) -> None:
        """Step aside since the arrays became large; see `CacheEntry.grew`."""
        self._make_room(Check.GREW)

    def bailed(self, why: str, flags: int, check: int) -> None:
        """Count a bail; see `CacheEntry.bailed`."""
        self.bails[why] = self.bails.get(why, 0) + 1
        log("bails", "%s: a launch left for eager: %s", self.name, why)
        said = decode_check(check)[0] if check else None
        if said is not None:
            self.checks[said.value] = self.checks.get(said.value, 0) + 1
        warns = bool(flags) or why == "flags"
        if warns or sum(self.bails.values()) >= MAX_BAILS:
            self._make_room(said)

    def warn(self, kernel: Entry, log_: list[tuple[int, int]]) -> None:
        """Issue eager's warnings for these (node, flags)."""
        for number, flags in log_:
            issue(self.located[number], flags)

    def _make_room(self, check: Check | None) -> None:
        """Have the calls that it would serve captured anew."""
        if self.native is not None:
            self.made_room_for = check
            self.native.outgrown = 1
            if self.lessons is not None:
                self.lessons.ask()

    @property
    def name(self) -> str:
        """Function and first line, for messages."""
        file, line, function = self.fields["told"][0]
        return f"{function}, {file}:{line}"


def inflated(content: bytes) -> str:
    """Decompress a text of `deflated`.

    Raises
    ------
    BadRecordError
        The content is damaged.
    """
    try:
        return zlib.decompress(content).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise BadRecordError(str(error)) from None


def deflated(text: str) -> bytes:
    """Compress a text for the disk."""
    return zlib.compress(text.encode(), 1)
