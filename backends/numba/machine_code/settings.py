"""Makes Numba use its default settings while a kernel is compiled.

Variables such as NUMBA_DISABLE_JIT and NUMBA_OPT, a .numba_config.yaml and assignments to
`numba.config` are meant for the program's own Numba code. Applied to kernels they could make
compiles fail or print, or change machine code in ways that the names of disk entries do not
reflect.

Numba reads them from attributes of one module in hundreds of places. While a kernel is compiled,
that module has a class that returns defaults to the compiling thread; other threads, and the
program before and after, see their own settings. Objects that Numba creates from settings once per
process, such as the code generator with its target machine, are separate for kernels (emitting.py).
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
"""Marks the settings of Numba's run time, which exists once per process."""
OVERRIDES: dict[str, object] = {"ENABLE_PROFILING": 0, "DEBUGINFO_DEFAULT": 0}
"""Defaults that would depend on the environment (VS_PROFILER)."""

_compiling: list[int] = []
"""Id of the compiling thread, once for each compile in progress."""


@contextmanager
def defaults() -> Iterator[None]:
    """Apply Numba's defaults to this thread; other threads that compile with Numba wait."""
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
    """Return the code generator of all kernels, created under the defaults."""
    return Generator("framejit.kernels")


@cache
def _answering() -> type[ModuleType]:
    """Return the class that the settings module has while a kernel is compiled."""
    answers: dict[str, object] = {**_defaults(), "reload_config": _keep}
    members: dict[str, object] = {name: _property(name, value) for name, value in answers.items()}
    return type("_Settings", (type(config),), {**members, "__getattribute__": _looked_up})


def _looked_up(module: ModuleType, name: str) -> object:
    """Look up an attribute in the usual way.

    CPython 3.14's specialised code reads a module's dict without asking its class, unless the
    class defines an attribute look-up of its own.
    """
    return ModuleType.__getattribute__(module, name)


def _property(name: str, default: object) -> property:
    """Return a property that is the setting's default in the compiling thread.

    In other threads it is the module's value.
    """

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
    """Do nothing, instead of rereading the environment."""


def _defaults() -> dict[str, object]:
    """Return the settings that Numba derives from an empty environment."""
    spec = spec_from_file_location("framejit_numba_defaults", config.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with filtered("ignore"):  # the program was warned of unreadable variables already
        spec.loader.exec_module(module)
        names = vars(module)
        names.pop("NUMBA_NUM_THREADS", None)  # a changed value would be refused
        process: Callable[[dict[str, str]], None] = names["_env_reloader"].process_environ
        process({})
    found = {
        name: value for name, value in names.items() if name.isupper() and RUN_TIME not in name
    }
    return {**found, **OVERRIDES}
