"""Which functions were captured in this process: they are put down when it ends."""

from __future__ import annotations

import atexit
import os
import sys
from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakSet

from ...jit import native
from ...jit.config import SETTINGS, debug_mode
from ...jit.interrupts import meant_for_program
from ...jit.log import tell
from ..runtime import bodies
from ..runtime.accounts import ACCOUNT
from .place import folder

if TYPE_CHECKING:
    from ..function import Manager

_OPTIMISED = 0x01
"""The flag of code that has variables of its own: bodies of modules have not."""
_captured: WeakSet[Manager] = WeakSet()
put_down: dict[str, int] = {}
"""By the names of the files that were written in this process, how many entries are in them."""


def note(manager: Manager) -> None:
    """The function has a new entry."""
    if not manager.frozen and SETTINGS["entries"] and folder() is not None:
        _captured.add(manager)
        hold_body(manager)
        _at_exit()


def hold_body(manager: Manager) -> None:
    """Keeps the body of the main module: see bodies.py."""
    function = manager.function
    is_body = not function.__code__.co_flags & _OPTIMISED
    if is_body and function.__globals__ is vars(sys.modules.get("__main__", sys)):
        bodies.hold(native.owner(manager))


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
    return sum(map(_write, [*_captured]))


def _write(manager: Manager) -> bool:
    from .writing import write

    try:
        written = write(manager) if hasattr(manager, "function") else None
    except Exception as error:
        heard = meant_for_program(error)
        if heard is not None:
            raise heard from None
        if debug_mode("strict"):
            raise
        tell(f"met an error of framejit itself, and does not keep entries: {error!r}")
        return False
    if written is None:
        return False
    put_down.update([written])
    if manager.site is not None:
        manager.site.is_kept = True
    return True
