"""Floating point flags: the processor's bits, and the kinds that NumPy's users know them by."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

FLAG_KINDS = (
    (0x04, "divide", "divide by zero"),
    (0x08, "over", "overflow"),
    (0x10, "under", "underflow"),
    (0x01, "invalid", "invalid value"),
)
"""x86 flag, its name in np.errstate, its words in NumPy's warnings; in NumPy's order."""
KINDS = frozenset(kind for _, kind, _ in FLAG_KINDS)


def bits_of(kinds: Collection[str]) -> int:
    """The flags of these kinds."""
    return sum(bit for bit, kind, _ in FLAG_KINDS if kind in kinds)


def ignoring(kinds: Collection[str]) -> np.errstate:
    """A context in which flags of these kinds are ignored."""
    modes: dict[str, Any] = dict.fromkeys(kinds, "ignore")
    return np.errstate(**modes)
