"""The table of decompositions."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

OURS: dict[Any, FunctionType] = {}
"""Decompositions by the function or array method that they replace."""


def in_place_of(*functions: Any) -> Callable[[Any], Any]:
    """Register the following function as a decomposition of these."""

    def register(ours: Any) -> Any:
        for function in functions:
            OURS[function] = ours
        return ours

    return register


def is_ours(namespace: dict[str, Any]) -> bool:
    """True for the namespace of a module in this folder."""
    return namespace.get("__package__") == __package__
