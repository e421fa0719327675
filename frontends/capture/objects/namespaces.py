"""Module variables: items of a dict that regions create as well as change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ....guards.namespaces import EndsUnobserved, Lacks
from ....guards.objects import IsThere
from ....guards.sources import Fixed, Global
from ..state.forks import ForkOfKinds
from ..state.heap import Field, MustCarry
from ..state.paths import Pause
from ..values.breaks import EFFECT, UNBOUND, GraphBreak
from ..values.symbolic import Dict, Known, Lazy, Symbolic, may_be_unbound
from . import dicts, fields
from .dicts import DictState
from .finalisation import check_dropped

if TYPE_CHECKING:
    from ..state.machine import Machine

Namespace = dict[str, Any]


def _dict_of(machine: Machine, namespace: Namespace) -> Dict:
    if type(namespace) is not dict:
        raise GraphBreak(EFFECT, "a change of a namespace of a class of its own")
    met = machine.meet(Dict(Fixed.of(namespace, "the globals"), namespace))
    assert isinstance(met, Dict)
    return met


def held_under(machine: Machine, namespace: Namespace, name: str) -> Symbolic | None:
    """Return what a namespace holds under a name; None if it lacks the name.

    Raises:
        ForkOfKinds: that is known only at run time.
    """
    owner = machine.seen.get(id(namespace))
    state: DictState | None = None if owner is None else machine.heap.peek(owner)
    if owner is None or state is None or not state.knows(name):
        if name not in namespace:
            return None
        source = Global.of(namespace, name, behind=False)
        machine.named.append(source)
        return Lazy(source, namespace[name])
    field = Field(owner, name)
    if field in machine.heap.fields:
        machine.heap.read.add(field)
    else:
        machine.heap.objects_read.add(owner)
    value = machine.one_of(state.get(name))
    if may_be_unbound(value):
        raise ForkOfKinds(value)
    return value


def store(machine: Machine, namespace: Namespace, name: str, value: Symbolic) -> None:
    """Assign a name.

    Raises:
        MustCarry: in the body of a region that does not carry it yet.
        GraphBreak: it cannot be carried.
    """
    if name == "__builtins__":
        raise GraphBreak(EFFECT, "a store into `__builtins__`")
    owner = _dict_of(machine, namespace)
    machine.guard(EndsUnobserved.of(namespace, name))
    dicts.set_item(machine, owner, name, value, partial(_begin_with, machine, owner, name))


def delete(machine: Machine, namespace: Namespace, name: str) -> None:
    """Delete a name.

    Raises:
        GraphBreak: eager raises a NameError, or it is in the body of a region.
    """
    owner = _dict_of(machine, namespace)
    held = held_under(machine, namespace, name)
    if held is None:
        raise GraphBreak(UNBOUND, f"name `{name}` is not defined")
    check_dropped(held)
    machine.guard(EndsUnobserved.of(namespace, name))
    fields.refuse_other_changes(machine, owner)
    _begin_with(machine, owner, name)
    state = machine.heap.peek(owner)
    machine.change(owner, state.without(name), dict.__delitem__, Known(name))


def carry(machine: Machine, namespace: Namespace, names: Iterable[str]) -> None:
    """Let each path of a loop in the module's body have its own values of names that it stores.

    Raises:
        Pause: the segment has to end before the loop, as names that an earlier loop may have left
            unbound would be created after others.
        MustCarry: some are not carried yet. They begin before the loop, and so precede names that
            are met while it is captured, which it creates later.
    """
    wanted = dict.fromkeys(names)
    if not wanted or type(namespace) is not dict:
        return
    owner = _dict_of(machine, namespace)
    heap = machine.heap
    missing = [
        name
        for name in wanted
        if Field(owner, name) not in heap.fields and Field(owner, name) not in heap.not_carried
    ]
    if not missing:
        return
    if heap.out_of_order:
        detail = "names that a loop creates, behind names that may have been created before them"
        raise Pause("waits", EFFECT, detail)

    def begin() -> bool:
        reads = {Field(owner, name): partial(_begin_with, machine, owner, name) for name in missing}
        begun = [fields.begin(machine, field, read) for field, read in reads.items()]
        return all(begun)

    raise MustCarry(begin, "it changes globals")


def _begin_with(machine: Machine, owner: Dict, name: str) -> Symbolic | None:
    """Return what is under a name before a region changes it, guarding its presence or absence."""
    namespace = owner.object
    assert namespace is not None
    state = machine.heap.state(owner) or DictState(whole=False)
    if state.knows(name):
        found: Symbolic | None = state.get(name)
        return found
    if name in namespace:
        source = Global.of(namespace, name, behind=False)
        machine.guard(IsThere(source))  # the value itself may never be used
        value = Lazy(source, namespace[name])
        entries = {**state.entries, name: value}
        machine.heap.learn(owner, replace(state, entries=entries))
        return value
    machine.guard(Lacks.of(namespace, name))
    machine.heap.learn(owner, replace(state, absent=state.absent | {name}))
    return None
