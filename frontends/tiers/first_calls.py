"""With compile="auto": the call at which a function is captured; those before run as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .accounts import ACCOUNT

if TYPE_CHECKING:
    from ..runtime.function import Manager

CALLS = 2
"""The call of a function at which it is captured."""
TINY_CALLS = 64
"""The same where all arrays have at most one item: so dask asks for the types of results, once or
twice for each use of a function. Arrays of the length 1 need a kernel of their own."""
MOST_RESTS = 64
"""Calls between two looks whether a capture may be made by now."""


def may_capture_now(manager: Manager, live: Iterable[Any]) -> bool:
    """False at first calls, and while framejit has taken its share of the time.

    Args:
        manager: of the function.
        live: the arguments of the call.
    """
    assert manager.dispatcher is not None
    site = manager.site
    allowed = ACCOUNT.allowed_inside() > 0 if site is None else site.may_capture()
    if not allowed:
        manager.rests = min(2 * manager.rests + 1, MOST_RESTS)
        manager.dispatcher._rest = manager.rests
        return False
    # A task of dask brings a function of its own: so many of its code came before.
    calls = max(manager.calls, manager.unpickled)
    if calls < CALLS and not manager.entries:
        return False
    if site is None and manager.calls < TINY_CALLS and _are_tiny(live):
        return False
    manager.rests = 0
    return True


def _are_tiny(live: Iterable[Any]) -> bool:
    arrays = [one for one in live if isinstance(one, np.ndarray)]
    return bool(arrays) and all(one.size <= 1 for one in arrays)
