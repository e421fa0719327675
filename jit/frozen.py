"""Re-exports `dataclass` of `guards/frozen.py` for subpackages that may not import `guards`."""

from __future__ import annotations

from ..guards.frozen import dataclass as dataclass
