"""Raw attributes of classes, read without running code of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ....guards.objects import MISSING
from ....jit.native import Dispatcher
from .breaks import ATTRIBUTE, GraphBreak


def class_lookup(kind: type, name: str) -> Any:
    """Return the raw class attribute under a name; MISSING if there is none."""
    for base in kind.__mro__:
        names = vars(base)
        if not only_texts(names):
            raise GraphBreak(ATTRIBUTE, "a class with keys that are no strings")
        if name in names:
            return names[name]
    return MISSING


def class_has(kind: type | None, name: str) -> bool:
    """True if instances of a class find something under a name in the class.

    `hasattr` of the class would also find attributes of its metaclass, such as `__name__`.
    """
    assert kind is not None, "what is asked is no object that nothing is known of"
    return class_lookup(kind, name) is not MISSING


def is_function(found: object) -> bool:
    """True for a Python function, decorated by `@jit` or not: it binds, and calls are captured."""
    return type(found) in (FunctionType, Dispatcher)


def only_texts(names: Mapping[Any, Any]) -> bool:
    """True if a look-up in a namespace compares strings only; other keys may run user code."""
    return all(type(key) is str for key in names)
