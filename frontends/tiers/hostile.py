"""The hostile modes of FRAMEJIT_DEBUG: rare paths are taken all the time, reproducibly."""

from __future__ import annotations

from ...jit.config import SETTINGS, debug_mode
from ...jit.native import set_hostile, set_trials, share_everywhere
from ...jit.threads import EVERYWHERE
from . import random_decisions

EXIT0_SEED = 2003
"""Seed by which processes decline the same calls; the test suite sets its own."""


def start() -> None:
    """Enable the modes that the environment names."""
    if random_decisions.IS_ON:
        random_decisions.begin(random_decisions.seed())
    if any(map(debug_mode, ("exit0_everywhere", "bail_everywhere", "tier_everywhere"))):
        declines = debug_mode("exit0_everywhere") or random_decisions.IS_ON
        set_hostile((SETTINGS["seed"] or EXIT0_SEED) * declines, debug_mode("bail_everywhere"))
    share_everywhere(EVERYWHERE)
    if SETTINGS["debug"]:
        set_trials(False)  # explained runs must not vary
