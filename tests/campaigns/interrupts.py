"""Ctrl-C at any moment of loops in kernels: what is left is a state that eager could have left.

    python tests/campaigns/interrupts.py COUNT [SEED] [NAME ...]

A line for each program of tests/support/interrupting.py. A halt may lose the iterations of 50 ms of
CPU time, no more.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

from interrupting import LOST, PROGRAMS, interrupted


def main() -> int:
    """Prints a line a program; the exit code is 1 if something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []])
    chosen = parser.parse_args()
    wrong, late = interrupted(chosen.count, chosen.seed, chosen.names or [*PROGRAMS])
    print(f"{wrong} states that eager cannot leave, {late} with more than {LOST * 1e3:.0f} ms lost")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
