"""Ratios of times, measured so that a busy machine disturbs both sides alike."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

Action = Callable[[], Any]
TRIES = 4


def best(action: Action, calls: int) -> float:
    """Seconds a call in one round."""
    start = perf_counter()
    for _ in range(calls):
        action()
    return (perf_counter() - start) / calls


def ratio(one: Action, other: Action, *, calls: int = 1, rounds: int = 15) -> float:
    """Return the time of `one` over the time of `other`: the best rounds, taken in turn."""
    one()
    other()
    pairs = [(best(one, calls), best(other, calls)) for _ in range(rounds)]
    return min(a for a, _ in pairs) / min(b for _, b in pairs)


def until(enough: Callable[[float], bool], measure: Callable[[], float]) -> float:
    """Measure once, or again if the machine may have disturbed the measurement.

    One that is not enough is taken again, in another process or with other memory, some times.
    """
    for _ in range(TRIES):
        found = measure()
        if enough(found):
            break
    return found


def in_a_process_of_its_own(program: Callable[[], float]) -> float:
    """Run a function of a bench in a process that no other test has shaped.

    Arrays of some megabytes cost page faults or none, by what was freed before; a call of 100 ns
    costs more among the objects and the type caches of a thousand tests.
    """
    support = Path(__file__).parent
    tests = support.parent
    homes = [str(support), str(tests), str(tests / "bench"), os.environ.get("PYTHONPATH", "")]
    home = program.__module__.rpartition(".")[2]
    code = f"import {home} as of; print(of.{program.__name__}())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, homes))}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command,
        env=environment,
        cwd=support,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return float(done.stdout)
