"""The lock of captures: one at a time in the process, none inside of another; and forks."""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401 (see register_at_fork below)
import logging  # noqa: F401
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ..jit import native
from ..jit.background import WORKER
from ..jit.kernels import COMPILING

_lock = threading.Lock()
"""One capture at a time in the process; a thread that does not get it runs eagerly."""
_held_for_fork: list[Any] = []
FORK_WAITS = 60.0
"""Seconds that a fork waits for a compiler at most."""


def _before_fork() -> None:
    """Waits for captures of other threads, and for their use of Numba.

    The child has their locks and half of their work, but not the threads: it could never compile.
    """
    if is_capturing():
        return
    for lock in (_lock, WORKER, COMPILING, *_foreign_locks()):
        if lock.acquire(timeout=FORK_WAITS):
            _held_for_fork.append(lock)


def _foreign_locks() -> Iterator[Any]:
    """Numba's, and that of LLVM, which the garbage collector may take in any thread."""
    numba = sys.modules.get("numba.core.compiler_lock")
    if numba is not None:
        yield numba.global_compiler_lock._lock
    llvm = sys.modules.get("llvmlite.binding.ffi")
    if llvm is not None:
        yield llvm.lib._lock._lock


def _after_fork() -> None:
    while _held_for_fork:
        _held_for_fork.pop().release()


def _after_fork_in_child() -> None:
    """Where the wait was in vain, the thread that held the lock is not in the child."""
    global _lock
    _after_fork()
    WORKER.forked()
    _lock = threading.Lock()


# Numba imports logging and concurrent.futures, which take locks before a fork too: imported before
# this line runs, they take theirs after ours. Else who compiles would wait for them.
os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
)

_capturing = threading.local()
"""`active` while this thread captures: capture is not re-entered."""


def is_capturing() -> bool:
    """Whether this thread is in the middle of a capture."""
    return getattr(_capturing, "active", False)


def acquire(*, blocking: bool) -> threading.Lock | None:
    """The lock, which has to be given to `release`; None where it was not to be had.

    A thread in the middle of a capture never gets it. The lock is handed out as a fork replaces it.
    """
    lock = _lock
    if is_capturing() or not lock.acquire(blocking=blocking):
        return None
    _capturing.active = True
    native.engine_enter()
    return lock


def release(lock: threading.Lock) -> None:
    """The capture is over."""
    native.engine_leave()
    _capturing.active = False
    lock.release()
