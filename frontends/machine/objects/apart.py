"""Objects from outside that a segment takes for two: guards see to it that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....guards.objects import IsSame, OwnsNames
from ....guards.sources import Attribute
from ....jit.native import names_are_own, own_names
from ..breaks import EFFECT, GraphBreak
from ..values import Dict, Instance, Outside

if TYPE_CHECKING:
    from ..machine import Machine


def keep_apart(machine: Machine, one: Outside, other: Outside) -> None:
    """One of them is changed: the other one is not it, and none is the dict that holds the other.

    Raises:
        GraphBreak: it is.
    """
    if one is not other and (_may_be_any(one, other) or type(one.object) is type(other.object)):
        assert one.source is not None
        assert other.source is not None
        machine.guard(IsSame(one.source, other.source, False))
    for owner, names in ((one, other), (other, one)):
        if isinstance(owner, Instance) and isinstance(names, Dict):
            _keep_from_own_names(machine, owner, names)


def _may_be_any(one: Outside, other: Outside) -> bool:
    """Whether one of them may be of another class at another call, and so the other object."""
    both = (one, other)
    return all(isinstance(value, Instance) for value in both) and any(
        isinstance(value, Instance) and value.rely_on_class is not None for value in both
    )


def has_names(owner: Instance) -> bool:
    """Whether an object has a dict of attributes; that it has none is relied on.

    That it has one is not: the guards that follow hold for objects without one, too.
    """
    return bool(owner.class_.__dictoffset__) or bool(owner.kind.__dictoffset__)


def keep_from_sharing(machine: Machine, owner: Instance) -> None:
    """It is changed: no other object has the dict of its attributes for its own.

    Raises:
        GraphBreak: something holds that dict.
    """
    if not has_names(owner):
        return
    if not names_are_own(owner.object):
        raise GraphBreak(EFFECT, "a change of an object whose `__dict__` something else holds")
    assert owner.source is not None
    machine.guard(OwnsNames(owner.source))


def _keep_from_own_names(machine: Machine, owner: Instance, names: Dict) -> None:
    if not has_names(owner):
        return
    if own_names(owner.object) is names.object:
        raise GraphBreak(EFFECT, "a change of an object beside the dict of its attributes")
    assert owner.source is not None
    assert names.source is not None
    if names_are_own(owner.object):
        machine.guard(OwnsNames(owner.source))  # which makes no dict of them
        return
    machine.guard(IsSame(Attribute(owner.source, "__dict__"), names.source, False))
