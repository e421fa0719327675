"""Where what is kept of functions stands, and under which name."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from ...jit.config import SETTINGS, Options
from ...jit.disk import Folder, cache_home
from ...jit.shared import SharedFolder, readable
from .facts import digest_of_facts
from .fingerprints import NoFingerprintError, fingerprint

if TYPE_CHECKING:
    from ..function import Manager


FOLDER = "entries"
"""The folder of what is kept, in that of the cache."""


def kept_in(home: str) -> Folder:
    """The folder of what is kept, in the folder of the cache."""
    return Folder(os.path.join(home, FOLDER), silent=True)


def _is_on() -> bool:
    return bool(SETTINGS["entries"] and SETTINGS["cache"])


@cache
def folder() -> Folder | None:
    """The folder of what is kept; None where nothing is."""
    home = cache_home()
    return kept_in(home) if home and _is_on() else None


def folders() -> tuple[Folder | SharedFolder, ...]:
    """Where it is looked for: the folder above, and those that are only read."""
    return readable(folder(), FOLDER) if _is_on() else ()


def name_of(manager: Manager) -> str | None:
    """The name of a function's file; None where the function has none.

    Functions of equal code have one file: objects in it are named as seen from the function.
    """
    facts = digest_of_facts(folder()) if folders() else None
    if facts is None:
        return None
    try:
        code = fingerprint(manager.function.__code__)
    except NoFingerprintError:
        return None
    way = (type(manager).__name__, sorted(manager.overrides.items()))
    return sha256(f"{facts} {code} {way!r}".encode()).hexdigest()


def are_kept(options: Options) -> bool:
    """True if entries that were made under these options may stand on disk."""
    return (
        options.backend == "numba" and options.cache and not (options.verify or options.fullgraph)
    )
