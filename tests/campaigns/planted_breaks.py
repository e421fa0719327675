"""Random programs with planted graph breaks: what reports miss, invent, tell twice or miscount.

python tests/campaigns/planted_breaks.py COUNT [SEED] [--backend numpy]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

from planted import faults, program


def main() -> int:
    """Prints each fault and a line of counts; the exit code is 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--backend", default="numpy")
    chosen = parser.parse_args()
    found: Counter[str] = Counter()
    planted = 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        planted += len(program(seed).planted)
        for fault in faults(seed, chosen.backend):
            print(fault, flush=True)
            found[fault.partition(":")[0]] += 1
    print(f"{chosen.count} programs, {planted} planted breaks: {dict(found) or 'no fault'}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
