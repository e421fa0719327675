"""`python -m framejit warm`: a run whose only purpose is what it leaves on disk for later ones.

Nothing has to pay for itself in it: functions are captured at their second call and loops when they
are reached, each waits for its kernels, and what earlier runs have kept is taken and added to. What
is put down counts as worth taking, until a later process has measured that plain Python is faster.
"""

from __future__ import annotations

WARMED = 2.0
"""What the ledger says of a site whose entries somebody has asked for; 1 for others."""

is_on = False
"""This process warms."""


def begin() -> None:
    """To the end of the process."""
    global is_on
    is_on = True
