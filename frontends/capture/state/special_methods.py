"""Special methods that decide how operators, conversions and NumPy treat an object."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....guards.objects import MISSING, ClassHolds
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.class_namespaces import is_function, only_texts
from .machine import Machine

_COMPARING = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"}
_LOOKING_UP = {"__getattribute__", "__getattr__", "__class__"}
_MAKING = {"__new__", "__getnewargs__", "__class_getitem__", "__setstate__", "__doc__"}
_BY_TYPE = {
    name
    for kind in (tuple, list, int, complex, np.ndarray)
    for name in dir(kind)
    if name.startswith("__") and name not in vars(object)
}
SPECIAL = tuple(sorted((_BY_TYPE - _MAKING) | _COMPARING | _LOOKING_UP))


def held_under(kind: type, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what a class and its bases hold under each name; MISSING for nothing."""
    found = dict.fromkeys(names, MISSING)
    for base in reversed(kind.__mro__):
        own = vars(base)
        if not only_texts(own):
            raise GraphBreak(ATTRIBUTE, "a class with keys that are no strings")
        found |= {name: own[name] for name in names if name in own}
    return found


def rely_on_special_methods(machine: Machine, kind: type) -> None:
    """Guard that the special methods of a class do not change.

    User functions among them are excluded: their answers are never predicted, and the guard would
    keep them and the class alive.
    """
    found = held_under(kind, SPECIAL)
    expected = {
        name: one for name, one in found.items() if not is_function(one) or one.__module__ == "enum"
    }
    machine.guard(ClassHolds.of(kind, expected))
