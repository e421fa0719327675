"""Limits the time and the size of a capture, during which plain Python waits."""

from __future__ import annotations

from time import thread_time
from types import CodeType

MAX_SECONDS = 10.0
"""CPU seconds of a capture, including retries and exploration after its breaks."""
MAX_NODES = 2000
"""Number of operations after which a segment ends, at the next statement."""
MAX_NODES_IN_REGIONS = 4000
"""The same where a segment cannot end: in loops, branches and inlined functions."""
FEWEST_NODES = 40
"""A segment with so few operations is not shortened, however long its kernel is."""
STEPS_BETWEEN_CHECKS = 8
"""Captured instructions between two readings of the thread's clock, which is a system call."""


limit = MAX_SECONDS
"""CPU seconds allowed now: fewer if a function has to pay for them. Changed under the lock."""


class OverBudget(Exception):  # noqa: N818 (named for its reason)
    """A capture has taken too long and is discarded."""

    rule = "budget"
    """The rule under which the report tells of it."""


class Unsettled(OverBudget):
    """Captures that begin anew have learnt nothing from the one before, and would never end."""

    rule = "unsettled"


class Budget:
    """CPU time of this thread from now on, and the number of operations of each segment."""

    def __init__(self, most_nodes: int | None = None) -> None:
        """Start it; `most_nodes` is a lower limit, if larger kernels were too long to compile."""
        self._until = thread_time() + min(limit, MAX_SECONDS)
        self.most_nodes = MAX_NODES if most_nodes is None else most_nodes
        self.most_in_regions = MAX_NODES_IN_REGIONS if most_nodes is None else most_nodes
        self.too_large: set[tuple[CodeType, int]] = set()
        """Loops, by code and header, in which a capture came to its last instruction: one that
        begins anew would come to the same end, seconds later."""

    def check(self) -> None:
        """Raise OverBudget if the time is up."""
        if thread_time() > self._until:
            raise OverBudget
