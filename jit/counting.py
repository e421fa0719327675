"""What `sys.getrefcount` counts besides those who hold an object."""

from __future__ import annotations

import sys
from typing import Final


def _by_argument() -> int:
    held = object()
    return sys.getrefcount(held) - 1


ASKED: Final = _by_argument()
"""1, for the argument; since 3.14 the compiler lends what a variable holds, and it is 0."""
