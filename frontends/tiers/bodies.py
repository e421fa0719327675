"""Keeps the body of the main module alive until the process ends.

The owner of its captures would otherwise die with its frame, before its entries and the time that
they saved are written at exit. It holds the variables of the main module, which live as long.
"""

from __future__ import annotations

import atexit

_owners: set[object] = set()
_begun: list[bool] = []


def begin() -> None:
    """Register the release, under `run`.

    It is registered before all other exit handlers, so it is called after them.
    """
    _begun.append(True)
    atexit.register(_owners.clear)


def hold(owner: object) -> None:
    """Keep an object until the exit handlers have run, before the interpreter clears modules."""
    if _begun:
        _owners.add(owner)
