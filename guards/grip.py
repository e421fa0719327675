"""Objects that a guard compares with, held in such a way that they die when they do in eager."""

from __future__ import annotations

import weakref
from dataclasses import field
from typing import Any

from .frozen import dataclass

_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE."""


def made_at_run_time(kind: type) -> bool:
    """Whether it is a heap type, as a class statement makes them; no metaclass is asked."""
    return bool(type.__dict__["__flags__"].__get__(kind) & _HEAP_TYPE)


def may_die(object_: Any) -> bool:
    """Whether an object can be referred to weakly and is not there for ever."""
    kind = type(object_)
    if issubclass(kind, type):
        return made_at_run_time(object_)
    return bool(type.__dict__["__weakrefoffset__"].__get__(kind))


@dataclass(frozen=True, slots=True)
class Grip:
    """An object, weakly where that can be; equal to that of the very same object."""

    identity: int
    weak: weakref.ref[Any] | None = field(compare=False, repr=False)
    strong: Any = field(compare=False, repr=False)

    @classmethod
    def of(cls, object_: Any) -> Grip:
        """On an object that is alive."""
        if may_die(object_):
            return cls(id(object_), weakref.ref(object_), None)
        return cls(id(object_), None, object_)

    def get(self) -> Any:
        """The object; None once it is gone."""
        return self.strong if self.weak is None else self.weak()
