"""How many threads share the work of kernels."""

from __future__ import annotations

from functools import cache

from .config import Options, debug_mode
from .cores import cores

EVERYWHERE = debug_mode("threads_everywhere")
"""For tests: threads share all loops that they may."""
_FOR_TESTS = 3


def threads_of(options: Options) -> int:
    """For kernels under these options: what they say, else one for each core."""
    return options.threads or _default()


@cache
def _default() -> int:
    return _FOR_TESTS if EVERYWHERE else max(1, int(cores()))
