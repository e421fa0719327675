"""How much of a program's time framejit may take, and how much it has taken.

There is one account for the process. What framejit does inside the program (capture, rewriting,
imports) may take a small part of the program's wall time; what it has done in other processes
(compiles) a larger part of its CPU time, since other cores do that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import clock_gettime, monotonic, perf_counter, process_time

LEAST = 0.04
"""Seconds that framejit may take inside the program, however short that is."""
SHARE = 0.03
"""Of the program's wall time so far, what it may take where that is more."""
HELPER_SHARE = 0.4
"""Of the program's CPU time so far, what compiles in other processes may take."""
LEAST_HELPER = 0.2
"""Seconds of CPU time that they may take however short the program is."""
KNOWN_SHARE = 0.5
"""Of the seconds that earlier processes have gained, what may be spent to gain them again."""


class Account:
    """That of the process. All times are seconds."""

    def __init__(self) -> None:
        self.began = _process_start()
        self.inside = 0.0
        """Wall time of framejit's own work inside the program."""
        self.helper = 0.0
        """CPU time of compiles in other processes, their start included."""
        self.known_gain = 0.0
        """What sites of this run have gained in earlier processes."""
        self.credit = 0.0
        """What these sites' earlier processes were allowed and did not spend."""
        self._depth = 0

    def allowed_inside(self) -> float:
        """Seconds that framejit may take inside the program from now on; below zero: overdrawn."""
        wall = monotonic() - self.began
        least = max(LEAST, SHARE * wall)
        return least + KNOWN_SHARE * self.known_gain + self.credit - self.inside

    def allowed_outside(self) -> float:
        """Seconds of CPU time that compiles in other processes may still take."""
        return max(LEAST_HELPER, HELPER_SHARE * process_time()) + self.known_gain - self.helper

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Charges the wall time of the block; blocks inside of it cost nothing more."""
        began = perf_counter()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self.inside += perf_counter() - began


def _process_start() -> float:
    """When this process began, on the clock of `monotonic()`."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        booted = ticks / os.sysconf("SC_CLK_TCK")
        return monotonic() - (clock_gettime(_BOOTTIME) - booted)
    except (OSError, ValueError, IndexError):
        return monotonic()


_BOOTTIME = 7
"""CLOCK_BOOTTIME, which /proc counts by."""

ACCOUNT = Account()
