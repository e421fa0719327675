"""FRAMEJIT_DEBUG=tier_everywhere: random decisions on captures and on entering gates.

Tests use it: no decision on when a function is compiled may change what it computes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...jit.config import SETTINGS, debug_mode

if TYPE_CHECKING:
    from random import Random

IS_ON = debug_mode("tier_everywhere")
_random: Random | None = None
"""The generator; None until begin(), so that only this mode imports `random`."""


def seed() -> int:
    """Return the seed of the process: FRAMEJIT_SEED, or a random one, which is printed."""
    from random import Random

    given = int(SETTINGS["seed"])
    made = given or Random().getrandbits(31) | 1
    if not given:
        print(f"framejit: tier_everywhere with FRAMEJIT_SEED={made}", file=sys.stderr)
    return made


def begin(seed_: int) -> None:
    """Start the same sequence of decisions as before with this seed."""
    global _random
    from random import Random

    _random = Random(seed_)


def declines() -> bool:
    """True at random in this mode, for half of the captures and gates; else False."""
    return IS_ON and _random is not None and _random.random() < 0.5
