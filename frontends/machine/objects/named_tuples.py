"""User-defined named tuples: tuples whose class names the items and may have methods.

The class can change at any time, and a special method added to it would take effect where the
machine treats the object as a tuple. These methods are guarded by one check of the class's version.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from ....guards.grip import Grip
from ....guards.objects import MISSING, ClassAttr, ClassHolds, IsMethod
from ....guards.sources import Attribute, Fixed
from ....jit import native
from ..breaks import ATTRIBUTE, NOT_PLAIN, GraphBreak
from ..machine import Machine
from ..values import BoundMethod, Known, Symbolic, Tuple
from .attributes import Call, class_lookup, fixed, only_texts
from .special import SPECIAL, held_under


class _One(NamedTuple):
    item: int


_FIELD = type(vars(_One)["item"])
"""Type of a field's descriptor, which returns the item at one index."""
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


def get_attribute(machine: Machine, owner: Tuple, name: str, call: Call) -> Symbolic:
    """Return `owner.name`: a field, method or property of a named tuple, or a method of a tuple.

    Raises:
        GraphBreak: it is something else.
    """
    kind = owner.named or tuple
    found = class_lookup(kind, name)
    if owner.named is not None and found is not MISSING:
        class_ = Fixed.of(kind, f"class `{kind.__name__}`")
        machine.guard(ClassAttr.of(class_, name, found, of_class=True))
    if type(found) is _FIELD:
        place: int = found.__reduce__()[1][0]
        if place < len(owner.items):
            return owner.items[place]
    if isinstance(found, property) and found.fget is not None:
        return call(fixed(found.fget, f"property `{name}`"), (owner,))
    if isinstance(found, types.FunctionType):
        if owner.source is not None and kind.__dictoffset__ != 0:
            source = Attribute(owner.source, name)
            machine.guard(IsMethod(source, owner.source, Grip.of(found), found.__qualname__))
        return BoundMethod(fixed(found, f"method `{name}`"), owner)
    if isinstance(found, types.MethodDescriptorType):
        return BoundMethod(Known(found), owner)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of a {kind.__name__}")
