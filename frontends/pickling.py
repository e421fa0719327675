"""Pickling of jitted functions: by name if importable, by value for picklers that support it.

Importing this module registers it.
"""

from __future__ import annotations

import copyreg
import functools
import sys
from types import CodeType, FrameType, FunctionType
from typing import Any

from ..jit import native
from ..jit.frozen import dataclass
from . import decorating
from .support import EagerFunction

BY_VALUE = "cloudpickle"
"""Name part of modules whose pickler stores functions of scripts by value."""


def pickled(jitted: Any) -> str | tuple[Any, ...]:
    """Return a name to import the function by, or the function with its options.

    For a function that cannot be pickled, the pickler then says what it says in eager.
    """
    function: FunctionType = jitted.__wrapped__
    by_value = function.__module__ == "__main__" and _called_by_value(sys._getframe(1))
    if _is_found(jitted, function) and not by_value:
        return function.__qualname__
    options = {} if type(jitted) is EagerFunction else jitted._manager.overrides
    own = _own_attributes(jitted, function)
    by_name = own is None and _is_found(function, function) and not by_value
    return (_found_again if by_name else _made_again), (function, options), own


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


@dataclass(eq=False, slots=True)
class _Unpickled:
    """Functions of one code and the same options that came out of pickles."""

    code: CodeType
    """Code object of the first function, given to all others: `jit` compares codes by identity."""
    count: int = 0


MOST = 1000
"""Codes, and functions, that are remembered; beyond it all are forgotten."""
_by_code: dict[tuple[Any, ...], _Unpickled] = {}
_by_function: dict[tuple[FunctionType, str], Any] = {}


def _made_again(function: FunctionType, options: dict[str, Any]) -> Any:
    """A function that was pickled by value, as workers get it with each of their tasks.

    Each is one of its own, with variables of its own. They are taken for functions of one `def`:
    what was captured of one serves the others.
    """
    code = function.__code__
    key = (code, code.co_linetable, code.co_filename, code.co_qualname, _text(options))
    alike = _remembered(_by_code).setdefault(key, _Unpickled(code))
    alike.count += 1
    function.__code__ = alike.code
    made = _jitted(function, options)
    if type(made) is not EagerFunction:
        made._manager.unpickled = alike.count
    return made


def _found_again(function: FunctionType, options: dict[str, Any]) -> Any:
    """A function that its module has undecorated: it is jitted once, as it is one function."""
    key = function, _text(options)
    made = _remembered(_by_function)
    if key not in made:
        made[key] = _jitted(function, options)
    return made[key]


def _text(options: dict[str, Any]) -> str:
    return repr(sorted(options.items()))


def _remembered(table: dict[Any, Any]) -> dict[Any, Any]:
    if len(table) >= MOST:
        table.clear()
    return table


def _jitted(function: FunctionType, options: dict[str, Any]) -> Any:
    decorating.check_options(options)  # the backend may not be installed here
    return decorating.jitted(function, options)


copyreg.pickle(EagerFunction, pickled)
if native.why_unsupported() is None:
    copyreg.pickle(native.Dispatcher, pickled)
