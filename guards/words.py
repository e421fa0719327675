"""Words for objects of the program, which run none of its code."""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

NAMED = (FunctionType, BuiltinFunctionType, ModuleType, np.ufunc)
"""Types whose names are read without code of the program."""
PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)
"""The same of their `repr`."""


def named(object_: Any) -> str:
    """Return words for an object; `repr` and `getattr` would run code of its class."""
    if isinstance(object_, type):
        return repr(type.__getattribute__(object_, "__name__"))
    if type(object_) in NAMED:
        return repr(object_.__name__)
    if type(object_) is tuple:
        items = ", ".join(map(named, object_))
        return f"({items},)" if len(object_) == 1 else f"({items})"
    return repr(object_) if type(object_) in PLAIN else f"this {type(object_).__name__}"
