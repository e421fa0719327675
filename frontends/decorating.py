"""Makes jitted functions; importing this module puts the options of the environment in force."""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any

from ..jit import native
from ..jit.config import check_option
from ..jit.errors import FramejitError
from .support import (
    COPIED,
    EagerFunction,
    check_backend,
    check_static,
    start,
    warn_unsupported,
    why_unsupported,
)
from .wrong_use import why_no_function

start()


def check_options(options: dict[str, Any]) -> None:
    """Raise FramejitError for an option or a value that `jit` does not take."""
    for name, value in options.items():
        check_option(name, value, "jit")
    if "backend" in options:
        check_backend(options["backend"], "jit")


def jitted(given: Any, options: dict[str, Any]) -> Any:
    """Return a jitted function, with options that have been checked.

    Raises
    ------
    TypeError
        `given` is not a function; the message says what to write instead.
    """
    if isinstance(given, staticmethod | classmethod):
        return type(given)(jitted(given.__func__, options))
    if isinstance(given, MethodType):
        return MethodType(jitted(given.__func__, options), given.__self__)
    if is_jitted(given):
        return jitted(given.__wrapped__, options) if options else given
    if not isinstance(given, FunctionType):
        raise TypeError(why_no_function(given))
    if why_unsupported() is not None:
        warn_unsupported()
        return EagerFunction(given)
    return _dispatcher(given, options)


def _dispatcher(function: FunctionType, options: dict[str, Any]) -> Any:
    from .report.last_words import DECORATED
    from .runtime.callees import caught_by
    from .runtime.function import Manager

    check_static(function, options.get("static", ()))
    manager = Manager(function, options)
    caught_by(_install_hook)
    dispatcher = native.Dispatcher(function, manager)
    manager.dispatcher = dispatcher
    DECORATED.add(manager)
    if options.get("fullgraph") and not dispatcher._bindable:
        raise FramejitError(
            f"jit: fullgraph=True, but {function.__qualname__} takes *args, **kwargs or too many "
            "arguments, so that a call is never one graph: name its arguments"
        )
    return functools.update_wrapper(dispatcher, function, COPIED)


def _install_hook() -> None:
    from .undecorated import hook

    hook.install()


def is_jitted(given: Any) -> bool:
    """True if `jit` made the object."""
    if why_unsupported() is not None:
        return isinstance(given, EagerFunction)
    return isinstance(given, native.Dispatcher)
