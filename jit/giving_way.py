"""What processes do that work beside a program: its time and memory come first."""

from __future__ import annotations

import os
import resource
from contextlib import suppress

NICENESS = 5
"""Enough to give way; with more, kernels would wait long on a machine whose cores are all busy."""
OOM_SCORE = 500
"""Of 1000: the system ends such a process rather than the program, which then does it itself."""


def give_way() -> None:
    """To the end of this process, which leaves no core file either."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # Each session may be a group of its own for the scheduler; then niceness counts within it only.
    for file, value in (("oom_score_adj", OOM_SCORE), ("autogroup", NICENESS)):
        with suppress(OSError), open(f"/proc/self/{file}", "w") as setting:
            setting.write(str(value))
