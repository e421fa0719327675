"""Lowers the priority of processes that work beside a program."""

from __future__ import annotations

import os
import resource
from contextlib import suppress

NICENESS = 5
"""Increment that lets the program go first; more would delay kernels on a fully loaded machine."""
LAST = 10
"""Increment for work that the program does not wait for: threads of a BLAS, which wait for each
other in loops, lose more than the share of a core that somebody else takes. With 19 it would never
come to an end on a machine whose cores are busy."""
OOM_SCORE = 500
"""Score of 1000 at most: out of memory, the kernel kills this process and not the program."""


def give_way(niceness: int = NICENESS) -> None:
    """Lower this process's priority for good, and disable core files."""
    os.nice(niceness)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # With autogroups each session is scheduled separately, and niceness counts only within its
    # group.
    for file, value in (("oom_score_adj", OOM_SCORE), ("autogroup", niceness)):
        with suppress(OSError), open(f"/proc/self/{file}", "w") as setting:
            setting.write(str(value))
