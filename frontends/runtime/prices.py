"""What capturing and compiling will cost: estimates, corrected by what it has cost so far."""

from __future__ import annotations

import sys
from types import CodeType

CAPTURE_BASE = 0.006
"""Seconds of a capture that meets nothing."""
CAPTURE_UNIT = 40e-6
"""Seconds for each code unit, with the functions that are called from there."""
COMPILE_BASE = 0.12
"""Seconds of CPU time of an empty kernel."""
COMPILE_LINE = 0.0012
"""Seconds for each line of kernel text."""
IMPORTS = 0.15
"""Seconds to load framejit's own modules and, without Numba, those of the backend; with what the
first captures need: who could not pay for these had better not load anything."""
TAKING, TAKING_FIRST = 0.004, 0.04
"""Seconds to take the entries of a function from the disk; with what the first one has loaded."""
TAKES = "framejit.frontends.kept.reading"
"""The module that takes them."""
LOADED = "framejit.backends.numba.backend"
"""The module that is loaded last."""
INERTIA = 0.8
"""How much of a correction stays when one more price has become known."""


class Price:
    """A linear estimate, corrected by the ratio of what things took to what they should have."""

    def __init__(self, base: float, unit: float) -> None:
        self.base = base
        self.unit = unit
        self.ratio = 1.0

    def of(self, units: float) -> float:
        """Seconds."""
        return self.ratio * (self.base + self.unit * units)

    def learn(self, units: float, seconds: float) -> None:
        """One of so many units has taken so long."""
        ratio = seconds / (self.base + self.unit * units)
        self.ratio = INERTIA * self.ratio + (1 - INERTIA) * min(max(ratio, 0.1), 10.0)


HELPER_START = 0.7
"""Seconds of CPU time until the process that compiles has loaded Numba."""


def import_price() -> float:
    """Seconds to load what captures and compiles, where that is not there."""
    return 0.0 if LOADED in sys.modules else IMPORTS


def taking_price() -> float:
    """Seconds to take the entries of a function from the disk."""
    return TAKING if TAKES in sys.modules else TAKING_FIRST


COPY_BASE, COPY_UNIT = 0.9, 2e-3
"""Seconds of CPU time of a copy of the process that captures and compiles; for each code unit."""
CAPTURE = Price(CAPTURE_BASE, CAPTURE_UNIT)
COMPILE = Price(COMPILE_BASE, COMPILE_LINE)
COPY = Price(COPY_BASE, COPY_UNIT)


def units_of(code: CodeType) -> int:
    """Code units, without those of nested functions."""
    return len(code.co_code) // 2
