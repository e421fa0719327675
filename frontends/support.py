"""Tells if framejit can work in this process, and provides the eager substitute if not."""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Self

from ..backends.registry import BUILT_IN, EAGER, backend_names
from ..jit import native
from ..jit.config import DEFAULT, SETTINGS, Options, debug_mode, meant
from ..jit.errors import BackendError, FallbackWarning, FramejitError, StageError, warn
from ..jit.log import listen
from ..jit.numpy_versions import is_tested
from .bytecode.supported import module_of

if TYPE_CHECKING:
    from ..jit.report import Report
    from .stages import Traced


@cache
def why_unsupported() -> str | None:
    """Return the reason why everything runs eagerly here, in a sentence; None if it does not."""
    version = sys.version_info[:2]
    try:
        module_of(sys.implementation.name, version, unproved=debug_mode("unproved"))
    except ImportError as error:
        return str(error)
    reason = native.why_unsupported()
    return reason or (why_no_numba() if CHECKED.backend == BUILT_IN[0] else None)


def why_no_numba() -> str | None:
    """Return the reason why the default backend cannot compile here; None if none is known.

    Numba is imported only with a NumPy that is newer than both know, which it mostly refuses.
    """
    if is_tested():
        missing = "Numba, which compiles kernels, is not installed"
        return None if "numba" in sys.modules or find_spec("numba") else missing
    try:
        import_module("numba")
    except ImportError as error:
        return f"Numba does not load: {error}"
    return None


def check_backend(name: str, caller: str) -> None:
    """Raise BackendError with the valid names if there is no backend of that name."""
    if name in BUILT_IN:
        return
    known = backend_names()
    if name in known:
        return
    valid = ", ".join(repr(one) for one in known)
    raise BackendError(
        f"{caller}: unknown backend {name!r}{meant(name, known)}: use one of {valid}"
    )


def _checked() -> Options:
    """Return the environment's options, with a backend that exists."""
    try:
        check_backend(DEFAULT.backend, "FRAMEJIT_BACKEND")
    except BackendError as error:
        warn(f"{error}; 'numba' is used")
        return DEFAULT.replace({"backend": "numba"})
    return DEFAULT


CHECKED = _checked()
DEFAULT_OPTIONS = None if SETTINGS["disable"] else CHECKED
"""Options where no config() is active; None if the environment switches framejit off."""


_OFTEN_EXCHANGED = frozenset(
    {
        *("__build_class__", "breakpoint", "compile", "eval", "exec", "input"),
        *("open", "print"),
    }
)
"""Builtins that programs and their tests often replace; captures accept replacements."""


@cache
def start() -> None:
    """Put the environment's options in force, once; called before anything is captured."""
    listen()
    if native.why_unsupported() is None:
        native.set_default_options(DEFAULT_OPTIONS)
        native.watch_builtins(
            {
                name: held
                for name, held in vars(builtins).items()
                if getattr(held, "__module__", None) == "builtins" and name not in _OFTEN_EXCHANGED
            }
        )


_warned = False


def warn_unsupported() -> None:
    """Warn once per process that nothing is compiled, with the reason."""
    global _warned
    if not _warned:
        _warned = True
        warn(f"framejit runs everything eagerly here: {why_unsupported()}", FallbackWarning)


VIEWS = ("graph", "guards", "numba", "bytecode")
STAGES = ("compiled", "captured")


def check_view(what: object, stage: object) -> None:
    """Raise FramejitError if `inspect` has no such view, or the view no such stage."""
    if not isinstance(what, str):
        found = f"the name of a view, not an object of type {type(what).__name__}"
        raise FramejitError(f"inspect takes {found}: use one of {_listed(VIEWS)}")
    if what not in VIEWS:
        raise FramejitError(f"inspect: unknown view {what!r}: use one of {_listed(VIEWS)}")
    if stage is not None and what != "graph":
        raise FramejitError(f"inspect: stage={stage!r} is for 'graph' only, not for {what!r}")
    if stage is not None and stage not in STAGES:
        raise FramejitError(f"inspect: unknown stage {stage!r}: use one of {_listed(STAGES)}")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))


OF_FUNCTION = (
    *("__code__", "__defaults__", "__kwdefaults__"),
    *("__annotations__", "__annotate__", "__type_params__"),
)
"""Attributes that describe or decide a call; the dispatcher takes them from the function, see
dispatcher.c."""
COPIED = tuple(name for name in functools.WRAPPER_ASSIGNMENTS if name not in OF_FUNCTION)
"""The other attributes that `functools.update_wrapper` copies."""


class EagerFunction:
    """Stands in for a jitted function where nothing can be compiled: it runs the plain function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        # Set here, because class annotations would hide those of the function.
        self.__wrapped__: Callable[..., Any] = function
        functools.update_wrapper(self, function, COPIED)
        self._calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._calls += 1
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __set_name__(self, owner: type, name: str) -> None:
        kind = staticmethod if name == "__new__" else classmethod
        if name in ("__new__", "__init_subclass__", "__class_getitem__"):
            type.__setattr__(owner, name, kind(self))  # as Python does for plain functions

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # not set yet, while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in OF_FUNCTION:
            vars(self).pop(name, None)
            setattr(self.__wrapped__, name, value)
        else:
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if name in OF_FUNCTION:
            delattr(self.__wrapped__, name)
        else:
            super().__delattr__(name)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return FunctionType

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return f"<framejit.jit (eager) {self.__wrapped__!r}>"

    def __dir__(self) -> set[str]:
        return {*dir(self.__wrapped__), *vars(self), "stats", "inspect", "trace"}

    def stats(self) -> dict[str, int]:
        """Return the counts of a jitted function that compiled nothing."""
        names = ("hits", "captures", "recompiles", "bails", "breaks", "segments", "launches")
        return {
            "calls": self._calls,
            **dict.fromkeys(names, 0),
            "eager_calls": self._calls,
            "eager_operations": 0,
            "skipped": self._calls,
            "slower": 0,
            "awaited": 0,
            "failures": 0,
        }

    def inspect(self, what: str, stage: str | None = None) -> str:
        """Return the reason why there is nothing to see."""
        check_view(what, stage)
        return f"nothing was captured: {why_unsupported()}"

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Raise StageError with the reason why nothing is captured."""
        raise StageError(f"trace: nothing is captured: {why_unsupported()}")

    def _report(self, result: Any) -> Report:
        from ..jit.report import Facts, Place, Report, SkipRecord

        code = self.__wrapped__.__code__
        place = Place(code.co_filename, code.co_firstlineno, self.__wrapped__.__qualname__)
        skip = SkipRecord("unsupported", str(why_unsupported()), place, self._calls)
        facts = Facts(place, EAGER, self._calls, 0, skipped=(skip,))
        return Report(result, lambda: facts)


def check_static(function: FunctionType, names: tuple[object, ...]) -> None:
    """Check that all names of `jit(static=...)` are parameters of the function.

    Raises:
        FramejitError: one is not; the message lists those that are.
    """
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for name in names:
        if name not in known:
            raise FramejitError(
                f"jit: static={names!r}, but {function.__qualname__} has no parameter {name!r}"
                f"{meant(name, known)}: it has {', '.join(known) or 'none'}"
            )
