"""The hostile modes as the suite sees them: in force or not, seed, counts, floors.

    FRAMEJIT_DEBUG=exit0_everywhere FRAMEJIT_TEST_SEED=7 python -m pytest tests/ladder

Each test starts with a seed made of the session's and its own name: so one test alone declines the
same calls as in the run that failed. FRAMEJIT_TEST_FLOORS=1/4 fails a run that forced too little
for a quarter of the tests.
"""

from __future__ import annotations

import os
import sys
import zlib
from fractions import Fraction
from typing import Any, Final

HOSTILE: Final = tuple(
    word for word in os.environ.get("FRAMEJIT_DEBUG", "").split(",") if word.endswith("_everywhere")
)
"""The modes in force."""

# Taken out of the environment: framejit warns about FRAMEJIT_ names that it does not know.
SEED: Final = int(os.environ.pop("FRAMEJIT_TEST_SEED", "") or int.from_bytes(os.urandom(3)))
"""Of the session."""
PART: Final = Fraction(os.environ.pop("FRAMEJIT_TEST_FLOORS", "") or 0)
"""Which part of what `.ci/run` takes for a mode, in all its turns, is run; 0: no floors hold."""

FLOORS: Final[dict[tuple[str, ...], dict[str, int]]] = {
    ("stub_everywhere",): {"stubs": 75_000, "exits": 60_000},
    ("exit0_everywhere",): {"stubs": 11_000, "exits": 1_700, "declined": 7_000},
    ("bail_everywhere",): {"stubs": 22_000, "bails": 5_500},
    ("stub_everywhere", "exit0_everywhere"): {
        "stubs": 70_000, "exits": 25_000, "declined": 35_000,
    },
}  # fmt: skip
"""About a quarter of what the tests of a version count together, of what the mode forces: under
bail_everywhere stubs leave only by exits of the programs' own."""


def seed_test(name: str) -> None:
    """Tosses of exit0_everywhere begin anew; no test depends on those before it."""
    from framejit.jit import native

    seed = zlib.crc32(name.encode(), SEED & 0xFFFFFFFF) + 1
    native.set_hostile(
        seed * ("exit0_everywhere" in HOSTILE),
        "bail_everywhere" in HOSTILE,
    )


def counts() -> dict[str, int]:
    """What the modes have forced so far in this process."""
    native: Any = sys.modules.get("framejit.jit.native")
    names = ("stubs", "exits", "declined", "bails")
    return native.hostile_counts() if native else dict.fromkeys(names, 0)


def shortfalls(counted: dict[str, int]) -> list[str]:
    """Each floor that the counts do not reach."""
    return [
        f"{counted[name]} {name}, the floor is {int(floor * PART)}"
        for name, floor in FLOORS.get(HOSTILE, {}).items()
        if counted[name] < floor * PART
    ]


def summary(left_out: int) -> list[str]:
    """What a hostile session ran under, and what came of it."""
    counted = counts()
    numbers = ", ".join(f"{count} {name}" for name, count in counted.items())
    lines = [
        f"hostile: {', '.join(HOSTILE)}; seed {SEED} (FRAMEJIT_TEST_SEED)",
        f"  {numbers}",
        f"  {left_out} tests were left out: they count what the normal mode does",
    ]
    return lines + [f"  TOO FEW: {line}" for line in shortfalls(counted)]
