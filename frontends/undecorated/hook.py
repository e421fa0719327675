"""Functions nobody decorated, caught by the frame hook: callees of a break, `with capture()`."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ...jit import native
from ..capture_lock import is_capturing
from ..function import Manager
from ..runtime import decisions
from .policy import HANDLE, MAX_FUNCTIONS, SKIP, UNKNOWN, why_left_alone


def _decide(function: FunctionType) -> int:
    """Called by the frame hook for code that it meets for the first time."""
    rule = why_left_alone(function)
    if rule is not None:
        native.hook_mark(function.__code__, SKIP, rule)
        return SKIP
    if is_capturing():
        return UNKNOWN  # called by the engine, it is asked about again when the program calls it
    if _waits_until_it_pays():
        native.hook_mark(function.__code__, SKIP, "cold")
        return SKIP
    return HANDLE


def _waits_until_it_pays() -> bool:
    """True where the sampler tells when a function is to be captured."""
    options = native.options_now()
    return options is not None and options.compiles_later and native.is_sampling()


def _adopt(function: FunctionType) -> Any:
    """A dispatcher for a function, None when its code has been given up."""
    if is_capturing():
        return None
    code = function.__code__
    if native.count_function(code) > MAX_FUNCTIONS:
        native.hook_mark(code, SKIP, "closures")
        return None
    copy = copied(function)
    site = decisions.SITES.get(id(code)) if _waits_until_it_pays() else None
    manager = Manager(copy, {}, hooked=True, site=site)
    dispatcher = manager.dispatcher = native.Dispatcher(copy, manager)
    native.own(function, dispatcher)
    return dispatcher


def copied(function: FunctionType) -> FunctionType:
    """A function like this one, for what is made of it: that must not keep the user's own alive."""
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


_handler = native.HookHandler(_adopt)


def install() -> None:
    """Tells the C core what to do with frames; whoever said something else before is forgotten."""
    native.hook_set_callbacks(_decide, _handler)


def enter() -> bool:
    """Watches the frames of this thread until hook_disable(), then leave(what this gives)."""
    install()
    options = native.options_now()
    samples = options is not None and options.compiles_later and decisions.begin()
    native.hook_enable()
    return samples


def leave(samples: bool) -> None:
    """Undoes what enter() has begun beside the hook."""
    if samples:
        decisions.end()


def hooked_managers() -> list[Manager]:
    """The functions that were caught so far and are still alive, in code that may still run."""
    managers = (one._manager for one in native.all_owned())
    return [one for one in managers if isinstance(one, Manager) and one.dispatcher is not None]
