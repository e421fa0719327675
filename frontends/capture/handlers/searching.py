"""`index` and `count` of lists and tuples, and `in` of lists whose items only running tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ....guards.conversions import IndexOf
from ....jit.ir.types import PY_INT
from ...numpy.decompositions import walking
from ..flow.positional_iters import positional_iter
from ..objects import attributes, dicts
from ..objects.contents import items_to_read
from ..objects.grown import grown_of
from ..objects.lists import items_of
from ..state.distinct_objects import that_vary
from ..state.frame import Frame
from ..state.invocation import Handler, Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import GraphBreak
from ..values.class_namespaces import class_lookup
from ..values.folding import folded
from ..values.inner_lists import InnerList
from ..values.symbolic import Instance, Known, List, Scalar, Symbolic, Tuple
from .builtins import builtin
from .library_bodies import in_line
from .stack import is_same

_MOST_COMPARED: Final = 32
"""Numbers that are compared one by one."""


def _searching(function: Any) -> Handler:
    """The handler of a method; `function` is the same as a loop over numbers."""

    def handler(call: Invocation) -> Symbolic | None:
        machine = call.machine
        owner, value = call.realised()
        if _is_number(value):
            owner = realise(machine, items_to_read(machine, owner, anywhere=True))
        if grown_of(machine, owner) is not None:
            return _in_loop(function, replace(call, arguments=(owner, value)))
        items = items_of(machine, owner) if isinstance(owner, List | Tuple) else None
        if items is None:
            return None
        realised = [realise(machine, item) for item in items]
        if function is walking.index_of and (place := _place(machine, owner, realised, value)):
            return place
        found = [_is_equal(machine, item, value) for item in realised]
        if None not in found:
            return _answer(function, [one is True for one in found])
        if len(items) > _MOST_COMPARED or not all(map(_is_number, (*realised, value))):
            return None
        return in_line(function, replace(call, arguments=(Tuple(tuple(realised)), value)))

    return handler


def _place(
    machine: Machine, owner: Symbolic, items: list[Symbolic], value: Symbolic
) -> Scalar | None:
    """Return the index of an object that varies from call to call in an outside list.

    None for others, and where comparing the items could run code of the user.
    """
    if not isinstance(owner, List) or not isinstance(value, Instance) or value.source is None:
        return None
    if owner.source is None or owner.object is None or owner in machine.touched:
        return None
    if not that_vary(machine, value, *(one for one in items if isinstance(one, Instance))):
        return None
    if not all(isinstance(one, Instance) and _by_identity(one) for one in (value, *items)):
        return None
    place = next((k for k, one in enumerate(owner.object) if one is value.object), None)
    if place is None:
        return None
    source = IndexOf(owner.source, value.source)
    if source not in machine.realised:
        machine.param_sources.append(source)
        machine.remember(source, Scalar(machine.builder.param(PY_INT, place)))
    found = machine.realised[source]
    assert isinstance(found, Scalar)
    return found


def _by_identity(one: Instance) -> bool:
    """True if `==` compares identities; C asks each object for it once more."""
    return class_lookup(one.class_, "__eq__") is object.__eq__


def _in_loop(function: Any, call: Invocation) -> Symbolic | None:
    """Search a list that has grown for a number."""
    owner, value = call.arguments
    iterator = positional_iter(call.machine, call.frame, owner)
    if iterator is None or not _is_number(value):
        return None
    return in_line(function, replace(call, arguments=(iterator, value)))


def count_in_list(
    machine: Machine, frame: Frame, owner: Symbolic, value: Symbolic
) -> Symbolic | None:
    """Return how often a list has a number, for `in`; None if its items are known one by one."""
    if not isinstance(owner, List | InnerList) or not _is_number(value):
        return None
    owner = realise(machine, items_to_read(machine, owner, anywhere=True))
    if grown_of(machine, owner) is None and not isinstance(owner, InnerList):
        return None
    return _in_loop(walking.count_of, Invocation(machine, frame, (owner, value), {}))


def _answer(function: Any, found: list[bool]) -> Symbolic | None:
    if function is walking.count_of:
        return Known(sum(found))
    return Known(found.index(True)) if True in found else None


def _is_number(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) in (bool, int, float)
    return isinstance(value, Scalar)


def _is_equal(machine: Machine, item: Symbolic, value: Symbolic) -> bool | None:
    """Return True if an item is, or equals, the value searched; None if only running tells."""
    if isinstance(item, Instance) and isinstance(value, Instance):
        for one in (item, value):
            if not _by_identity(one):
                return None
            attributes.rely_on_class(machine, one, "__eq__", object.__eq__)
        return is_same(machine, item, value)
    if not isinstance(item, Known) or not isinstance(value, Known):
        return False if _are_number_and_text(item, value) else None
    if not dicts.is_plain_key(item.object) or not dicts.is_plain_key(value.object):
        return None
    dicts.rely_on_plain_key(machine, (item.object, value.object))
    try:
        return bool(folded(_is_among, item.object, value.object))
    except GraphBreak:  # `python -b` warns of bytes and str
        return None


def _are_number_and_text(one: Symbolic, other: Symbolic) -> bool:
    """Return True if one is a Python number and the other a constant that is not a number."""
    if isinstance(one, Known):
        one, other = other, one
    plain = isinstance(other, Known) and type(other.object) in (str, bytes, type(None))
    return plain and isinstance(one, Scalar) and one.type.python


def _is_among(item: Any, value: Any) -> bool:
    return value in (item,)


for _kind in (list, tuple):
    builtin(_kind.index, takes=(2, 2))(_searching(walking.index_of))
    builtin(_kind.count, takes=(2, 2))(_searching(walking.count_of))
