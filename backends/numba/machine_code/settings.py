"""Numba's settings while a kernel is compiled: its defaults, whatever the program has set.

Variables such as NUMBA_DISABLE_JIT and NUMBA_OPT, a file .numba_config.yaml and assignments to
`numba.config` are for Numba code of the program's own. Taken over for kernels, they would make them
fail, print, or be machine code that the entries on disk do not tell apart.

Numba asks one module for all of them, from hundreds of places. While a kernel is compiled, the
class of that module answers the thread that compiles with the defaults; other threads, and the
program before and after, see what they have set. What Numba makes of the settings once a process,
the code generator with LLVM's target machine, kernels have for themselves (emitting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from threading import get_ident
from types import ModuleType
from typing import Any

from numba.core import config, registry
from numba.core.compiler_lock import global_compiler_lock

from ....jit.filters import filtered
from .emitting import Generator

RUN_TIME = "NRT"
"""In the names of settings of Numba's run time, which is made once a process for everybody."""
OVERRIDES: dict[str, object] = {"ENABLE_PROFILING": 0, "DEBUGINFO_DEFAULT": 0}
"""Defaults that depend on the environment (VS_PROFILER)."""

_compiling: list[int] = []
"""The thread that compiles, once for each compile under way in it."""


@contextmanager
def defaults() -> Iterator[None]:
    """Numba's defaults hold for this thread; who else compiles with Numba waits meanwhile."""
    with global_compiler_lock:
        context: Any = registry.cpu_target.target_context
        module: Any = config
        kind, generator = module.__class__, context._internal_codegen
        _compiling.append(get_ident())
        module.__class__ = _answering()
        try:
            context._internal_codegen = code_generator()
            yield
        finally:
            context._internal_codegen = generator
            module.__class__ = kind
            _compiling.pop()


@cache
def code_generator() -> Any:
    """The one of all kernels; made while the defaults hold."""
    return Generator("framejit.kernels")


@cache
def _answering() -> type[ModuleType]:
    """The class of the module of settings while a kernel is compiled."""
    answers: dict[str, object] = {**_defaults(), "reload_config": _keep}
    members: dict[str, object] = {name: _property(name, value) for name, value in answers.items()}
    return type("_Settings", (type(config),), {**members, "__getattribute__": _looked_up})


def _looked_up(module: ModuleType, name: str) -> object:
    """As in any module.

    Code that CPython 3.14 has specialised takes what a module holds without a look at its class,
    unless the class looks up attributes by a function of its own.
    """
    return ModuleType.__getattribute__(module, name)


def _property(name: str, default: object) -> property:
    """A setting: the default in the thread that compiles, what the module holds in others."""

    def get(module: ModuleType) -> object:
        if _compiling and _compiling[-1] == get_ident():
            return default
        try:
            return vars(module)[name]
        except KeyError:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}") from None

    def put(module: ModuleType, value: object) -> None:
        vars(module)[name] = value

    def drop(module: ModuleType) -> None:
        if vars(module).pop(name, get) is get:
            raise AttributeError(name)

    return property(get, put, drop)


def _keep() -> None:
    """In the place of what reads the environment anew: it is not asked for kernels."""


def _defaults() -> dict[str, object]:
    """What Numba's module of settings is made of an empty environment."""
    spec = spec_from_file_location("framejit_numba_defaults", config.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with filtered("ignore"):  # of variables that cannot be read the program has heard
        spec.loader.exec_module(module)
        names = vars(module)
        names.pop("NUMBA_NUM_THREADS", None)  # else a change of it is refused
        process: Callable[[dict[str, str]], None] = names["_env_reloader"].process_environ
        process({})
    found = {
        name: value for name, value in names.items() if name.isupper() and RUN_TIME not in name
    }
    return {**found, **OVERRIDES}
