"""Who is told of functions that die while a report is being kept; without one nothing is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..function import Manager
    from ..undecorated.seen import Seen

KEEPERS: list[Seen] = []
"""Reports that are being kept."""


def keep(manager: Manager) -> None:
    """A function that was captured is about to die: takes down what is known of it."""
    if KEEPERS:
        from ..undecorated.seen import take_down

        take_down(manager)
