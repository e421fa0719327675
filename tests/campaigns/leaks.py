"""What calls and captures leave behind: slopes of memory, in blocks and bytes a step.

    python tests/campaigns/leaks.py [calls=N] [captures=N] [backend=numpy|numba] [NAME ...]

A row for each program of tests/leaking.py: allocated blocks and resident bytes a step, as the mean
and the largest and smallest of five windows, and types of which there are more objects than before.
Ends with the number of programs that leave blocks behind.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from leaking import CALLS, CAPTURES, slope

WINDOWS = 5
ALLOWED = {"calls": 0.001, "captures": 0.05}
"""Blocks a step in the last window: what caches of Python's own come to."""


def _cell(values: list[float], digits: int) -> str:
    mean = sum(values) / len(values)
    return f"{mean:10.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def main() -> int:
    """Prints the table; whether something leaks."""
    given = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
    names = [word for word in sys.argv[1:] if "=" not in word]
    backend = given.get("backend", "numpy")
    kinds = {"calls": (CALLS, 1_000_000), "captures": (CAPTURES, 10_000)}
    leaks = 0
    print(f"Python {sys.version.split()[0]}, backend {backend}, {WINDOWS} windows")
    for kind, (programs, default) in kinds.items():
        total = int(given.get(kind, default))
        print(f"{total} {kind:29} {'blocks a step':34} {'bytes a step':34} time, objects left")
        for name, make in programs.items():
            if total == 0 or (names and name not in names):
                continue
            start = time.perf_counter()
            found = slope(make(backend), max(total // WINDOWS, 1), WINDOWS)
            leak = found.blocks[-1] > ALLOWED[kind]
            leaks += leak
            took = time.perf_counter() - start
            cells = f"{_cell(found.blocks, 4):34} {_cell(found.bytes, 2):34}"
            print(
                f"{name:36} {cells} {took:.0f} s {found.kinds}{' LEAK' if leak else ''}", flush=True
            )
    print(f"{leaks} leak")
    return int(leaks > 0)


if __name__ == "__main__":
    sys.exit(main())
