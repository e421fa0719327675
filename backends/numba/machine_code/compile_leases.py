"""Leases, so that of the processes that share a folder of machine code one compiles each text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic, sleep

from ....jit.digests import digest256
from ....jit.disk import Folder
from ....jit.leases import Leases
from . import stored

LEASE_LIMIT = 60.0
"""Seconds after which a helper compiles a text although another process holds its lease, as that
process may have been stopped."""
LIMIT = 15.0
"""The same for a process whose user waits for the kernel."""
PAUSE = 0.01
"""Seconds between two attempts to take the lease."""


def leases() -> Leases | None:
    """Return the leases of the folder of machine code; None if nothing is kept."""
    kernels = stored.folder()
    return None if kernels is None else _leases_beside(kernels.path)


@cache
def _leases_beside(kernels: str) -> Leases:
    return Leases(Folder(os.path.join(os.path.dirname(kernels), "statistics"), silent=True))


def key_of(text: str) -> str:
    """Return the key under which a lease of a text is taken."""
    return digest256(text.encode()).hexdigest()


@contextmanager
def lease(text: str) -> Iterator[bool]:
    """Wait for the lease of a text; yield True if another process has stored its machine code."""
    all_, key, began = leases(), key_of(text), monotonic()
    if all_ is None:
        yield False
        return
    is_ours = all_.take(key)
    while not is_ours and monotonic() - began < LIMIT:
        sleep(PAUSE)
        is_ours = all_.take(key)
    try:
        yield stored.content_of(text) is not None
    finally:
        if is_ours:
            all_.give_back(key)
