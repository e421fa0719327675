"""State of this process that code below `copies.py` asks for."""

from __future__ import annotations

is_copy = False
"""True in a copy of the process: it takes no decisions, and captures only what it was made for."""
