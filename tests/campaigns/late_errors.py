"""Errors at random iterations of loops in kernels: the state that is left is eager's.

    python tests/campaigns/late_errors.py COUNT [SEED] [NAME ...] [--often N] [--iterations N]
    python tests/campaigns/late_errors.py COUNT [SEED] --random

A line for each program of tests/support/late_errors.py; or COUNT programs of
tests/support/random_loops.py with six errors each. The loops poll after N
iterations (8), and have so many at most (400).
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

from halting import polled_often
from late_errors import PROGRAMS, Program, differing, differing_of
from random_loops import random_loop


def main() -> int:
    """Prints a line a program; the exit code is 1 if something differed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []])
    parser.add_argument("--often", type=int, default=8)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--random", action="store_true")
    chosen = parser.parse_args()
    if chosen.random:
        return of_random_loops(chosen.count, chosen.seed, chosen.often, chosen.iterations)
    names = chosen.names or [*PROGRAMS]
    each, wrong = -(-chosen.count // len(names)), 0
    with polled_often(chosen.often):
        for name in names:
            found, late = differing(name, each, chosen.seed, chosen.iterations)
            wrong += len(found)
            print(f"{name:18} {each} errors, {late} late bails, {len(found)} differ", flush=True)
            print("".join(f"  {one}\n" for one in found[:5]), end="")
    print(f"{each * len(names)} errors, {wrong} that leave something else than eager")
    return int(bool(wrong))


def of_random_loops(count: int, seed: int, often: int, iterations: int) -> int:
    """The same for random programs."""
    wrong = bails = 0
    for number in range(seed, seed + count):
        function, text = random_loop(number)
        with polled_often(often):
            found, late = differing_of(Program(function), str(number), 6, number, iterations)
        if found:
            print(text, *found[:2], sep="\n", flush=True)
        wrong, bails = wrong + len(found), bails + late
    print(f"{count} programs, {bails} late bails, {wrong} errors leave something else than eager")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
