"""Facts that a kernel has checked at run time by some point, and need not check again."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...jit.ir.graph import Value


@dataclass(slots=True)
class CheckedFacts:
    """Facts that hold from here on, because otherwise the kernel would have bailed."""

    disjoint: set[frozenset[Value]] = field(default_factory=set)
    """Pairs of arrays that do not overlap."""
    only_warns: bool = False
    """True if flags cause at most warnings; holds until foreign code runs."""
    named: dict[str, str] = field(default_factory=dict)
    """Variables by the expression that they stand for, in kernels without loops of the program."""
    refuted: set[str] = field(default_factory=set)
    """Conditions of bails over such variables."""

    def copy(self) -> CheckedFacts:
        """Return a copy to extend on one branch only."""
        return CheckedFacts(
            set(self.disjoint), self.only_warns, dict(self.named), set(self.refuted)
        )
