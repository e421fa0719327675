"""Guards that two objects from outside are not one, where the segment changes one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....guards.objects import IsSame, OwnsNames
from ....guards.sources import Attribute, Source
from ....jit.native import names_are_own, own_names
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Dict, Instance, Outside

if TYPE_CHECKING:
    from .machine import Machine


class OneObjectChanges(Exception):  # noqa: N818 (control flow, no error)
    """The segment changes an object that is reached in two ways, which were taken for two objects.

    `names`: those whose identity the next capture guards.
    """

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


def may_be_two(machine: Machine, one: Outside, other: Outside) -> bool:
    """True if an object that is reached in two ways may be two objects in other calls."""
    both = isinstance(one, Instance) and isinstance(other, Instance)
    if not both or not that_vary(machine, one, other):
        return False
    if one in machine.touched or other in machine.touched:
        raise OneObjectChanges(that_vary(machine, one, other))
    return True


def that_vary(machine: Machine, *objects: Outside) -> frozenset[str]:
    """Return the varying objects by way of which these are reached, or which they are."""
    names: set[str] = set()
    for one in objects:
        source: Source | None = one.source
        while source is not None:
            names.add(str(source))
            source = getattr(source, "owner", None)
    return machine.any_kind & names


def guard_distinct(machine: Machine, one: Outside, other: Outside) -> None:
    """Guard two objects, one of which changes: they differ, and neither is the other's `__dict__`.

    Raises:
        GraphBreak: one is the other's `__dict__`.
        OneObjectChanges: they are one.
    """
    if one is not other and one.object is other.object:
        raise OneObjectChanges(that_vary(machine, one, other))
    if one is not other and (_may_be_any(one, other) or type(one.object) is type(other.object)):
        assert one.source is not None
        assert other.source is not None
        machine.guard(IsSame(one.source, other.source, False))
    for owner, names in ((one, other), (other, one)):
        if isinstance(owner, Instance) and isinstance(names, Dict):
            _keep_from_own_names(machine, owner, names)


def _may_be_any(one: Outside, other: Outside) -> bool:
    """True if one may have another class in another call, and so be the other object."""
    both = (one, other)
    return all(isinstance(value, Instance) for value in both) and any(
        isinstance(value, Instance) and value.rely_on_class is not None for value in both
    )


def has_names(owner: Instance) -> bool:
    """True if an object has an attribute dict; the absence of one is relied on.

    Its presence is not: the guards that follow also hold for objects without one.
    """
    return bool(owner.class_.__dictoffset__) or bool(owner.kind.__dictoffset__)


def guard_own_names(machine: Machine, owner: Instance) -> None:
    """Guard that no other object shares the attribute dict of an object that changes.

    Raises:
        GraphBreak: something refers to that dict.
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
        machine.guard(OwnsNames(owner.source))  # the guard does not create the dict
        return
    machine.guard(IsSame(Attribute(owner.source, "__dict__"), names.source, False))
