"""Finds backends by name.

Built-in ones, then those of the entry point group `framejit.backends`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..jit.errors import BackendError

if TYPE_CHECKING:
    from ..jit.pipeline import Backend

EAGER = "eager"
"""The name that stands for no capture at all."""
REFERENCE = "numpy"
"""The backend whose results define those of the others."""
_default_is_loaded = False


def entry_points(group: str) -> Any:
    """Return the entry points of installed packages.

    Importing this costs more than a cached kernel.
    """
    from importlib import metadata

    return metadata.entry_points(group=group)


def default_is_loaded() -> bool:
    """True once the default backend was loaded, the last of what a first capture imports."""
    return _default_is_loaded


def _numba() -> Backend:
    global _default_is_loaded
    from .numba.backend import NumbaBackend

    _default_is_loaded = True
    return NumbaBackend()


def _numpy() -> Backend:
    from .numpy import NumpyBackend

    return NumpyBackend()


_BUILT_IN: dict[str, Callable[[], Backend]] = {"numba": _numba, "numpy": _numpy}
BUILT_IN = (*_BUILT_IN, EAGER)
"""Names known without searching installed packages, which costs milliseconds at import."""


def backend_names() -> list[str]:
    """Return all valid names, built-in ones first."""
    plugged = sorted(point.name for point in entry_points(group="framejit.backends"))
    return [*_BUILT_IN, EAGER, *(name for name in plugged if name not in _BUILT_IN)]


@cache
def load_backend(name: str) -> Backend:
    """Return the backend of that name, created at first use.

    Raises:
        BackendError: there is none of that name, or its package does not import.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    for point in entry_points(group="framejit.backends"):
        if point.name == name:
            try:
                backend: Backend = point.load()()
            except Exception as error:
                raise BackendError(f"backend {name!r} cannot be loaded: {error}") from error
            return backend
    valid = ", ".join(repr(known) for known in backend_names())
    raise BackendError(f"unknown backend {name!r}: use one of {valid}")
