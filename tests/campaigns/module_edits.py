"""Random modules, edited at random between two processes: answers are those of plain Python.

    python tests/campaigns/module_edits.py [--modules 100] [--edits 8] [--seed N]

Each module runs once, so that its entries are kept; then one thing in it is edited, and it runs
again with what was kept. Prints each module that answers otherwise; ends with 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from edited_modules import differing


def main() -> int:
    """Runs modules; 1 if one of them answers otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=int, default=100)
    parser.add_argument("--edits", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    failures = kept = 0
    for seed in range(asked.seed, asked.seed + asked.modules):
        wrong, back = differing(seed, asked.edits)
        kept += back
        for text in wrong:
            failures += 1
            print(text, flush=True)
    print(
        f"{asked.modules} modules, {asked.edits} edits each: {kept} entries brought back, "
        f"{failures} wrong"
    )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
