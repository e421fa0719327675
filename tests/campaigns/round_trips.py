"""Graphs of programs that a seed writes, to text and back.

    python tests/campaigns/round_trips.py COUNT [SEED]

So many programs of each kind run on the numpy backend; each graph that is captured, after each
pass, has to come back from its text. Exits with 1 at the first that does not.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("FRAMEJIT_DEBUG", "strict")
os.environ.setdefault("FRAMEJIT_COMPILE", "now")
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fuzzing import KINDS, Fuzzer
from reading_back import all_graphs_round_trip


def main(count: int, seed: str = "") -> None:
    """Runs the programs."""
    warnings.simplefilter("ignore")
    for kind, write in KINDS.items():
        with all_graphs_round_trip() as captured:
            tally = Fuzzer(write, ("numpy",)).run(count, seed)
        print(f"{kind}: {tally.programs} programs, {len(captured)} graphs", flush=True)
        if tally.differing:
            sys.exit("\n\n".join(tally.differing))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
