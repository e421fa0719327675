"""Collects the functions captured in this process and stores their entries when it ends.

A function is stored earlier if it dies after many calls, or as the second one of its `def`; or if
another function of the same `def` is called, which may use its entries; at once if it came out of a
pickle.
"""

from __future__ import annotations

import atexit
import os
import sys
from functools import cache
from time import thread_time
from types import CodeType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from ...jit import native
from ...jit.config import SETTINGS, debug_mode
from ...jit.interrupts import meant_for_program
from ...jit.log import log, tell
from ..tiers import bodies
from ..tiers.accounts import ACCOUNT
from . import place
from .place import folder

if TYPE_CHECKING:
    from ..runtime.function import Manager

OFTEN = 16
"""Minimum number of calls by entries that makes a dying function worth storing."""
RECURRING = 2
"""Number of functions of one `def` that have to die with entries for the same. Comprehensions of
3.11 are functions, made anew each time that they run."""
MOST_LOOKED_AT = 200
"""With more captured functions than this, no other one of the same `def` is looked for."""
_captured: WeakSet[Manager] = WeakSet()
_of_defs: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
"""Number of entries per `def` that were stored before the end of the process."""
_died: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
"""Number of functions with entries that have died, per `def`."""
_OPTIMISED = 0x01
"""The flag of code with fast locals, which bodies of modules lack."""
put_down: dict[str, int] = {}
"""Number of entries in each file that this process wrote, by file name."""


def note(manager: Manager) -> None:
    """Record that a function has a new entry, or is being captured, maybe in vain."""
    if not manager.frozen and SETTINGS["entries"] and folder() is not None:
        _captured.add(manager)
        hold_body(manager)
        _at_exit()


def hold_body(manager: Manager) -> None:
    """Keep the body of the main module alive; see bodies.py."""
    function = manager.function
    is_body = not function.__code__.co_flags & _OPTIMISED
    if is_body and function.__globals__ is vars(sys.modules.get("__main__", sys)):
        bodies.hold(native.owner(manager))


@cache
def _at_exit() -> None:
    """Register the storing at exit for this process, and for none that it forks."""
    atexit.register(_write_all, os.getpid())


def _write_all(process: int) -> None:
    if os.getpid() == process:
        with ACCOUNT.charged():
            write_all()


def write_all() -> int:
    """Store everything captured so far; return the number of functions."""
    return sum(map(put_down_now, [*_captured]))


def put_down_alike(manager: Manager) -> None:
    """Store other functions of the same `def`, before a function looks for entries."""
    if len(_captured) > MOST_LOOKED_AT:
        return
    for other in [*_captured]:
        if other is not manager and _is_alike(other, manager):
            put_down_new(other)


place.store_alike = put_down_alike


def _is_alike(other: Manager, manager: Manager) -> bool:
    """True if the entries of one function may serve another. `other` may be dying."""
    function = getattr(other, "function", None)
    is_of_def = function is not None and function.__code__ is manager.function.__code__
    return is_of_def and other.overrides == manager.overrides


def put_down_dying(manager: Manager) -> None:
    """Store a dying function with entries for others of its `def` if it was called often.

    Or if it is not the first of them: the only call of a comprehension is that in which its entries
    are made, so that it uses none.
    """
    if manager not in _captured:
        return
    hits = sum(one.native.hits for one in manager.entries if one.native is not None)
    code = manager.function.__code__
    _died[code] = _died.get(code, 0) + 1
    if hits >= OFTEN or _died[code] >= RECURRING:
        put_down_new(manager)


def put_down_new(manager: Manager) -> None:
    """Puts down what a function has that none of its `def` has put down so far."""
    code, count = manager.function.__code__, len(manager.entries)
    if _of_defs.get(code, 0) < count:
        _of_defs[code] = count
        with ACCOUNT.charged():
            put_down_now(manager)


def put_down_now(manager: Manager) -> bool:
    """Store the entries of a function that can be stored; False if none can."""
    from .writing import write

    began = thread_time()
    try:
        written = write(manager) if hasattr(manager, "function") else None
    except Exception as error:
        for_program = meant_for_program(error)
        if for_program is not None:
            raise for_program from None
        if debug_mode("strict"):
            raise
        tell(f"met an error of framejit itself, and does not keep entries: {error!r}")
        return False
    if written is None:
        return False
    if written[1]:
        put_down.update([written])
    took = (thread_time() - began) * 1e3
    log("tiers", "%s: put down for later processes in %.1f ms", manager.journal.function, took)
    if manager.site is not None:
        manager.site.is_kept = True
    return True
