"""Functions nobody decorated, caught by the frame hook: callees of a break, `with capture()`."""

from __future__ import annotations

import sysconfig
import weakref
from types import FunctionType
from typing import Any

from ..jit import native
from .function import Manager, is_capturing

UNKNOWN, SKIP, HANDLE = 0, 1, 2
"""Marks of a code object, as frame_hook.h has them."""
MAX_FUNCTIONS = 8
"""Functions made of one code object (closures) that are captured; then the code is left alone."""
_SKIPPED_FLAGS = 0x04 | 0x08 | 0x20 | 0x80 | 0x200
"""*args, **kwargs, generators and coroutines."""

_registry: dict[int, Any] = {}
_made_of: dict[int, int] = {}
_managers: weakref.WeakValueDictionary[int, Manager] = weakref.WeakValueDictionary()


_LIBRARIES = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
"""Folders of the standard library and of installed packages."""


def why_left_alone(function: FunctionType) -> str | None:
    """The rule by which a function is not captured, None when it is."""
    code = function.__code__
    module = str(function.__globals__.get("__name__", ""))
    if module.startswith("framejit.") and not module.startswith("framejit.examples."):
        return "framejit"
    if code.co_filename.startswith(("<frozen", *_LIBRARIES)) or module.startswith("namedtuple_"):
        return "library"
    if code.co_flags & _SKIPPED_FLAGS:
        return "signature"
    return None


def _decide(function: FunctionType) -> int:
    """Called by the frame hook for code that it meets for the first time."""
    if is_capturing():
        return UNKNOWN  # the engine's own work: ask again when the program runs
    return SKIP if why_left_alone(function) is not None else HANDLE


def _adopt(function: FunctionType) -> Any:
    """A dispatcher for a function, None when its code has been given up."""
    if is_capturing():
        return None
    code = function.__code__
    if id(code) not in _made_of:
        weakref.finalize(code, _made_of.pop, id(code), None).atexit = False
    made = _made_of[id(code)] = _made_of.get(id(code), 0) + 1
    if made > MAX_FUNCTIONS:
        native.hook_mark(code, SKIP)
        return None
    # The dispatcher must not keep the function alive: it owns a copy of it.
    copy = FunctionType(
        code,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    manager = Manager(copy, {}, hooked=True)
    dispatcher = manager.dispatcher = native.Dispatcher(copy, manager)
    key = id(function)
    _registry[key] = dispatcher
    _managers[key] = manager
    weakref.finalize(function, _forget, key).atexit = False
    return dispatcher


def _forget(key: int) -> None:
    """A function died: what its cells hold dies with it, not at some later garbage collection."""
    _registry.pop(key, None)
    manager = _managers.pop(key, None)
    if manager is not None:
        manager.release()


_handler = native.HookHandler(_registry, _adopt)


def install() -> None:
    """Tells the C core what to do with frames; whoever said something else before is forgotten."""
    native.hook_set_callbacks(_decide, _handler)


def enter() -> None:
    """Watches the frames of this thread until native.hook_disable()."""
    install()
    native.hook_enable()


def hooked_managers() -> list[Manager]:
    """The functions that the hook has caught so far and that are still alive."""
    return list(_managers.values())
