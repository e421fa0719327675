"""Measures the memory that calls and captures leave behind, in blocks and bytes a step.

    python tests/campaigns/leaks.py [--calls N] [--captures N] [--backend NAME] [PROGRAM ...]

A row for each program of tests/support/leaking/: allocated blocks and resident bytes a step, as the
mean and the largest and smallest of five windows, and types of which there are more objects than
before.
Ends with the number of programs that leave blocks behind.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

from leaking import CALLS, CAPTURES, slope

WINDOWS = 5
NOISE = 100
"""Blocks of one window: what caches of Python's own come to."""


def _cell(values: list[float], digits: int) -> str:
    mean = sum(values) / len(values)
    return f"{mean:10.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--captures", type=int, default=10_000, metavar="N")
    parser.add_argument("--backend", default="numpy", choices=("numpy", "numba"))
    # argparse would compare no words at all, the default, with the choices.
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="by default all")
    chosen = parser.parse_args()
    if unknown := sorted({*chosen.programs} - {*CALLS, *CAPTURES}):
        parser.error(f"no program {unknown[0]!r}; there are: {', '.join([*CALLS, *CAPTURES])}")
    return chosen


def main() -> int:
    """Prints the table; whether something leaks."""
    chosen = options()
    kinds = {"calls": (CALLS, chosen.calls), "captures": (CAPTURES, chosen.captures)}
    leaks = 0
    print(f"Python {sys.version.split()[0]}, backend {chosen.backend}, {WINDOWS} windows")
    for kind, (programs, total) in kinds.items():
        print(f"{total} {kind:29} {'blocks a step':34} {'bytes a step':34} time, objects left")
        for name, make in programs.items():
            if total == 0 or (chosen.programs and name not in chosen.programs):
                continue
            start = time.perf_counter()
            number = max(total // WINDOWS, 1)
            found = slope(make(chosen.backend), number, WINDOWS)
            leak = found.blocks[-1] * number > NOISE
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
