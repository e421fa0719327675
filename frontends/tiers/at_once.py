"""Blocks in which captures compile synchronously, for `explain` and warming."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from . import warming

_explaining: ContextVar[bool] = ContextVar("framejit_at_once", default=False)


def is_at_once() -> bool:
    """True inside a block of at_once(), and always in a process that warms."""
    return warming.is_on or is_explaining()


def is_explaining() -> bool:
    """True inside a block of at_once()."""
    return _explaining.get()


@contextmanager
def at_once() -> Iterator[None]:
    """In this block capture functions at their first call, and compile before the call goes on.

    It is no option of the context: entries are only valid for the options they were made under, and
    later calls outside the block shall use them too.
    """
    token = _explaining.set(True)
    try:
        yield
    finally:
        _explaining.reset(token)
