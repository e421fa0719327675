"""Attributes of user objects, looked up like `object.__getattribute__` does.

The contents of the classes under the name are guarded. The look-up then ends in the instance, in
the class, or in Python code of the class (a property), which is captured like a call.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ....guards.kinds import IsObject, IsType
from ....guards.objects import MISSING, Alike, ClassAttr, IsMethod, IsThere
from ....guards.sources import Attribute, Fixed, Key
from ....jit import generators, native
from ..state.heap import Field
from ..values.breaks import ATTRIBUTE, EFFECT, GraphBreak
from ..values.class_namespaces import class_lookup, is_function, only_texts
from ..values.models import MODELS, model_of
from ..values.symbolic import BoundMethod, Instance, Known, Lazy, Symbolic
from ..values.wording import refusal, what
from . import fields
from .contents import MODELLED
from .finalisation import check_overwritten

if TYPE_CHECKING:
    from ..state.machine import Machine

Call = Callable[[Symbolic, tuple[Symbolic, ...]], Symbolic]
"""Calls a function with arguments, in the frame that reads the attribute."""
GONE = Known(MISSING)
"""State of an attribute that the segment has deleted."""


def get_attribute(machine: Machine, owner: Instance, name: str, call: Call) -> Symbolic:
    """Return `owner.name`.

    Raises:
        GraphBreak: the class has its own attribute look-up, or nothing is found.
    """
    known = MODELS.get(owner.class_)
    if known is not None and name in known.methods:
        return BoundMethod(Known(known.methods[name]), owner)
    if owner.class_ in MODELLED and owner.source is not None and machine.loop_depth:
        known = model_of(owner.class_)
        if known is not None and name in known.methods:
            machine.guard(IsType.exactly(owner.source, owner.kind))
            return BoundMethod(Known(known.methods[name]), owner)
    state: dict[str, Symbolic] = machine.heap.state(owner) or {}
    found = _found_in_class(machine, owner, name)
    if isinstance(found, property):
        if found.fget is None:
            raise GraphBreak(ATTRIBUTE, f"property `{name}` cannot be read")
        return call(fixed(found.fget, f"property `{name}`"), (owner,))
    if _is_data_descriptor(found) and not is_slot(found, name):
        detail = f"`{name}` of {what(owner)} is a descriptor of its own kind"
        raise refusal(ATTRIBUTE, detail, owner)
    if name in state:
        machine.heap.note_read(owner, name)
        if state[name] is GONE:
            raise GraphBreak(ATTRIBUTE, f"attribute `{name}` was deleted")
        return state[name]
    if owner.source is not None and _instance_holds(owner.object, name, found):
        source = Attribute(owner.source, name)
        if hasattr(type(found), "__get__") and not isinstance(found, types.MemberDescriptorType):
            _rely_on_own_place(machine, owner, name)  # reading it would run the descriptor
        machine.guard(IsThere(source))  # the value itself may never be used
        return Lazy(source, _slot_value(owner, name, found))
    if found is MISSING:
        raise GraphBreak(ATTRIBUTE, f"{what(owner)} has no attribute `{name}`")
    return _of_class(machine, owner, name, found)


def _found_in_class(machine: Machine, owner: Instance, name: str) -> Any:
    why = why_no_plain_lookup(owner.class_)
    if why is not None:
        detail = f"attribute `{name}` of {what(owner)}: {why}"
        raise refusal(ATTRIBUTE, detail, owner)
    found = class_lookup(owner.class_, name)
    if owner.rely_on_class is None:
        rely_on_class(machine, owner, name, found)
    else:
        _rely_loosely(machine, owner, name, found)
    return found


def _rely_loosely(machine: Machine, owner: Instance, name: str, found: Any, **sets: bool) -> None:
    """Guard class attributes under a name for objects of many classes.

    A function is guarded where it is called, a value where it is used.
    """
    assert owner.source is not None, "of an object that is made here the class is known"
    if is_function(found):
        guard = ClassAttr.like(owner.source, name, Alike.FUNCTION, **sets)
    elif found is MISSING or not hasattr(type(found), "__get__"):
        guard = ClassAttr.like(owner.source, name, Alike.VALUE, **sets)
    else:
        guard = ClassAttr.of(owner.source, name, found, **sets)
    machine.guard(guard)


def rely_on_class(
    machine: Machine, owner: Instance, name: str, found: Any, sets: bool = False
) -> None:
    """Guard what the classes of an object hold under a name; nobody changes a model."""
    if owner.class_ in MODELS:
        return
    if owner.source is not None:
        machine.guard(IsType.of(owner.source, owner.object))
        machine.guard(ClassAttr.of(owner.source, name, found, sets=sets))
    else:
        source = Fixed.of(owner.class_, f"class `{owner.class_.__name__}`")
        machine.guard(ClassAttr.of(source, name, found, of_class=True, sets=sets))


def why_no_plain_lookup(kind: type) -> str | None:
    """Return the reason why a class has no generic attribute look-up; None if it has."""
    reads, _ = native.plain_attributes(kind)
    if reads:
        return None
    if class_lookup(kind, "__getattribute__") is not object.__getattribute__:
        return "its class has __getattribute__"
    return "its class has __getattr__"


def _is_data_descriptor(found: Any) -> bool:
    kind = type(found)
    return found is not MISSING and (hasattr(kind, "__set__") or hasattr(kind, "__delete__"))


def is_slot(found: Any, name: str) -> bool:
    """True for the slot of this very attribute: `C.b = C.a` gives one slot two names."""
    return isinstance(found, types.MemberDescriptorType) and found.__name__ == name


def _instance_holds(object_: Any, name: str, found: Any) -> bool:
    if isinstance(found, types.MemberDescriptorType):
        return True
    names = native.own_names(object_)
    if not only_texts(names):
        raise GraphBreak(ATTRIBUTE, "an object with keys that are no strings")
    return name in names


def _slot_value(owner: Instance, name: str, found: Any) -> Any:
    if isinstance(found, types.MemberDescriptorType):
        try:
            return found.__get__(owner.object)
        except AttributeError as error:
            raise GraphBreak(ATTRIBUTE, str(error)) from None
    return native.own_names(owner.object)[name]


def _of_class(machine: Machine, owner: Instance, name: str, found: Any) -> Symbolic:
    """Return a class attribute as read through an object without such an attribute of its own."""
    if is_function(found):
        if owner.source is not None:
            source = Attribute(owner.source, name)
            if owner.rely_on_class is not None:
                machine.guard(IsMethod.of(source, owner.source))
                return BoundMethod(Lazy(Attribute(source, "__func__"), found), owner)
            machine.guard(IsMethod.of(source, owner.source, found))
        return BoundMethod(fixed(found, f"method `{name}`"), owner)
    if isinstance(found, staticmethod):
        _rely_on_no_own(machine, owner, name, found)
        return fixed(found.__func__, f"static method `{name}`")
    if isinstance(found, classmethod):
        _rely_on_no_own(machine, owner, name, found)
        return class_method(machine, owner, found, f"class method `{name}`")
    if generators.is_method(found):
        return BoundMethod(Known(found), owner)
    if hasattr(type(found), "__get__"):
        detail = f"`{name}` of {what(owner)} is a descriptor of its own kind"
        raise refusal(ATTRIBUTE, detail, owner)
    if owner.source is not None:
        return Lazy(Attribute(owner.source, name), found)
    return fixed(found, f"class attribute `{name}`")


def class_method(
    machine: Machine, owner: Instance, found: classmethod[Any, Any, Any], where: str
) -> BoundMethod:
    """Bind a class method to the object's exact class, which may be a subclass."""
    if owner.source is not None:
        machine.guard(IsType.of(owner.source, owner.object))
    return BoundMethod(fixed(found.__func__, where), Known(owner.kind))


def special_method(machine: Machine, owner: Instance, name: str, found: Any) -> BoundMethod:
    """Return a method such as `__add__` or `__call__`, which is looked up in the class only."""
    if owner.class_ in MODELS:
        return BoundMethod(Known(found), owner)
    rely_on_class(machine, owner, name, found)
    return BoundMethod(fixed(found, f"method `{name}`"), owner)


def _rely_on_no_own(
    machine: Machine,
    owner: Instance,
    name: str,
    found: staticmethod[Any, Any] | classmethod[Any, Any, Any],
) -> None:
    """Guard that no attribute of the object hides the class's."""
    if owner.source is None:
        return
    source = Attribute(owner.source, name)
    if isinstance(found, staticmethod):
        machine.guard(IsObject.of(source, found.__func__))
    else:
        machine.guard(IsObject.of(Attribute(source, "__func__"), found.__func__))


def fixed(object_: Any, name: str) -> Symbolic:
    """Return an object that a guard on its holder has fixed."""
    return Lazy(Fixed.of(object_, name), object_)


def set_attribute(
    machine: Machine, owner: Instance, name: str, value: Symbolic, plain: bool = False
) -> None:
    """Set `owner.name = value` like `object.__setattr__`; with `plain` that is called explicitly.

    Raises:
        GraphBreak: the class sets attributes in its own way.
    """
    _rely_on_plain_store(machine, owner, name, plain)
    state: dict[str, Symbolic] = machine.heap.state(owner) or {}
    check_overwritten(state, owner.object, name)
    fields.assign(machine, Field(owner, name), value, partial(_own, machine, owner, name))


def _own(machine: Machine, owner: Instance, name: str) -> Symbolic:
    """Return what an object itself holds under a name."""
    found = class_lookup(owner.kind, name)
    state: dict[str, Symbolic] = machine.heap.peek(owner) or {}
    held = state.get(name)
    if held is None and owner.source is not None and _instance_holds(owner.object, name, found):
        source = Attribute(owner.source, name)
        if found is not MISSING and not isinstance(found, types.MemberDescriptorType):
            _rely_on_own_place(machine, owner, name)
        machine.guard(IsThere(source))
        held = Lazy(source, _slot_value(owner, name, found))
    if held is None or held is GONE:
        raise GraphBreak(ATTRIBUTE, f"{what(owner)} has no attribute `{name}` of its own")
    return held


def _rely_on_own_place(machine: Machine, owner: Instance, name: str) -> None:
    """Guard that other objects of the class may have just the class's attribute."""
    assert owner.source is not None, "what is made here has no guards"
    found = class_lookup(owner.kind, "__dict__")
    if type(found) is not types.GetSetDescriptorType:
        raise GraphBreak(ATTRIBUTE, f"{what(owner)} has a `__dict__` of its own kind")
    rely_on_class(machine, owner, "__dict__", found)
    machine.guard(IsThere(Key(Attribute(owner.source, "__dict__"), name)))


def _rely_on_being_its_own(machine: Machine, owner: Instance, name: str) -> None:
    """Guard that an object's own attribute is not an attribute of its class."""
    assert owner.source is not None, "what is made here has no guards"
    found = class_lookup(owner.class_, name)
    if found is MISSING:
        machine.guard(ClassAttr.of(owner.source, name, MISSING))
    elif not is_slot(found, name):
        _rely_on_own_place(machine, owner, name)


def delete_attribute(machine: Machine, owner: Instance, name: str, call: Call) -> None:
    """Capture `del owner.name`; the attribute must exist."""
    get_attribute(machine, owner, name, call)
    _rely_on_plain_store(machine, owner, name)
    fields.refuse_other_changes(machine, owner)
    state: dict[str, Symbolic] = dict(machine.heap.state(owner) or {})
    check_overwritten(state, owner.object, name)
    if owner.source is None:
        if name not in state:
            raise GraphBreak(ATTRIBUTE, f"{what(owner)} has no attribute `{name}` of its own")
        del state[name]
    elif name in state or name in native.own_names(owner.object):
        if name not in state:
            _rely_on_being_its_own(machine, owner, name)
        state[name] = GONE
    else:
        raise GraphBreak(ATTRIBUTE, f"{what(owner)} has no attribute `{name}` of its own")
    machine.change(owner, state, object.__delattr__, Known(name))


def _rely_on_plain_store(machine: Machine, owner: Instance, name: str, plain: bool = False) -> None:
    kind = owner.class_
    _, sets = native.plain_attributes(kind)
    if not plain and not sets:
        raise GraphBreak(EFFECT, f"{what(owner)} sets its attributes in its own way")
    found = _found_in_class(machine, owner, name)
    if _is_data_descriptor(found) and not is_slot(found, name):
        detail = f"`{name}` of {what(owner)} is a descriptor of its own kind"
        raise refusal(EFFECT, detail, owner)
    in_slot = isinstance(found, types.MemberDescriptorType)
    if not in_slot and not kind.__dictoffset__:
        raise GraphBreak(EFFECT, f"{what(owner)} has no place for `{name}`")
    if owner.rely_on_class is None:
        rely_on_class(machine, owner, name, found, sets=not plain)
    else:
        _rely_loosely(machine, owner, name, found, sets=not plain, has_names=not in_slot)


_OF_ENUM = {"value": "_value_", "name": "_name_"}
"""Properties of enum members, with the attribute that they read."""


def enum_attribute(machine: Machine, owner: Known, name: str) -> Symbolic | None:
    """Return `member.value` or `member.name`; None for other attributes.

    The member has both in its own namespace, where a program may replace them.
    """
    member = owner.object
    kind, own = type(member), _OF_ENUM.get(name, name)
    found = class_lookup(kind, name)
    if own not in _OF_ENUM.values() or found is not vars(enum.Enum).get(name, MISSING):
        return None
    names = native.own_names(member)
    plain = class_lookup(kind, own) is MISSING and why_no_plain_lookup(kind) is None
    if not plain or not only_texts(names) or own not in names:
        return None
    source = owner.source or Fixed.of(member, f"`{kind.__name__}.{names['_name_']}`")
    machine.guard(ClassAttr.of(source, name, found))
    machine.guard(ClassAttr.of(source, own, MISSING))
    return Lazy(Attribute(source, own), names[own])
