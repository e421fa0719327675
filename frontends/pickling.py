"""Pickling of jitted functions: by name if importable, by value for picklers that support it."""

from __future__ import annotations

import copyreg
import functools
import sys
from types import FrameType, FunctionType
from typing import Any

from .support import EagerFunction

BY_VALUE = "cloudpickle"
"""Name part of modules whose pickler stores functions of scripts by value."""


def register(kind: type) -> None:
    """Register `pickled` for jitted functions of this type."""
    copyreg.pickle(kind, pickled)


def pickled(jitted: Any) -> str | tuple[Any, ...]:
    """Return a name to import the function by, or the function with its options.

    For a function that cannot be pickled, the pickler then says what it says in eager.
    """
    function: FunctionType = jitted.__wrapped__
    if _is_found(jitted, function) and not (
        function.__module__ == "__main__" and _called_by_value(sys._getframe(1))
    ):
        return function.__qualname__
    options = {} if type(jitted) is EagerFunction else jitted._manager.overrides
    return _made_again, (function, options), _own_attributes(jitted, function)


def _is_found(jitted: Any, function: FunctionType) -> bool:
    """True if the function's module has it under its qualified name."""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return getattr(found, "__func__", found) is jitted


def _called_by_value(frame: FrameType) -> bool:
    return BY_VALUE in str(frame.f_globals.get("__name__"))


def _own_attributes(jitted: Any, function: FunctionType) -> dict[str, Any] | None:
    """Return attributes set on the jitted function that the plain function does not have."""
    given: dict[str, Any] = {
        name: getattr(function, name)
        for name in functools.WRAPPER_ASSIGNMENTS
        if hasattr(function, name)
    }
    given |= {"__wrapped__": function, **vars(function)}
    own = {
        name: value
        for name, value in vars(jitted).items()
        if name not in given or given[name] is not value
    }
    own.pop("_calls", None)
    return own or None


def _made_again(function: FunctionType, options: dict[str, Any]) -> Any:
    from .api import jit

    return jit(function, **options)
