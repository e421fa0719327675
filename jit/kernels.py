"""Interfaces between those who wait for a kernel and those who compile it.

Nothing here imports graphs, so a process that finds all its kernels on disk does not load them.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Protocol

from .frozen import dataclass

COMPILING = RLock()
"""Held while foreign compilers run, since they change process-wide state."""
MachineCode = tuple[int, Any]
"""(address of a kernel, object that keeps its code loaded)."""


class Pending(Protocol):
    """A kernel requested from another process."""

    @property
    def forgotten(self) -> bool:
        """True in a forked child of the process that asked: the answer will not arrive there."""

    @property
    def cpu(self) -> float:
        """Return, once done, the CPU seconds that the other process took for it."""

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Wait until done, timeout, or `stop[0]` is nonzero; return True if done.

        A failed compile counts as done.
        """

    def code(self) -> Any:
        """Return, once done, the backend's machine code; None if it has to be compiled here."""


class Finish(Protocol):
    """Produces the machine code of a kernel; may be called in any thread."""

    def __call__(self, pending: Any = None, /) -> MachineCode:
        """Return the code that a finished `Pending` has brought, else compile it here."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A kernel that still has to be compiled."""

    finish: Finish
    """Compiles it."""
    ask: Callable[[], Pending | None]
    """Requests it from another process; returns None if there is none."""
    lines: int
    """Number of lines of its text, which predicts the cost."""
