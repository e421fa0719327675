"""How long all captures of one call may take together: that long plain Python waits.

Each capture is limited, but a call may come to many: a loop of 300 branches took 22 s. When the
captures of a call have taken their time, plain Python runs what is not compiled yet, and they go on
in later calls of the function: in the next one, and each time they come to the limit again after
twice as many.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import perf_counter_ns, thread_time
from typing import Any

from ..jit.native import outermost_call, set_aside
from ..jit.patience import told_of
from .runtime import copies
from .runtime.at_once import is_looked_into

MAX_CALL_SECONDS = 10.0
"""CPU time of the captures of one call, with the kernels that are compiled in it."""
LONGEST_WAIT = 64
"""Calls without captures, at most."""

_thread = threading.local()
"""`call`: whose captures were paid for last in this thread; `spent`: the seconds."""


def _key(manager: Any) -> Any:
    return outermost_call() or (manager.serial, manager.calls)


@contextmanager
def paid(manager: Any) -> Iterator[None]:
    """Counts what is captured in the block to the outermost call of this thread.

    Who waits at a terminal is told of it if it takes long.
    """
    call, began, since = _key(manager), thread_time(), perf_counter_ns()
    try:
        with nullcontext() if copies.is_copy else told_of(manager.function):
            yield
    finally:
        before = _thread.spent if getattr(_thread, "call", None) == call else 0.0
        _thread.call, _thread.spent = call, before + thread_time() - began
        if is_looked_into():
            set_aside(perf_counter_ns() - since)


def is_spent(manager: Any) -> bool:
    """True if the captures of this call have taken all their time.

    A call that is explained shows what the next one meets: it waits for all of them.
    """
    if is_looked_into():
        return False
    same = getattr(_thread, "call", None) == _key(manager)
    return same and bool(_thread.spent > MAX_CALL_SECONDS)
