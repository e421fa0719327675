"""Compiles the text of a kernel; imported only when that is needed.

This module and its imports determine the result; stored.py lists them.
"""

from __future__ import annotations

from .emitting import object_code
from .lowering import SYMBOL, lowered
from .optimising import optimised
from .settings import defaults


def compiled(text: str) -> tuple[bytes, str]:
    """Return object code, and the name of the function in it that C calls."""
    with defaults():
        return object_code(optimised(lowered(text))), SYMBOL
