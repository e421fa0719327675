"""Python bodies that stand for functions of libraries: NumPy's own, and decompositions of ours."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numpy._core import _methods

DECOMPOSITIONS: dict[Any, FunctionType] = {}
"""Decompositions by the function or array method that they replace."""
_BY_IDENTITY: dict[int, FunctionType] = {}
"""The same by the function's identity, because user callables may define a hash."""
_NAMESPACES: dict[int, dict[str, Any]] = {}
"""The namespaces of the modules that have decompositions."""


def decomposes(*functions: Any) -> Callable[[Any], Any]:
    """Register the following function as a decomposition of these."""

    def register(decomposition: Any) -> Any:
        for function in functions:
            DECOMPOSITIONS[function] = _BY_IDENTITY[id(function)] = decomposition
        add_module(decomposition)
        return decomposition

    return register


def add_module(function: Any) -> None:
    """Register the module of a function as one that has decompositions."""
    _NAMESPACES[id(function.__globals__)] = function.__globals__


def holds_decompositions(namespace: dict[str, Any]) -> bool:
    """True for the namespace of a module with decompositions."""
    return id(namespace) in _NAMESPACES


def is_of_a_library(namespace: dict[str, Any]) -> bool:
    """True for the namespace of a module of NumPy or SciPy, or of a decomposition."""
    name = namespace.get("__name__")
    if holds_decompositions(namespace):
        return True
    return type(name) is str and name.partition(".")[0] in ("numpy", "scipy")


_DISPATCHER = type(np.concatenate)
"""Type of the wrapper of NumPy functions that supports `__array_function__`."""


def body_of(function: Callable[..., Any]) -> FunctionType | None:
    """Return the Python function behind a function of NumPy or SciPy; None if it is in C.

    Bodies of array methods are in NumPy's own modules.
    """
    decomposition = _BY_IDENTITY.get(id(function))
    if decomposition is not None:
        return decomposition
    if getattr(function, "__objclass__", None) is np.ndarray:
        function = getattr(_methods, f"_{function.__name__}", function)
    body: Any = function
    if type(function) is _DISPATCHER:
        body = getattr(function, "__wrapped__", None)
    return body if type(body) is FunctionType and is_of_a_library(body.__globals__) else None
