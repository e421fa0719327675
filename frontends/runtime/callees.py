"""The frame hook, as captured functions need it: it catches the functions that they call.

What it does with these is decided above (`undecorated/hook.py`).
"""

from __future__ import annotations

from collections.abc import Callable

_install: Callable[[], None] | None = None


def caught_by(install: Callable[[], None]) -> None:
    """Set what installs the frame hook; called by whatever makes managers."""
    global _install
    _install = install


def catch() -> None:
    """Have functions caught from now on that rewritten code calls."""
    if _install is not None:
        _install()
