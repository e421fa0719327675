"""Functions that nobody decorated, caught by the frame hook: callees of a break, `with capture()`."""

from __future__ import annotations

import sysconfig
import weakref
from pathlib import Path
from types import CodeType, FunctionType, TracebackType
from typing import Any, Self

from ..jit import native
from .function import Manager

SKIP, HANDLE = 1, 2
"""Marks of a code object, as frame_hook.h has them."""
MAX_FUNCTIONS = 8
"""Functions made of one code object (closures) that are captured; then the code is left alone."""
_SKIPPED_FLAGS = 0x04 | 0x08 | 0x20 | 0x80 | 0x200
"""*args, **kwargs, generators and coroutines."""

_registry: dict[int, Any] = {}
_made_of: dict[int, int] = {}
_managers: weakref.WeakValueDictionary[int, Manager] = weakref.WeakValueDictionary()


def _library_folders() -> tuple[str, ...]:
    """Folders whose code is never captured: the standard library, installed packages, framejit."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    own = str(Path(__file__).resolve().parents[1])
    parts = ("backends", "frontends", "guards", "jit")
    return (*(sysconfig.get_path(name) for name in names), *(f"{own}/{part}/" for part in parts))


_LIBRARIES = _library_folders()


def why_left_alone(code: CodeType) -> str | None:
    """The rule by which a code object is not captured, None when it is."""
    if code.co_filename.startswith("<frozen") or code.co_filename.startswith(_LIBRARIES):
        return "library"
    if code.co_flags & _SKIPPED_FLAGS:
        return "signature"
    return None


def _decide(function: FunctionType) -> int:
    return SKIP if why_left_alone(function.__code__) is not None else HANDLE


def _adopt(function: FunctionType) -> Any:
    """A dispatcher for a function, None when its code has been given up."""
    code = function.__code__
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
    weakref.finalize(function, _registry.pop, key, None)
    return dispatcher


_installed = False


def install() -> None:
    """Tells the C core what to do with frames; done once."""
    global _installed
    if not _installed:
        native.hook_set_callbacks(_decide, native.HookHandler(_registry, _adopt))
        _installed = True


class capture:  # noqa: N801
    """Captures undecorated code: `with capture(): main()`.

    Functions called in the block, directly or not, are compiled as if they were decorated, apart from
    those of the standard library and of installed packages. Only this thread is watched.

    Raises:
        RuntimeError: frames cannot be hooked in this process; the message says why.
    """

    def __enter__(self) -> Self:
        install()
        native.hook_enable()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        native.hook_disable()


def hooked_managers() -> list[Manager]:
    """The functions that the hook has caught so far and that are still alive."""
    return list(_managers.values())

