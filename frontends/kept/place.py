"""Folder and file names of stored entries."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from ...jit.config import SETTINGS, Options
from ...jit.digests import digest256
from ...jit.disk import Folder, cache_home
from ...jit.shared import SharedFolder, readable
from .facts import digest_of_facts
from .fingerprints import NoFingerprintError, fingerprint

if TYPE_CHECKING:
    from ..runtime.function import Manager


FOLDER = "entries"
"""Folder of the entries in the cache folder."""
why_not: Counter[str] = Counter()
"""Counts of reasons why entries of this process were not stored."""
store_alike: Callable[[Manager], object] | None = None
"""Stores other functions of the same `def`, before a function looks for entries. `at_exit.py` sets
it when the first capture imports that; before there is nothing to store."""


def kept_in(home: str) -> Folder:
    """Return the folder of entries in a cache folder."""
    return Folder(os.path.join(home, FOLDER), silent=True)


def _is_on() -> bool:
    return bool(SETTINGS["entries"] and SETTINGS["cache"])


@cache
def folder() -> Folder | None:
    """Return the folder that entries are written to; None if none are."""
    home = cache_home()
    return kept_in(home) if home and _is_on() else None


def folders() -> tuple[Folder | SharedFolder, ...]:
    """Return the folders that are searched: the one above, then the read-only ones."""
    return readable(folder(), FOLDER) if _is_on() else ()


def name_of(manager: Manager) -> str | None:
    """Return the file name of a function; None if it cannot be stored.

    Functions with equal code share a file: its names start from the function.
    """
    facts = digest_of_facts(folder()) if folders() else None
    if facts is None:
        return None
    try:
        code = fingerprint(manager.function.__code__)
    except NoFingerprintError:
        return None
    way = (type(manager).__name__, sorted(manager.overrides.items()))
    return digest256(f"{facts} {code} {way!r}".encode()).hexdigest()


def contents_for(manager: Manager) -> Iterator[bytes]:
    """Yield what is stored for a function, in the order in which folders are searched."""
    name = name_of(manager)
    if name is not None:
        for where in folders():
            content = where.read(name)
            if content is not None:
                yield content


def are_kept(options: Options) -> bool:
    """True if entries made under these options may be stored."""
    return (
        options.backend == "numba" and options.cache and not (options.verify or options.fullgraph)
    )
