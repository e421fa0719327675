"""FRAMEJIT_DEBUG=tier_everywhere: whether code is captured, and entered at gates, is tossed.

For tests: nothing that decides when a function is compiled may change what it computes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...jit.config import SETTINGS, debug_mode

if TYPE_CHECKING:
    from random import Random

IS_ON = debug_mode("tier_everywhere")
_random: Random | None = None
"""What tosses; nobody else waits for the module."""


def seed() -> int:
    """That of the process: FRAMEJIT_SEED, or a new one, which is printed."""
    from random import Random

    given = int(SETTINGS["seed"])
    made = given or Random().getrandbits(31) | 1
    if not given:
        print(f"framejit: tier_everywhere with FRAMEJIT_SEED={made}", file=sys.stderr)
    return made


def begin(seed_: int) -> None:
    """The same tosses from now on as whenever they began with this seed."""
    global _random
    from random import Random

    _random = Random(seed_)


def declines() -> bool:
    """True, in this mode, for half of what is asked."""
    return IS_ON and _random is not None and _random.random() < 0.5
