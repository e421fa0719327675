"""The body of the main program stays until the process ends.

What owns its captures would die with its frame, and with it what is put down at the end: its
entries, and what they have saved. It holds the variables of the main module, which stay as long.
"""

from __future__ import annotations

import atexit

_held: set[object] = set()
_begun: list[bool] = []


def begin() -> None:
    """Under `run`: who comes before all others here lets go behind all others."""
    _begun.append(True)
    atexit.register(_held.clear)


def hold(owner: object) -> None:
    """To the end of the process, before the interpreter takes modules apart."""
    if _begun:
        _held.add(owner)
