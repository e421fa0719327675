"""Machine code for the text of a kernel; imported where a kernel is compiled.

This module and those that it imports decide what comes of a text: stored.py has the list.
"""

from __future__ import annotations

from .emitting import object_code
from .lowering import SYMBOL, lowered
from .optimising import optimised
from .settings import defaults


def compiled(text: str) -> tuple[bytes, str]:
    """Object code, and there the name of the function that C calls."""
    with defaults():
        return object_code(optimised(lowered(text))), SYMBOL
