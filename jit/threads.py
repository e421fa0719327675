"""The number of threads that share the loops of a kernel."""

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
"""Test mode: threads share every loop that may be shared."""
_FOR_TESTS = 3


def share(entry: Entry, options: Options, parallel: int, small: int, releases: bool) -> None:
    """Set how many threads share the loops of an entry, and if the GIL is released.

    Args:
        entry: the entry of one kernel.
        options: the options it is compiled under.
        parallel: number of its loops that may be shared.
        small: number of loops that might be, had its arrays been larger at capture.
        releases: true if long loops run without the GIL.
    """
    if parallel:
        entry.threads = threads_of(options)
        entry.releases = releases
    elif small and threads_of(options) > 1:
        entry.grows = 1


def threads_of(options: Options) -> int:
    """Return the number of threads under these options: as set, else one per core."""
    return options.threads or _default()


@cache
def _default() -> int:
    return _FOR_TESTS if EVERYWHERE else max(1, min([int(cores()), *_limits()]))


def _limits() -> Iterator[int]:
    """Yield the limit of OMP_NUM_THREADS, by which schedulers divide cores among processes."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # a list by nesting level
    if first.isdecimal() and int(first) > 0:
        yield int(first)
