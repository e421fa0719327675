"""How long a capture may take, and how much it may record: that long plain Python waits."""

from __future__ import annotations

from time import thread_time

MAX_SECONDS = 10.0
"""CPU time of a capture, with all that is tried again and explored behind its breaks."""
MAX_NODES = 2000
"""Operations of a segment: behind them another one begins, at the next statement."""
MAX_NODES_IN_REGIONS = 4000
"""The same where the segment cannot end: in loops, branches, and functions that are called."""
FEWEST_NODES = 40
"""A segment of so few is not made shorter, however long its kernel is."""
BETWEEN_LOOKS = 8
"""Instructions: a look at the clock of a thread takes a system call."""


limit = MAX_SECONDS
"""What a capture may take now: less where a function has to pay for it. Captures hold a lock."""


class OverBudget(Exception):  # noqa: N818
    """A capture has taken too long: nothing becomes of it."""


class Budget:
    """The CPU time of one thread from now on, and the operations of each segment."""

    def __init__(self, most_nodes: int | None = None) -> None:
        """`most_nodes`: where kernels of more came out too long to be compiled."""
        self._until = thread_time() + min(limit, MAX_SECONDS)
        self.most_nodes = MAX_NODES if most_nodes is None else most_nodes
        self.most_in_regions = MAX_NODES_IN_REGIONS if most_nodes is None else most_nodes

    def check(self) -> None:
        """Raises OverBudget where the time is up."""
        if thread_time() > self._until:
            raise OverBudget
