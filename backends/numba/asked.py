"""What a kernel has asked the run by some point on its way, and need not ask again."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...jit.ir.graph import Value


@dataclass(slots=True)
class Asked:
    """Answers that hold from here on: else the kernel has been left."""

    apart: set[frozenset[Value]] = field(default_factory=set)
    """Pairs of arrays that have no memory in common."""
    quiet: bool = False
    """No flag does more than warn, as long as no code of others runs."""

    def copy(self) -> Asked:
        """The same, to be asked more on one way only."""
        return Asked(set(self.apart), self.quiet)
