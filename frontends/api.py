"""The decorator and the public calls: the only composer."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ..jit import native
from ..jit.config import DEFAULT, SETTINGS
from .function import Manager

native.set_default_options(None if SETTINGS["disable"] else DEFAULT)


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compiles the array code of a function; `@jit`, `jit(f)` or `@jit(backend="numpy")`."""
    if function is None:
        return functools.partial(jit, **options)
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit: `function` must be a Python function, not {function!r}")
    manager = Manager(function, options)
    dispatcher = native.Dispatcher(function, manager)
    manager.dispatcher = dispatcher
    return functools.update_wrapper(dispatcher, function)
