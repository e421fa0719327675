"""How long a capture may take: as long as it was, plain Python has waited."""

from __future__ import annotations

from time import thread_time

MAX_SECONDS = 10.0
"""CPU time of a capture, with all that is tried again and explored behind its breaks."""
BETWEEN_LOOKS = 8
"""Instructions: a look at the clock of a thread takes a system call."""


class OverBudget(Exception):  # noqa: N818
    """A capture has taken too long: nothing becomes of it."""


class Budget:
    """The CPU time of one thread from now on."""

    def __init__(self) -> None:
        self._until = thread_time() + MAX_SECONDS

    def check(self) -> None:
        """Raises OverBudget where the time is up."""
        if thread_time() > self._until:
            raise OverBudget
