"""Kernels as those see them who wait for one: what makes it, where it comes from, what is locked.

Nothing here knows graphs: a process that finds all its kernels on disk loads none of that.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Protocol

from .frozen import dataclass

COMPILING = RLock()
"""Held by backends while foreign code compiles, for it changes what all threads share."""
MachineCode = tuple[int, Any]
"""The address of a kernel, and what keeps it there."""


class Pending(Protocol):
    """A kernel that another process was asked for."""

    @property
    def forgotten(self) -> bool:
        """True in a child that was forked after it was asked for: nothing comes there."""

    @property
    def cpu(self) -> float:
        """Once it is done: seconds of CPU time that the other process took, since the last one."""

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Waits until it is done, the time is over or `stop[0]` is not 0; True if it is done.

        It is done, too, when it has failed.
        """

    def code(self) -> Any:
        """Once it is done: what the backend makes of it; None if it has to be compiled here."""


class Finish(Protocol):
    """Makes the machine code of a kernel, in any thread."""

    def __call__(self, pending: Any = None, /) -> MachineCode:
        """Compiles it here, unless a `Pending` that is done has brought its machine code."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A kernel that is yet to be compiled."""

    finish: Finish
    """Compiles it."""
    ask: Callable[[], Pending | None]
    """Has another process compile it; None if there is none."""
    lines: int
    """Of its text: what it will cost."""
