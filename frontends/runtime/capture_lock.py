"""The lock of captures: one at a time per process, never nested; and its handling in forks."""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401 (see register_at_fork below)
import logging  # noqa: F401 (as above)
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ...jit import native
from ...jit.background import WORKER
from ...jit.kernels import COMPILING
from ..tiers import this_process

_lock = threading.Lock()
"""Held during a capture; a thread that cannot get it runs eagerly."""
_held_for_fork: list[Any] = []
FORK_WAITS = 60.0
"""Most seconds that a fork waits for a compiler."""


def _before_fork() -> None:
    """Wait for captures of other threads, and for their use of Numba.

    The child would have their locks and half-finished work, but not the threads, and could never
    compile.
    """
    if is_capturing():
        return
    for lock in (_lock, WORKER, COMPILING, *_foreign_locks()):
        if lock.acquire(timeout=FORK_WAITS):
            _held_for_fork.append(lock)


def _foreign_locks() -> Iterator[Any]:
    """Yield the locks of Numba, and of LLVM, which the garbage collector may take in any thread."""
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
    """Replace the lock: if the wait timed out, the thread that holds it is not in the child."""
    global _lock
    _after_fork()
    WORKER.forked()
    _lock = threading.Lock()


# Numba imports logging and concurrent.futures, which also take locks before a fork. Imported before
# this line, they take theirs after ours; otherwise a compiling thread would wait for them.
os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
)

_capturing = threading.local()
"""`active` is True while this thread captures, because capture is not reentrant."""


def is_capturing() -> bool:
    """True if this thread is in the middle of a capture."""
    return getattr(_capturing, "active", False)


def acquire(*, blocking: bool) -> threading.Lock | None:
    """Take the lock and return it, to be passed to `release`; None if it was not available.

    A thread that is capturing never gets it. The lock object is returned as a fork replaces it.
    """
    lock = _lock
    if is_capturing() or not lock.acquire(blocking=blocking):
        return None
    _capturing.active = True
    native.engine_enter()
    return lock


def release(lock: threading.Lock) -> None:
    """Release the lock after a capture."""
    native.engine_leave()
    _capturing.active = False
    lock.release()


def _is_compiling() -> bool:
    """True while the compile thread works or waits for the helper."""
    return WORKER.is_running


this_process.is_capturing, this_process.is_compiling = is_capturing, _is_compiling
