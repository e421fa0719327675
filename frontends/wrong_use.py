"""Error messages for objects that @jit cannot compile."""

from __future__ import annotations

import functools
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
from typing import Any

CALLED = "write @jit above a def, or jit(f) without calling f"
"""Advice for an object that is no function at all."""
_NUMPYS = ("numpy.ufunc", "numpy._ArrayFunctionDispatcher")
"""Types of NumPy's own functions; by name, as NumPy may not be imported."""


def why_no_function(given: Any) -> str:
    """Return the TypeError's message for `jit(given)`: what it is, and what to write instead."""
    what, remedy = _what_and_remedy(given)
    return f"jit: `function` must be a Python function, not {what}: {remedy}"


def _what_and_remedy(given: Any) -> tuple[str, str]:
    name = getattr(given, "__name__", "f")
    if isinstance(given, type):
        return f"the class {given.__qualname__}", "put @jit above its methods"
    kind = f"{type(given).__module__}.{type(given).__name__}"
    if kind in _NUMPYS:
        return (
            f"NumPy's {name}",
            "NumPy's functions are compiled already; put @jit above the function that calls them",
        )
    builtins = (BuiltinFunctionType, BuiltinMethodType, MethodDescriptorType, WrapperDescriptorType)
    if isinstance(given, builtins):
        return (
            f"the builtin {name}",
            "it has no Python code to compile; put @jit above the function that calls it",
        )
    if isinstance(given, property | functools.cached_property):
        return (
            f"a {type(given).__name__}",
            f"put @jit under @{type(given).__name__}, so that it gets the function",
        )
    if kind == "numpy.vectorize":
        return "an np.vectorize", "put @jit above the function that calls it"
    if isinstance(given, functools.partial):
        return "a functools.partial", "write functools.partial(jit(function), ...)"
    if isinstance(given, functools._lru_cache_wrapper):
        return (
            "a function behind functools.lru_cache",
            "put @jit under the cache, so that it gets the function",
        )
    if isinstance(given, str):
        return f"the string {given!r}", f"options go by name, as in @jit(backend={given!r})"
    if callable(given):
        kind = type(given).__qualname__
        return f"a callable object of type {kind}", f"put @jit above {kind}.__call__"
    if isinstance(given, dict):
        return "a dict", "options go by name, as in @jit(backend='numpy')"
    return (
        f"{_shortened(repr(given))} of type {type(given).__qualname__}",
        CALLED,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
