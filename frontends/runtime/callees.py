"""The frame hook, as captured functions need it: it catches the functions that they call."""

from __future__ import annotations

SKIP_MARK = 1
"""The frame hook ignores frames of a code object with this mark."""
