"""`python -m framejit warm`: a run whose purpose is to fill the disk cache for later runs.

Budgets do not apply in it: functions are captured at their second call and loops when they are
reached, each waits for its kernels, and what earlier runs stored is loaded and extended. The
results count as worth loading until a later process has measured that plain Python is faster.
"""

from __future__ import annotations

WARMED = 2.0
"""The ledger's `kept` of a warmed site; 1 for others."""

is_on = False
"""True in a process that warms."""


def begin() -> None:
    """Warm until the process ends."""
    global is_on
    is_on = True
