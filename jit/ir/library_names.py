"""Names library objects by a dotted path in the text of graphs, and resolves such paths.

A name without a dot is a NumPy ufunc; `np` is NumPy. A path is used only if it leads to the very
same object. Everything else, user functions and classes included, appears in angle brackets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from ..frozen import dataclass

_PACKAGE = __name__.partition(".")[0]
_ROOTS = ("builtins", "cmath", "functools", "itertools", "math", "operator", "numpy", "scipy")
"""Packages that text may refer to; reading a text imports no others."""
_HOMES_OF_UFUNCS = (
    *("numpy", "numpy.linalg._umath_linalg", "numpy.fft._pocketfft_umath", "numpy._core.umath"),
    *("numpy._core._multiarray_umath", "scipy.special", "scipy.special._ufuncs", "scipy.linalg"),
    *("scipy.special._ufuncs_cxx", "scipy.special._special_ufuncs", "scipy.special._gufuncs"),
)
_OVERLOADED: Any = type(np.dot)
_DTYPE_CLASS: Any = type(np.dtype)
_NAMED = (FunctionType, BuiltinFunctionType, type, _OVERLOADED, _DTYPE_CLASS)
"""Types of objects whose attributes run no user code. Functions of Cython are recognised by the
name of their class, because each library has its own."""
_OF_CLASSES = (MethodDescriptorType, WrapperDescriptorType)


class NotReadBackError(Exception):
    """A graph read from text needed an object that the text only names."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Stands in a parsed graph for an object that the text names but does not contain.

    For example a user function, a source, or an object of a recipe. It prints as the same text.
    """

    text: str

    @property
    def __name__(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise NotReadBackError."""
        raise self.refusal()

    def fetch(self, program: Any) -> Any:
        """Raise NotReadBackError; defined because sources have this method."""
        raise self.refusal()

    def reach(self, live: tuple[Any, ...]) -> Any:
        """Raise NotReadBackError; defined because sources have this method."""
        raise self.refusal()

    def refusal(self) -> NotReadBackError:
        """Return the error for code that needs the object itself."""
        return NotReadBackError(f"{self.text}: the text of a graph names this object only")


def text_of(value: Any) -> str:
    """Return a library object's path, else a text in angle brackets; runs no code of the user's."""
    if type(value) is Placeholder:
        return f"<{value.text}>"
    if type(value) is attrgetter:
        return f"operator.{value!r}".replace("operator.operator", "operator")
    return path_of(value) or f"<{_described(value)}>"


def path_of(value: Any) -> str | None:
    """Return the path that leads to an object, or None."""
    path = _full_path(value)
    if path is not None and type(value) is np.ufunc and path.count(".") == 1:
        return path.removeprefix("np.")
    return path


def resolve(path: str) -> Any:
    """Return the object that a path leads to.

    Raises:
        LookupError: there is none, or the path leads outside the known libraries.
    """
    root, *names = path.split(".")
    if not names:
        ufunc = getattr(np, root, None)
        if type(ufunc) is not np.ufunc or ufunc.__name__ != root:
            raise LookupError(path)
        return ufunc
    module = "numpy" if root == "np" else root
    if not _is_known(module):
        raise LookupError(path)
    try:
        found: Any = import_module(module)
        for name in names:
            module += f".{name}"
            if module in sys.modules:  # it may be shadowed: the decorator `framejit.jit`
                found = sys.modules[module]
            elif isinstance(found, ModuleType) and not hasattr(found, name):
                found = import_module(module)
            else:
                found = getattr(found, name)
    except (AttributeError, ImportError):
        raise LookupError(path) from None
    return found


def is_named_module(module: ModuleType) -> bool:
    """True for a module of a known library that is registered under its own name."""
    name = vars(module).get("__name__")
    return type(name) is str and _is_known(name) and sys.modules.get(name) is module


def named_module(name: str) -> ModuleType:
    """Import and return the module of that name.

    Raises:
        LookupError: there is none, or it belongs to no known library.
    """
    try:
        return import_module(name if _is_known(name) else "")
    except (ImportError, ValueError):
        raise LookupError(name) from None


def _is_known(name: str) -> bool:
    return name.partition(".")[0] in (*_ROOTS, _PACKAGE)


def _full_path(value: Any) -> str | None:
    for path in _candidates(value):
        try:
            found = resolve(path)
        except LookupError:
            continue
        if found is value or (type(value) is BuiltinFunctionType and _is_same(found, value)):
            return path
    return None


def _is_same(found: Any, value: Any) -> bool:
    """True for equal bound builtin methods, because each look-up makes a new method object."""
    return type(found) is BuiltinFunctionType and bool(found == value)


def _candidates(value: Any) -> Iterator[str]:
    """Yield paths that might lead to an object."""
    kind = type(value)
    if kind is np.ufunc:
        for home in _HOMES_OF_UFUNCS:
            if home in sys.modules:
                yield f"{home}.{value.__name__}".replace("numpy", "np", 1)
    elif kind in _OF_CLASSES:
        owner = _full_path(value.__objclass__)
        if owner is not None:
            yield f"{owner}.{value.__name__}"
    elif kind in _NAMED or kind.__name__ == "cython_function_or_method":
        module, name = value.__module__, value.__qualname__
        if type(module) is str and type(name) is str and module in sys.modules:
            yield _public(f"{module}.{name}")
            yield _with_alias(f"{module}.{name}")
        elif kind is BuiltinFunctionType and isinstance(value.__self__, type | np.ufunc):
            owner = _full_path(value.__self__)
            if owner is not None:
                yield f"{owner}.{value.__name__}"


def _public(path: str) -> str:
    """Return the path in the public module of an accelerator: `operator` for `_operator`."""
    return _with_alias(path.removeprefix("_"))


def _with_alias(path: str) -> str:
    return f"np.{path.removeprefix('numpy.')}" if path.startswith("numpy.") else path


def _described(value: Any) -> str:
    """Describe an object in words that are the same in every process."""
    kind = type(value)
    if kind is FunctionType:
        text = f"function {value.__qualname__}"
    elif kind is BuiltinFunctionType:
        text = f"builtin {value.__name__}"
    elif kind is np.ufunc:
        text = f"ufunc {value.__name__}"
    elif kind is type:
        text = repr(value)[1:-1]
    else:
        text = type.__dict__["__name__"].__get__(kind)
    return text.translate({ord("<"): "(", ord(">"): ")", ord("\n"): " "})
