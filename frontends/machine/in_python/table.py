"""Which function of ours stands in the place of which one."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

OURS: dict[Any, FunctionType] = {}
"""By the function, or the method of an array, whose place they take."""


def in_place_of(*functions: Any) -> Callable[[Any], Any]:
    """Registers the function that follows."""

    def register(ours: Any) -> Any:
        for function in functions:
            OURS[function] = ours
        return ours

    return register


def is_ours(namespace: dict[str, Any]) -> bool:
    """Whether a namespace is that of a module of this folder."""
    return namespace.get("__package__") == __package__
