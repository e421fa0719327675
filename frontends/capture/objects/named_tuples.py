"""User-defined named tuples: tuples whose class names the items and may have methods.

The class can change at any time, and a special method added to it would take effect where the
machine treats the object as a tuple. These methods are guarded by one check of the class's version.
"""

from __future__ import annotations

import types
from typing import NamedTuple

from ....guards.grip import Grip
from ....guards.objects import MISSING, ClassAttr, IsMethod
from ....guards.sources import Attribute, Fixed
from ..state.machine import Machine
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.symbolic import BoundMethod, Known, Symbolic, Tuple
from .attributes import Call, fixed


class _One(NamedTuple):
    item: int


_FIELD = type(vars(_One)["item"])
"""Type of a field's descriptor, which returns the item at one index."""


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
    if is_function(found):
        if owner.source is not None and kind.__dictoffset__ != 0:
            source = Attribute(owner.source, name)
            machine.guard(IsMethod(source, owner.source, Grip.of(found), found.__qualname__))
        return BoundMethod(fixed(found, f"method `{name}`"), owner)
    if isinstance(found, types.MethodDescriptorType):
        return BoundMethod(Known(found), owner)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of a {kind.__name__}")
