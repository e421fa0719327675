"""The default backend: fused loops, compiled by Numba from text that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .backend import NumbaBackend as NumbaBackend

__all__ = ["NumbaBackend"]


def __getattr__(name: str) -> Any:
    """The backend, where it is asked for: to load machine code needs nothing that writes texts."""
    if name != "NumbaBackend":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .backend import NumbaBackend

    return NumbaBackend
