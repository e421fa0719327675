"""The lock of captures: one at a time per process, never nested; and its handling in forks."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ...jit import native
from ...jit.background import WORKER
from ...jit.kernels import COMPILING

_lock = threading.Lock()
"""Held during a capture; a thread that cannot get it runs eagerly."""
_held_for_fork: list[Any] = []
_forking = 0
"""The thread that holds them, by its number."""
FORK_WAITS = 60.0
"""Most seconds that a fork waits for a compiler."""


def _before_fork() -> None:
    """Wait for captures of other threads, and for their use of Numba.

    The child would have their locks and half-finished work, but not the threads, and could never
    compile.
    """
    global _forking
    if is_capturing() or _forking == threading.get_ident():  # registered more than once
        return
    for lock in (_lock, WORKER, COMPILING, *_foreign_locks()):
        if lock.acquire(timeout=FORK_WAITS):
            _held_for_fork.append(lock)
    _forking = threading.get_ident()


def _foreign_locks() -> Iterator[Any]:
    """Yield the locks of Numba, and of LLVM, which the garbage collector may take in any thread."""
    numba = sys.modules.get("numba.core.compiler_lock")
    if numba is not None:
        yield numba.global_compiler_lock._lock
    llvm = sys.modules.get("llvmlite.binding.ffi")
    if llvm is not None:
        yield llvm.lib._lock._lock


def _after_fork() -> None:
    global _forking
    _forking = 0
    while _held_for_fork:
        _held_for_fork.pop().release()


def _after_fork_in_child() -> None:
    """Replace the lock: if the wait timed out, the thread that holds it is not in the child."""
    global _lock
    _after_fork()
    WORKER.forked()
    _lock = threading.Lock()


os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
)
LOCKING = ("logging", "concurrent.futures.thread")
"""Modules that take locks before a fork, too; Numba imports them. What is registered last is called
first: if a fork took theirs before ours, it would wait for a compile that waits for theirs."""
_loaded = 0
"""Number of these modules that were loaded when the function was registered last."""


def lock_before_others() -> None:
    """Have forks take the locks of captures before those of the modules loaded so far."""
    global _loaded
    loaded = sum(name in sys.modules for name in LOCKING)
    if loaded > _loaded:
        _loaded = loaded
        os.register_at_fork(before=_before_fork)


def lock_before_numba() -> None:
    """Do the same before Numba is imported; a process with kept entries only saves the imports."""
    for name in LOCKING if _loaded < len(LOCKING) else ():
        import_module(name)
    lock_before_others()


def _is_too_late() -> bool:
    """True once the interpreter has ended its threads, and Numba can no longer be imported."""
    return _loaded < len(LOCKING) and getattr(threading, "_SHUTTING_DOWN", False)


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
    lock_before_others()
    if is_capturing() or _is_too_late() or not lock.acquire(blocking=blocking):
        return None
    _capturing.active = True
    native.engine_enter()
    return lock


def release(lock: threading.Lock) -> None:
    """Release the lock after a capture."""
    native.engine_leave()
    _capturing.active = False
    lock.release()
