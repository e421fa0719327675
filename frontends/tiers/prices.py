"""Estimates of what captures and compiles cost, corrected by the costs so far."""

from __future__ import annotations

from types import CodeType

CAPTURE_BASE = 0.006
"""Seconds of an empty capture."""
CAPTURE_UNIT = 40e-6
"""Seconds per code unit, including the functions called from there."""
COMPILE_BASE = 0.12
"""CPU seconds of compiling an empty kernel."""
COMPILE_LINE = 0.0012
"""CPU seconds per line of kernel text."""
IMPORTS = 0.15
"""Seconds to import framejit's modules and the backend's (without Numba) with what the first
captures need. A program that cannot afford these should not import anything."""
TAKING, TAKING_FIRST = 0.004, 0.04
"""Seconds to load a function's entries from disk; for the first function, with the imports."""
loads_entries = False
"""True once the module that loads entries (`kept/reading.py`) is imported; it says so itself."""
INERTIA = 0.8
"""Weight of the old correction when another price becomes known."""


class Price:
    """A linear estimate, multiplied by the running ratio of actual to estimated times."""

    def __init__(self, base: float, unit: float) -> None:
        self.base = base
        self.unit = unit
        self.ratio = 1.0

    def of(self, units: float) -> float:
        """Return the estimated seconds for so many units."""
        return self.ratio * (self.base + self.unit * units)

    def learn(self, units: float, seconds: float) -> None:
        """Update the ratio by one measurement."""
        ratio = seconds / (self.base + self.unit * units)
        self.ratio = INERTIA * self.ratio + (1 - INERTIA) * min(max(ratio, 0.1), 10.0)


HELPER_START = 0.7
"""CPU seconds until the compile helper has imported Numba."""


def import_price() -> float:
    """Return the seconds to import the capture and the backend; 0 if they are imported."""
    from ...backends.registry import default_is_loaded  # runs that rest import no backends

    return 0.0 if default_is_loaded() else IMPORTS


def taking_price() -> float:
    """Return the seconds to load a function's entries from disk."""
    return TAKING if loads_entries else TAKING_FIRST


COPY_BASE, COPY_UNIT = 1.0, 8e-4
"""CPU seconds of a copy of the process that captures and compiles: base, and per code unit."""
CAPTURE = Price(CAPTURE_BASE, CAPTURE_UNIT)
COMPILE = Price(COMPILE_BASE, COMPILE_LINE)
COPY = Price(COPY_BASE, COPY_UNIT)


def units_of(code: CodeType) -> int:
    """Return the number of code units, without nested functions."""
    return len(code.co_code) // 2
