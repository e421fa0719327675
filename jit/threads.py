"""How many threads share the work of kernels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from .config import Options, debug_mode
from .cores import cores

if TYPE_CHECKING:
    from .native import Entry

EVERYWHERE = debug_mode("threads_everywhere")
"""For tests: threads share all loops that they may."""
_FOR_TESTS = 3


def share(entry: Entry, options: Options, parallel: int, small: int, releases: bool) -> None:
    """Says how many threads share the loops of an entry, and whether the GIL is released.

    Args:
        entry: of one kernel.
        options: those it is made under.
        parallel: how many of its loops may be shared.
        small: how many might be, had its arrays been larger at capture.
        releases: whether long ones run without the GIL.
    """
    if parallel:
        entry.threads = threads_of(options)
        entry.releases = releases
    elif small and threads_of(options) > 1:
        entry.grows = 1


def threads_of(options: Options) -> int:
    """For kernels under these options: what they say, else one for each core."""
    return options.threads or _default()


@cache
def _default() -> int:
    return _FOR_TESTS if EVERYWHERE else max(1, min([int(cores()), *_limits()]))


def _limits() -> Iterator[int]:
    """What OMP_NUM_THREADS says, which schedulers of many processes set for all libraries."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # by level of nesting
    if first.isdecimal() and int(first) > 0:
        yield int(first)
