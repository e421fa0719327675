"""Facts that a kernel has checked at run time by some point, and need not check again."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...jit.ir.graph import Value


@dataclass(slots=True)
class Asked:
    """Facts that hold from here on, because otherwise the kernel would have bailed."""

    apart: set[frozenset[Value]] = field(default_factory=set)
    """Pairs of arrays that do not overlap."""
    quiet: bool = False
    """True if flags cause at most warnings; holds until foreign code runs."""

    def copy(self) -> Asked:
        """Return a copy to extend on one branch only."""
        return Asked(set(self.apart), self.quiet)
