"""Measures the cost of trials, and the share of wrong decisions where pauses disturb them.

    python tests/bench/trial_cost.py [--calls N] [--disturbed | --real]

A function with a break in it takes longer on one side than on the other. A line for each ratio:
which part of the time of all calls was lost to the slower side after 10**2, 10**3, ... calls. The
clock of the trials is ours: a million calls take a few seconds. With `--disturbed` it stops for
80 ms in one call of a hundred, and half of the time all takes twice as long; with `--real` it is
the machine's, a thread burns the processor now and then, and a collector goes over many objects.
"""

from __future__ import annotations

import argparse
import gc
import sys
import threading
from time import perf_counter_ns
from typing import Any

import numpy as np

from framejit import jit
from framejit.jit import native

X = np.linspace(0, 1, 5)
RATIOS = (0.5, 0.9, 1.1, 2.0, 10.0, 100.0)
"""Times of plain Python over those of compiled code."""
PAUSE, BURST = 80e6, 25e6
"""Nanoseconds of a pause; of a stretch in which all is slow, or is not."""
OBJECTS = 300_000
"""That the collector goes over, in some ten milliseconds."""


class Clock:
    """The time that passes in calls."""

    def __init__(self, disturbed: bool) -> None:
        self.now = 0.0
        self.rng = np.random.default_rng(0) if disturbed else None

    def spend(self, nanoseconds: float) -> None:
        """Lets so much pass, and what the world adds."""
        if self.rng is not None:
            nanoseconds *= 1 + int(self.now / BURST) % 2
            nanoseconds += PAUSE * (self.rng.random() < 0.01)
        self.now += nanoseconds
        native.stop_clock(int(self.now))


class RealClock(Clock):
    """The clock of the machine."""

    def spend(self, nanoseconds: float) -> None:
        """Keeps the processor busy; now and then garbage is collected."""
        self.now += 1
        until = perf_counter_ns() + nanoseconds
        while perf_counter_ns() < until:
            pass
        if self.now % 97 == 0:
            gc.collect()


def losses(clock: Clock, compiled: float, ratio: float, calls: int) -> list[float]:
    """Parts of the time that the slower side has taken more than the faster would have."""
    times = [compiled, compiled * ratio]
    counts = [0, 0]

    def program(x: Any) -> Any:
        y = np.sqrt(x * x + 1.0) - x
        side = int(sys._getframe().f_code is code)
        counts[side] += 1
        clock.spend(times[side])
        return y * 2

    code = program.__code__
    jitted = jit(program, compile="now")
    slower = int(ratio > 1)
    found = []
    for number in range(1, calls + 1):
        jitted(X)
        if number >= 100 and str(number).strip("0") == "1":
            lost = counts[slower] * (max(times) - min(times))
            found.append(lost / (number * min(times)))
    return found


def _burn(stopped: threading.Event) -> None:
    """Takes the processor for some milliseconds, and waits for more."""
    while not stopped.wait(0.03):
        until = perf_counter_ns() + 10e6
        while perf_counter_ns() < until:
            pass


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--microseconds", type=float, nargs="+", default=[1.0, 20.0, 1000.0])
    parser.add_argument("--disturbed", action="store_true")
    parser.add_argument("--real", action="store_true")
    chosen = parser.parse_args()
    native.set_trials(True)
    stopped = threading.Event()
    kept = [[k] for k in range(OBJECTS if chosen.real else 0)]
    if chosen.real:
        threading.Thread(target=_burn, args=(stopped,), daemon=True).start()
    for microseconds in chosen.microseconds:
        for ratio in RATIOS:
            clock = RealClock(False) if chosen.real else Clock(chosen.disturbed)
            found = losses(clock, microseconds * 1e3, ratio, chosen.calls)
            line = "".join(f"{part:9.2%}" for part in found)
            print(f"{microseconds:6.0f} us  plain x{ratio:<6g}{line}", flush=True)
    stopped.set()
    kept.clear()


if __name__ == "__main__":
    main()
