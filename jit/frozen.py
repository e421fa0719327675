"""Re-exports `guards/frozen.py` for subpackages that may not import `guards`."""

from __future__ import annotations

from ..guards.frozen import dataclass as dataclass
from ..guards.frozen import field as field
