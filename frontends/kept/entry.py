"""Entries that were kept on disk: what C runs, without the graph that it came from."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

from ...jit.checks import Check, told
from ...jit.config import Options
from ...jit.log import log
from ...jit.native import Entry
from ..awaited import AwaitsKernels
from ..issuing import Logged, issue
from ..lessons import Lessons
from .record import BadRecordError

MAX_BAILS = 8
"""Bails after which a call is captured anew: who has the graph can do better."""


@dataclass(eq=False, slots=True)
class KeptEntry(AwaitsKernels):
    """The Python side of a native entry that was brought back.

    It knows no graph: for what only a graph can tell (which node warns, what the next capture can
    heed) it makes room, and the call is captured as if it had not been there.
    """

    fields: dict[str, Any]
    """What stands on disk."""
    options: Options
    key: Options
    """The options of the context in which it holds."""
    located: list[Logged]
    """The operations of each number in the log of flags."""
    bails: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    made_room_for: Check | None = None
    lessons: Lessons | None = None

    @property
    def is_outgrown(self) -> bool:
        """Whether it has made room for a capture, so that no limit counts it."""
        return self.native is not None and bool(self.native.outgrown)

    @property
    def goes_round(self) -> frozenset[int]:
        """Ends of loops that it may leave in the middle."""
        return frozenset(self.fields["goes_round"])

    @property
    def ends_at(self) -> int | None:
        """The instruction at which it breaks; None where it ends otherwise."""
        found: int | None = self.fields["ends_at"]
        return found

    @property
    def kernel_text(self) -> str:
        """What is compiled."""
        return inflated(self.fields["text"])

    def came_from(self) -> tuple[str, str]:
        """Where the code of its kernel came from, and what was not as it should be."""
        from ...backends.numba.machine_code.lookups import machine_code_of
        from ...backends.numba.machine_code.shared_text import shared

        return machine_code_of(shared(self.kernel_text))

    def graph_text(self, stage: str = "compiled") -> str:
        """The graph that was compiled, or the "captured" one."""
        return inflated(self.fields["graphs"][stage == "captured"])

    def guards_text(self) -> str:
        """One line a guard."""
        return inflated(self.fields["guards_text"])

    def measured_once(self) -> None:
        """Its function is explained; NumPy can not be measured without a graph."""

    def resume(self) -> None:
        """A capture gave no entry beside it."""

    def give_way(self) -> None:
        """A segment serves its calls, too."""

    def forget(self) -> None:
        """Nobody can call it any more."""
        self.native = None
        self._waiting.clear()

    # ---- called by launch.c ----------------------------------------------------------------------

    def took_long(self) -> None:
        """A launch was in a loop for long that it could not halt."""
        if self.lessons is not None and not self.lessons.takes_long:
            self.lessons.takes_long = True
            self._make_room(Check.LONG)

    def grew(self) -> None:
        """Its arrays got large; see `CacheEntry.grew`."""
        self._make_room(Check.GREW)

    def bailed(self, why: str, flags: int, check: int) -> None:
        """A launch left for eager; see `CacheEntry.bailed`."""
        self.bails[why] = self.bails.get(why, 0) + 1
        log("bails", "%s: a launch left for eager: %s", self.name, why)
        said = told(check)[0] if check else None
        if said is not None:
            self.checks[said.value] = self.checks.get(said.value, 0) + 1
        warns = bool(flags) or why == "flags"
        if warns or sum(self.bails.values()) >= MAX_BAILS:
            self._make_room(said)

    def warn(self, kernel: Entry, log_: list[tuple[int, int]]) -> None:
        """Issues the warnings that eager would have issued for these (node, flags)."""
        for number, flags in log_:
            issue(self.located[number], flags)

    def _make_room(self, check: Check | None) -> None:
        """From now on calls are captured that it would serve."""
        if self.native is not None:
            self.made_room_for = check
            self.native.outgrown = 1
            if self.lessons is not None:
                self.lessons.ask()

    @property
    def name(self) -> str:
        """Function and line where it begins, for messages."""
        file, line, function = self.fields["told"][0]
        return f"{function}, {file}:{line}"


def inflated(content: bytes) -> str:
    """A text that `deflated` has made small.

    Raises
    ------
    BadRecordError
        It is damaged.
    """
    try:
        return zlib.decompress(content).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise BadRecordError(str(error)) from None


def deflated(text: str) -> bytes:
    """A text as it stands on disk."""
    return zlib.compress(text.encode(), 1)
