"""Calls that are looked into: what they capture is compiled while they wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from . import warming

_asked: ContextVar[bool] = ContextVar("framejit_at_once", default=False)


def is_at_once() -> bool:
    """True inside a block of at_once(), and in each call of a process that warms."""
    return warming.is_on or is_looked_into()


def is_looked_into() -> bool:
    """True inside a block of at_once()."""
    return _asked.get()


@contextmanager
def at_once() -> Iterator[None]:
    """In this block functions are captured at their first call, and compiled before it goes on.

    Not an option of the context: entries hold for the options that they were made under, and what
    is made here is to serve later calls too.
    """
    token = _asked.set(True)
    try:
        yield
    finally:
        _asked.reset(token)
