"""State of this process that low modules ask for; those that have it set it when imported.

To import them for the question would cost a program that needs nothing of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .sites import Site

is_copy = False
"""True in a copy of the process: it takes no decisions, and captures only what it was made for."""
SITES: dict[int, Site] = {}
"""Sites by the `id` of the running code; a site holds its code. Equal code is not the same site.
Only `decisions.py` adds some."""
is_capturing: Callable[[], bool] | None = None
"""True if this thread is in the middle of a capture; None until `capture_lock.py` is imported."""
is_compiling: Callable[[], bool] | None = None
"""True while the compile thread works or waits for the helper; None as above."""
