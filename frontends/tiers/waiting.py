"""Actions that wait until the account of the process, or the time of a site, allows them."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from ...jit import native

_attempts: list[WeakMethod[Callable[[], bool]]] = []
"""Methods that return True when they are done."""


def wait(attempt: WeakMethod[Callable[[], bool]]) -> None:
    """Call a method at samples until it returns True or its object has died."""
    _attempts.append(attempt)
    native.sample_eagerly(True)


def try_again() -> None:
    """Call the waiting methods; called at each sample."""
    if _attempts:
        _attempts[:] = [one for one in _attempts if (method := one()) is not None and not method()]
        if not _attempts:
            native.sample_eagerly(False)
