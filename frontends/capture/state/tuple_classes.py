"""Classes of named tuples: those whose objects are made, compared and unpacked like tuples.

The class can change at any time, and a special method added to it would take effect where the
machine treats the object as a tuple. These methods are guarded by one check of the class's version.
"""

from __future__ import annotations

from typing import Any

from ....guards.objects import MISSING, ClassHolds
from ....jit import native
from ..values.breaks import NOT_PLAIN, GraphBreak
from ..values.class_namespaces import class_lookup, only_texts
from .machine import Machine
from .special_methods import SPECIAL, held_under

_OF_TUPLE = held_under(tuple, (*SPECIAL, "__init__"))


def is_plain(kind: type) -> bool:
    """True for a named tuple class whose objects are made, compared and unpacked like tuples."""
    behind = kind.__mro__
    own = [vars(base) for base in behind[:-2]]
    return (
        isinstance(getattr(kind, "_fields", None), tuple)
        and behind[-2] is tuple
        and not any(_OF_TUPLE.keys() & names.keys() for names in own if only_texts(names))
        and all(map(only_texts, own))
        and getattr(kind.__new__, "__code__", None) is not None
        and kind.__new__.__code__.co_filename.startswith("<string>")
    )


def rely_on_plain(machine: Machine, kind: type) -> None:
    """Guard that a class for which `is_plain` is true stays so."""
    names = {**_OF_TUPLE, "__new__": class_lookup(kind, "__new__")}
    machine.guard(ClassHolds.of(kind, names))


def refuse_own_names(object_: tuple[Any, ...]) -> None:
    """Raise a GraphBreak if the object's own attributes hide some of its class."""
    kind = type(object_)
    if kind.__dictoffset__ == 0:
        return
    names = native.own_names(object_)
    if not only_texts(names) or any(class_lookup(kind, name) is not MISSING for name in names):
        raise GraphBreak(NOT_PLAIN, f"a {kind.__name__} with attributes that hide its class's")
