"""Machine code for the text of a kernel; imported where a kernel is compiled.

This module and those that it imports decide what comes of a text: stored.py has the list.
"""

from __future__ import annotations

from .lowering import SYMBOL, lowered
from .objects import Code, load
from .optimising import object_code
from .settings import defaults


def compiled(text: str) -> tuple[Code, bytes, str]:
    """The code in memory; its object code, and there the name of the function that C calls."""
    with defaults():
        made = object_code(lowered(text))
        code = load(made, SYMBOL)
    if code is None:
        raise RuntimeError("LLVM does not link the object code of a kernel")
    return code, made, SYMBOL
