"""Outside lists of varying length, as a whole.

A list of numbers is the array that NumPy makes of it; a list of similar arrays is an object for
calls: `np.stack(self.keys)`.
"""

from __future__ import annotations

import numpy as np

from ....guards.arrays import HoldsArrays
from ....guards.conversions import Listed
from ....guards.sources import Item, Source
from ....jit.ir import graph as ir
from ....jit.ir.types import ArrayType, ObjectsType
from ..state.live import plain_array, realise
from ..state.machine import Machine
from ..values.symbolic import Array, Lazy, List, Symbolic
from .lists import ListState, items_of
from .lists_of_objects import joint_type, longer


def listed(machine: Machine, value: Symbolic) -> Array | None:
    """Return an outside list as an array of its numbers; None if its items have to be known.

    The array must be neither handed out nor written to, since it stands for the list.
    """
    found = _varying(machine, value)
    if found is None or found[1]:
        return None
    assert isinstance(value, List)
    assert value.source is not None
    assert value.object is not None
    kinds = {type(one) for one in value.object}
    whole = kinds == {int}
    if not whole and kinds != {float}:
        return None
    if whole and not all(-(2**63) <= one < 2**63 for one in value.object):
        return None
    source = Listed(value.source, whole)
    if source not in machine.realised:
        array = np.array(value.object)
        machine.remember(source, plain_array(machine, source, array, array.shape, False))
    made = machine.realised[source]
    assert isinstance(made, Array)
    return made


def known_items(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...] | None:
    """Return the items of a tuple or list; None if only calls read them, and for other values."""
    state = machine.heap.state(value) if isinstance(value, List) else None
    known = state is None or isinstance(state, ListState)
    return items_of(machine, value) if known and not holds_arrays(machine, value) else None


def holds_arrays(machine: Machine, value: Symbolic) -> bool:
    """True if `of_arrays` applies."""
    found = _varying(machine, value)
    return found is not None and _item_type(machine, *found) is not None


def of_arrays(machine: Machine, value: Symbolic) -> ir.Value | None:
    """Return an outside list of similar arrays, with items appended here; None for others.

    Calls may only read it; with appended items it is a copy.
    """
    found = _varying(machine, value)
    item = None if found is None else _item_type(machine, *found)
    if found is None or item is None:
        return None
    owner, tail = found
    assert owner.source is not None
    machine.guard(HoldsArrays(owner.source, item.dtype))
    whole = _handed_over(machine, owner.source, ObjectsType.of_items(item))
    if not tail:
        return whole
    arrays = (realise(machine, one) for one in tail)
    return longer(machine, whole, [one.value for one in arrays if isinstance(one, Array)])


def _handed_over(machine: Machine, source: Source, type_: ObjectsType) -> ir.Value:
    """Return the list itself as a parameter of the graph."""
    for value, known in zip(machine.builder.params, machine.param_sources, strict=True):
        if isinstance(value.type, ObjectsType) and known == source:
            return value
    machine.param_sources.append(source)
    return machine.builder.param(type_)


def _varying(machine: Machine, value: Symbolic) -> tuple[List, tuple[Symbolic, ...]] | None:
    """Return (the list, items appended here); None if it was changed otherwise."""
    if not isinstance(value, List) or value.source is None or not value.object:
        return None
    if str(value.source) not in machine.varying:
        return None
    state = machine.heap.state(value) or ListState(None)
    if not isinstance(state, ListState) or state.items is not None or state.extended:
        return None
    return value, state.tail


def _item_type(machine: Machine, owner: List, tail: tuple[Symbolic, ...]) -> ArrayType | None:
    """Return the common type of all items; None if they differ."""
    assert owner.object
    assert owner.source is not None
    first = owner.object[0]
    alike = (
        type(one) is np.ndarray and one.dtype == first.dtype and one.shape == first.shape
        for one in owner.object
    )
    if not all(alike):
        return None
    array = realise(machine, Lazy(Item(owner.source, 0), first))
    joint = array.type if isinstance(array, Array) else None
    for one in tail:
        realised = realise(machine, one)
        if joint is None or not isinstance(realised, Array):
            return None
        both = joint_type(machine, joint, realised.type)
        joint = both if isinstance(both, ArrayType) else None
    return joint
