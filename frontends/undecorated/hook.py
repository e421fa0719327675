"""Undecorated functions caught by the frame hook: callees of a break, and `with capture()`.

The sampler's decisions are imported only where it runs.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ...jit import native
from ..runtime.callees import caught_by
from ..runtime.capture_lock import is_capturing
from ..runtime.function import Manager
from ..tiers import waiting
from .caught import copied
from .policy import MAX_FUNCTIONS, why_left_alone


def _decide(function: FunctionType) -> int:
    """Decide about code that the frame hook meets for the first time."""
    rule = why_left_alone(function)
    if rule is not None:
        native.hook_mark(function.__code__, native.MARK_SKIP, rule)
        return native.MARK_SKIP
    if is_capturing():
        return native.MARK_UNKNOWN  # called during a capture; ask again when the program calls it
    if _waits_until_it_pays():
        native.hook_mark(function.__code__, native.MARK_SKIP, "cold")
        return native.MARK_SKIP
    return native.MARK_HANDLE


def _waits_until_it_pays() -> bool:
    """True if the sampler decides when functions are captured."""
    options = native.options_now()
    samples = native.is_sampling() and not waiting.ticks()
    return options is not None and options.compiles_later and samples


def _adopt(function: FunctionType) -> Any:
    """Return a dispatcher for a function; None if its code has been given up."""
    if is_capturing():
        return None
    code = function.__code__
    if native.count_function(code) > MAX_FUNCTIONS:
        native.hook_mark(code, native.MARK_SKIP, "closures")
        return None
    copy = copied(function)
    site = None
    if _waits_until_it_pays():
        from ..tiers.this_process import SITES

        site = SITES.get(id(code))
    manager = Manager(copy, {}, hooked=True, site=site)
    dispatcher = manager.dispatcher = native.Dispatcher(copy, manager)
    native.own(function, dispatcher)
    return dispatcher


_handler = native.HookHandler(_adopt)


def install() -> None:
    """Register these callbacks with the C core, replacing earlier ones."""
    native.hook_set_callbacks(_decide, _handler)


def enter() -> bool:
    """Watch the frames of this thread until hook_disable() and leave(result)."""
    install()
    options = native.options_now()
    samples = False
    if options is not None and options.compiles_later:
        from ..tiers import decisions

        samples = decisions.begin()
    native.hook_enable()
    return samples


def leave(samples: bool) -> None:
    """Undo what enter() started besides the hook."""
    if samples:
        from ..tiers import decisions

        decisions.end()


caught_by(install)
