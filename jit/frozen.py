"""`dataclass` of the guards' room, for those that may not import it."""

from __future__ import annotations

from ..guards.frozen import dataclass as dataclass
