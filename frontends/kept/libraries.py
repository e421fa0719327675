"""Objects implemented in C in NumPy, SciPy and Python: which of them every process has.

Library versions are part of the key, so such an object is identified by its location. No code of
the program runs: an object that only resembles one of theirs is not asked anything.
"""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

from ...guards.grip import made_at_run_time

LIBRARIES = ("numpy", "scipy")
_OF_MULTIMETHODS = ("arg_extractor", "arg_replacer", "default", "domain")
ARRAY_FUNCTION: type = type(np.sum)
"""The type in which NumPy wraps functions that other array types may override."""
METHODS_OF_UFUNCS = ("accumulate", "at", "outer", "reduce", "reduceat")
"""Ufunc methods; each attribute access makes a new object."""
_dict = type.__dict__["__dict__"].__get__
_names_of: Any = vars(ModuleType)["__dict__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
_DESCRIPTORS = (GetSetDescriptorType, MemberDescriptorType)
"""Descriptors of C classes; class statements make none that claim to be one."""


def is_of_library(module: Any) -> bool:
    """True for the names of modules of NumPy and SciPy."""
    return type(module) is str and module.partition(".")[0] in LIBRARIES


def names_of(module: Any) -> dict[str, Any]:
    """Return a module's namespace, empty for other objects and for subclasses of module."""
    names = _names_of(module) if issubclass(type(module), ModuleType) else {}
    return names if type(names) is dict else {}


def is_loaded_library(module: str) -> bool:
    """True for modules of the libraries that the program has loaded."""
    return is_of_library(module) and module.partition(".")[0] in sys.modules


def version_of(module: str) -> str:
    """Return the version of the library that a module belongs to, as the library reports it."""
    found = names_of(sys.modules.get(module.partition(".")[0])).get("__version__")
    return found if type(found) is str else "?"


def compiled_place(one: Any) -> tuple[str, str] | None:
    """Return the module and qualified name of a Cython function of these libraries."""
    kind = type(one)
    names = _dict(kind)
    if _qualname(kind) != "cython_function_or_method":
        return None
    found = [names.get(key) for key in ("__module__", "__qualname__")]
    if not all(type(way) in _DESCRIPTORS and way.__objclass__ is kind for way in found):
        return None
    module, path = (way.__get__(one) for way in found)
    return (module, path) if is_of_library(module) and type(path) is str else None


def shared_generator() -> Any:
    """Return the RandomState whose methods are `np.random.rand` and others."""
    return names_of(sys.modules.get("numpy.random.mtrand")).get("_rand")


def fields_of(one: Any) -> list[tuple[str, Any]] | None:
    """Return all attributes of an object such as `np.mgrid`, `np.s_` or `scipy.fft.fft`, by name.

    None unless it is an instance of a plain class of these libraries: state in C may be invisible.
    """
    multimethod = names_of(sys.modules.get("scipy._lib._uarray._uarray")).get("_Function")
    if type(one) is multimethod:
        return [(name, _dict(multimethod)[name].__get__(one)) for name in _OF_MULTIMETHODS]
    kinds = _mro(type(one))[:-1]
    if not kinds or not all(
        made_at_run_time(kind) and is_of_library(_module(kind)) for kind in kinds
    ):
        return None
    found: list[tuple[str, Any]] = []
    for kind in kinds:
        for name, way in [*_dict(kind).items()]:
            if type(way) is MemberDescriptorType:
                found += [(name, way.__get__(one))] if _is_set(way, one) else []
            elif name == "__dict__" and type(way) is GetSetDescriptorType:
                found += sorted(way.__get__(one).items(), key=lambda item: str(item[0]))
    return found


def _is_set(slot: Any, one: Any) -> bool:
    try:
        slot.__get__(one)
    except AttributeError:
        return False
    return True


def is_method_of_ufunc(one: Any) -> bool:
    """True for a bound ufunc method such as `np.add.reduce`."""
    is_bound = type(one) is BuiltinFunctionType and type(one.__self__) is np.ufunc
    return is_bound and one.__name__ in METHODS_OF_UFUNCS


def method_of_ufunc(ufunc: Any, name: Any) -> Any:
    """Return a ufunc method such as `np.add.reduce`; raise ValueError if there is none."""
    if type(ufunc) is not np.ufunc or name not in METHODS_OF_UFUNCS:
        raise ValueError("no method of a ufunc")
    return getattr(ufunc, name)


_WAYS: tuple[Any, ...] = (range(0), range(1 << 64), {}.values(), {}.items())


def _iterators() -> dict[str, type]:
    kinds = [type(iter(made())) for made in (list, tuple, dict, set, str, bytes, bytearray)]
    kinds += [type(iter(way)) for way in _WAYS]
    kinds += [type(reversed([])), type(reversed({}))]
    kinds += [type(reversed(way)) for way in _WAYS[2:]]
    kinds += [type(iter(np.empty(0))), type(iter(int, 0))]
    return {kind.__qualname__: kind for kind in kinds}


ITERATORS = _iterators()
"""Classes of iterators, which no module contains, by name; every process has them."""
