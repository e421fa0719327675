"""Registry of the reports being recorded, which want the facts of dying functions.

Nothing is imported while there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    from ..runtime.function import Manager
    from ..undecorated.seen import Seen

KEEPERS: list[Seen] = []
"""Reports that are being kept."""
DECORATED: WeakSet[Manager] = WeakSet()
"""Functions that somebody has decorated: reports of whole programs tell of them too."""


def keep(manager: Manager) -> None:
    """Save the facts on a captured function that is about to die."""
    if KEEPERS:
        from ..undecorated.seen import take_down

        take_down(manager)
