"""Facts on functions that are about to die, for the reports being recorded.

Nothing is imported while there is no such report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from ...jit import native

if TYPE_CHECKING:
    from ...jit.report import Facts
    from ..runtime.function import Manager
    from ..undecorated.seen import Seen

Key = tuple[str, str, int]
"""File, qualified name and first line of a code object."""

KEEPERS: list[Seen] = []
"""Reports that are being kept."""
DECORATED: WeakSet[Manager] = WeakSet()
"""Functions that somebody has decorated: reports of whole programs tell of them too."""


def keep(manager: Manager) -> None:
    """Save the facts on a captured function that is about to die.

    Not by `vars(manager)`: a dict created during garbage collection would hold all that is about to
    be freed.
    """
    keepers = [one for one in KEEPERS if manager.hooked or one.tells_of_decorated]
    if not (keepers and hasattr(manager, "function")):
        return
    decorated, manager.hooked = not manager.hooked, False  # it is asked for once
    native.engine_enter()
    try:
        one = known_of(manager)
    finally:
        native.engine_leave()
    if one is not None:
        for keeper in keepers:
            if keeper.has_seen(manager):
                keeper.note_dead(*one, decorated=decorated)


def known_of(manager: Manager) -> tuple[Key, Facts] | None:
    """Return the facts on a function; None if the garbage collector has cleared it."""
    try:
        return _key_of(manager), facts_of(manager)
    except AttributeError:
        return None


def _key_of(manager: Manager) -> Key:
    """Return the place of a function's code."""
    code = manager.function.__code__
    return code.co_filename, code.co_qualname, code.co_firstlineno


def facts_of(manager: Manager) -> Facts:
    """Return the facts on a living function."""
    from .facts import facts

    assert manager.dispatcher is not None
    return facts(manager, manager.dispatcher)
