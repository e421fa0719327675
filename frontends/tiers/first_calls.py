"""With compile="auto": the call at which a function is captured; those before run as they are."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from .accounts import ACCOUNT
from .prices import import_price

if TYPE_CHECKING:
    from ..runtime.function import Manager

CALLS = 2
"""The call of a function at which it is captured."""
TINY_CALLS = 64
"""The same if all arrays have at most one item. Dask makes such calls to find the types of results,
one or two for each use of a function, and their lengths would need a kernel of their own."""
MOST_RESTS = 1024
"""Maximum number of calls between two checks if a capture may be made by now."""
BETWEEN = 0.01
"""Seconds between two checks: with as many calls as that, short functions rest between them."""


def is_time_for(manager: Manager, live: Iterable[Any]) -> bool:
    """False at first calls, and while framejit has taken its share of the time.

    Args:
        manager: of the function.
        live: the arguments of the call.
    """
    site = manager.site
    has_time = site is not None or ACCOUNT.allowed_inside() > _price(manager)
    if not has_time or (site is not None and not site.may_capture()):
        rest(manager)
        return False
    # Each task of dask unpickles a function of its own: count all that have this code.
    calls = max(manager.calls, manager.unpickled)
    if calls < CALLS and not manager.entries:
        return False
    return site is not None or manager.calls >= TINY_CALLS or not _are_tiny(live)


def rest(manager: Manager) -> None:
    """Ask for captures less often for a while: the next call that is looked at may be captured.

    Calls of a function without entries run as they are; those of others try the entries.
    """
    assert manager.dispatcher is not None
    now = perf_counter()
    is_soon = now - manager.looked_at < BETWEEN
    manager.rests = min(2 * manager.rests + 1, MOST_RESTS) if is_soon else manager.rests // 2
    manager.looked_at = now
    if manager.entries:
        manager.dispatcher._unasked = manager.rests
    else:
        manager.dispatcher._rest = manager.rests


def _price(manager: Manager) -> float:
    """Return what captures would take once more, in vain or only for this process; else 0."""
    return manager.price and manager.price + import_price()


def _are_tiny(live: Iterable[Any]) -> bool:
    arrays = [one for one in live if isinstance(one, np.ndarray)]
    return bool(arrays) and all(one.size <= 1 for one in arrays)
