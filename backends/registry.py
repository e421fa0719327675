"""Backends by name: the built-in ones, then the entry point group `framejit.backends`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..jit.errors import BackendError

if TYPE_CHECKING:
    from ..jit.pipeline import Backend

EAGER = "eager"
"""The backend that captures nothing."""
REFERENCE = "numpy"
"""The backend that the others are compared with."""


def entry_points(group: str) -> Any:
    """What installed packages declare; loading this takes longer than a kernel from the disk."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def _numba() -> Backend:
    from .numba.backend import NumbaBackend

    return NumbaBackend()


def _numpy() -> Backend:
    from .numpy import NumpyBackend

    return NumpyBackend()


_BUILT_IN: dict[str, Callable[[], Backend]] = {"numba": _numba, "numpy": _numpy}


def backend_names() -> list[str]:
    """All valid names, built-in ones first."""
    plugged = sorted(point.name for point in entry_points(group="framejit.backends"))
    return [*_BUILT_IN, EAGER, *(name for name in plugged if name not in _BUILT_IN)]


@cache
def load_backend(name: str) -> Backend:
    """The backend of that name, made at first use.

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
