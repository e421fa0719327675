"""Measures the depth of recursion without framejit, under @jit and under capture().

    python tests/campaigns/depths.py [LIMIT ...] [-- PROGRAM ...]

A row for each program and recursion limit: the depths reached in three rounds in each way, or the
signal that ended the process. Rows in which another way differs from eager end with a star.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

from recursing import PROGRAMS, depths

WAYS = ("eager", "jit", "capture")


def main() -> int:
    """Prints the table; how many rows differ."""
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    limits = [int(word) for word in words[:split]] or [1000, 3000, 10_000, 100_000, 1_000_000]
    wrong = 0
    print(f"{sys.version.split()[0]:14} {'limit':>8}  " + "".join(f"{way:26}" for way in WAYS))
    for name in words[split + 1 :] or PROGRAMS:
        for limit in limits:
            found = {way: depths([name], way, limit)[name] for way in WAYS}
            differs = any(one != found["eager"] for one in found.values())
            crashed = "SIG" in "".join(found["eager"])
            wrong += differs and not crashed
            cells = "".join(f"{' '.join(one)[:40]:26}" for one in found.values())
            print(f"{name:14} {limit:8}  {cells}{'*' if differs else ''}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main() != 0)
