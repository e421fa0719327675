"""Undecorated functions that are captured: the copies that stand for them, and their managers."""

from __future__ import annotations

from types import FunctionType

from ...jit import native
from ..runtime.function import Manager


def copied(function: FunctionType) -> FunctionType:
    """Return a copy of a function for captures, which must not keep the user's own alive."""
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    return copy


def hooked_managers() -> list[Manager]:
    """Return the living functions caught so far whose code may still run."""
    managers = (one._manager for one in native.all_owned())
    return [one for one in managers if isinstance(one, Manager) and one.dispatcher is not None]
