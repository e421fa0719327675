"""Prints a line to a terminal when capturing takes long."""

from __future__ import annotations

import _thread
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FunctionType

from . import native

SECONDS = 2.0
"""Seconds after which the line is printed."""
_told: set[str] = set()


@contextmanager
def reported_if_long(function: FunctionType) -> Iterator[None]:
    """Print a line if capturing a function in this block takes over two seconds.

    A thread unknown to `threading` waits for that; it exists only if stderr is a terminal.
    """
    if not _is_terminal():
        yield
        return
    done = _thread.allocate_lock()
    done.acquire()
    with suppress(RuntimeError):  # too many threads, or the interpreter ends
        _thread.start_new_thread(_watch, (done, function))
    try:
        yield
    finally:
        done.release()


def _is_terminal() -> bool:
    """True if stderr, which the program may have replaced, is a terminal."""
    stream = sys.__stderr__
    try:
        return stream is not None and stream is sys.stderr and stream.isatty()
    except (OSError, ValueError):
        return False


def _watch(done: _thread.LockType, function: FunctionType) -> None:
    native.engine_enter()  # code that runs here must not be captured
    if done.acquire(timeout=SECONDS):
        return
    code = function.__code__
    where = f"{function.__qualname__} ({code.co_filename}:{code.co_firstlineno})"
    line = f"framejit: to capture and compile {where} takes more than {SECONDS:.0f} s"
    if line in _told:
        return
    _told.add(line)
    with suppress(OSError, ValueError):
        print(line, file=sys.__stderr__, flush=True)
