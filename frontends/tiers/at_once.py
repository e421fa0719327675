"""Blocks in which captures compile synchronously, for `explain` and warming."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from . import warming

_asked: ContextVar[bool] = ContextVar("framejit_at_once", default=False)


def is_at_once() -> bool:
    """True inside a block of at_once(), and always in a process that warms."""
    return warming.is_on or is_looked_into()


def is_looked_into() -> bool:
    """True inside a block of at_once()."""
    return _asked.get()


@contextmanager
def at_once() -> Iterator[None]:
    """In this block capture functions at their first call, and compile before the call goes on.

    It is no option of the context: entries are only valid for the options they were made under, and
    later calls outside the block shall use them too.
    """
    token = _asked.set(True)
    try:
        yield
    finally:
        _asked.reset(token)
