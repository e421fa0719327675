"""References of guards to objects, weak where possible so that objects die when eager's would."""

from __future__ import annotations

import weakref
from typing import Any

from .frozen import dataclass, field

_HEAP_TYPE = 1 << 9
"""CPython's flag for heap types."""


def made_at_run_time(kind: type) -> bool:
    """Return True for a class made by a `class` statement; runs no code of a metaclass."""
    return bool(type.__dict__["__flags__"].__get__(kind) & _HEAP_TYPE)


def may_die(object_: Any) -> bool:
    """True if weak references to the object work and it is not immortal like a static type."""
    kind = type(object_)
    if issubclass(kind, type):
        return made_at_run_time(object_)
    return bool(type.__dict__["__weakrefoffset__"].__get__(kind))


@dataclass(frozen=True, slots=True)
class Grip:
    """A reference to an object, weak where possible; two are equal if they name the same object."""

    identity: int
    weak: weakref.ref[Any] | None = field(compare=False, repr=False)
    strong: Any = field(compare=False, repr=False)

    @classmethod
    def of(cls, object_: Any) -> Grip:
        """Return a reference to a living object."""
        if may_die(object_):
            return cls(id(object_), weakref.ref(object_), None)
        return cls(id(object_), None, object_)

    def get(self) -> Any:
        """Return the object, or None once it has been collected."""
        return self.strong if self.weak is None else self.weak()
