"""Limits the time that all captures of one call take together, while plain Python waits.

Each capture is limited, but a call may cause many: a loop with 300 branches took 22 s. When the
budget of a call is spent, plain Python runs what is not compiled yet, and captures continue in the
next call; each time the budget is spent again, the number of calls to wait doubles.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import perf_counter_ns, thread_time
from typing import Any, NamedTuple

from ...jit.native import outermost_call, set_aside
from ...jit.patience import reported_if_long
from ..tiers import this_process
from ..tiers.accounts import ACCOUNT, OVERDRAFT
from ..tiers.at_once import is_explaining

MAX_CALL_SECONDS = 10.0
"""CPU seconds for the captures of one call, including kernels compiled in it."""
LONGEST_WAIT = 64
"""Maximum number of calls without captures in between."""

_thread = threading.local()
"""`call`: the manager whose captures were paid last in this thread; `spent`: the seconds."""


def _key(manager: Any) -> Any:
    return outermost_call() or (manager.serial, manager.calls)


@contextmanager
def paid(manager: Any) -> Iterator[None]:
    """Charge captures in the block to the outermost call of this thread.

    Users waiting at a terminal are told if it takes long.
    """
    call, began, since = _key(manager), thread_time(), perf_counter_ns()
    try:
        with nullcontext() if this_process.is_copy else reported_if_long(manager.function):
            yield
    finally:
        before = _thread.spent if getattr(_thread, "call", None) == call else 0.0
        _thread.call, _thread.spent = call, before + thread_time() - began
        if is_explaining():
            set_aside(perf_counter_ns() - since)


class Spent(NamedTuple):
    """Time that captures have used up."""

    rule: str
    seconds: float


def spent_by(manager: Any, *, later: bool) -> Spent | None:
    """Return the limit that captures have reached, or None.

    With `later` plain Python answers meanwhile: decorated functions, whose captures are not asked
    to pay, wait while those of the process have taken too much.
    """
    if later and manager.site is None and ACCOUNT.allowed_inside() < -OVERDRAFT:
        return Spent("overdrawn", OVERDRAFT)
    return Spent("call-budget", MAX_CALL_SECONDS) if is_spent(manager) else None


def is_spent(manager: Any) -> bool:
    """True if the captures of this call have used up their time.

    An explained call waits for all captures, because it shows what the next call will meet.
    """
    if is_explaining():
        return False
    same = getattr(_thread, "call", None) == _key(manager)
    return same and bool(_thread.spent > MAX_CALL_SECONDS)
