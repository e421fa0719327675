"""Which functions were captured in this process: they are put down when it ends."""

from __future__ import annotations

import atexit
import os
from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakSet

from ...jit.config import SETTINGS, debug_mode
from ...jit.interrupts import meant_for_program
from ...jit.log import tell
from ..runtime.accounts import ACCOUNT
from .place import folder

if TYPE_CHECKING:
    from ..function import Manager

_captured: WeakSet[Manager] = WeakSet()


def note(manager: Manager) -> None:
    """The function has a new entry."""
    if not manager.frozen and SETTINGS["entries"] and folder() is not None:
        _captured.add(manager)
        _at_exit()


@cache
def _at_exit() -> None:
    """Has them put down by this process, and by none that it forks."""
    atexit.register(_write_all, os.getpid())


def _write_all(process: int) -> None:
    if os.getpid() == process:
        with ACCOUNT.charged():
            write_all()


def write_all() -> int:
    """Puts down what was captured so far; how many functions."""
    from .writing import write

    count = 0
    for manager in [*_captured]:
        try:
            if hasattr(manager, "function") and write(manager):
                count += 1
                if manager.site is not None:
                    manager.site.is_kept = True
        except Exception as error:
            heard = meant_for_program(error)
            if heard is not None:
                raise heard from None
            if debug_mode("strict"):
                raise
            tell(f"met an error of framejit itself, and does not keep entries: {error!r}")
    return count
