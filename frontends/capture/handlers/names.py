"""Globals, module variables, and closure cells."""

from __future__ import annotations

import builtins
from functools import partial
from typing import Any

from ....guards.sources import Contents, Fixed, Global, Held, Source
from ...numpy.library import held_by_library
from ..objects import fields, namespaces
from ..state.forks import ForkOfKinds
from ..state.frame import Frame
from ..state.heap import Field
from ..state.live import refuse_lazy_import
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, UNBOUND, GraphBreak
from ..values.python_bodies import is_of_a_library
from ..values.symbolic import Cell, Lazy, Symbolic, Unknown, may_be_unbound


@handles("LOAD_NAME", "LOAD_GLOBAL")
def load_global(machine: Machine, frame: Frame, name: str) -> None:
    frame.stack.append(global_of(machine, frame.namespace, name))


def _builtins_behind(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the builtins that new frames of the module get."""
    behind = namespace.get("__builtins__", builtins.__dict__)
    return behind if isinstance(behind, dict) else vars(behind)


def global_of(
    machine: Machine, namespace: dict[str, Any], name: str, of_module: bool = False
) -> Symbolic:
    """Return a global or builtin; `of_module`: an existing attribute of a module."""
    found = _global_of(machine, namespace, name, of_module)
    if isinstance(found, Lazy):
        refuse_lazy_import(found.object)
    return found


def _global_of(machine: Machine, namespace: dict[str, Any], name: str, of_module: bool) -> Symbolic:
    behind = _builtins_behind(namespace)
    home = namespace if name in namespace else behind
    of_body = machine.library_until is not None and home is namespace  # `warnings.warn`
    if type(home) is dict and name in home and (of_body or is_of_a_library(namespace)):
        return held_by_library(machine, home, name)
    held = namespaces.held_under(machine, namespace, name)
    if held is not None:
        return held
    if home is namespace:
        raise GraphBreak(UNBOUND, f"name `{name}` was deleted")
    if of_module or name not in behind:
        raise GraphBreak(UNBOUND, f"name `{name}` is not defined")
    if behind is not builtins.__dict__:  # existing frames keep the builtins that they got
        raise GraphBreak(UNBOUND, f"builtin `{name}` of a module with `__builtins__` of its own")
    source = Global.of(namespace, name)
    machine.named.append(source)
    return Lazy(source, behind[name])


@handles("STORE_NAME", "STORE_GLOBAL")
def store_global(machine: Machine, frame: Frame, name: str) -> None:
    namespaces.store(machine, frame.namespace, name, frame.stack.pop())


@handles("DELETE_NAME", "DELETE_GLOBAL")
def delete_global(machine: Machine, frame: Frame, name: str) -> None:
    namespaces.delete(machine, frame.namespace, name)


@handles("COPY_FREE_VARS")
def copy_free_vars(machine: Machine, frame: Frame, count: int) -> None:
    """Do nothing: the cells were put into the frame when it was made."""


@handles("MAKE_CELL")
def make_cell(machine: Machine, frame: Frame, slot: int) -> None:
    made = Cell(frame.decoded.localsplus[slot])
    machine.heap.make(made, frame.locals[slot])
    frame.cells[slot] = made
    frame.locals[slot] = None


@handles("LOAD_CLOSURE")
def load_closure(machine: Machine, frame: Frame, slot: int) -> None:
    frame.stack.append(_cell(machine, frame, slot))


def _cell(machine: Machine, frame: Frame, slot: int) -> Cell:
    found = frame.cells.get(slot)
    if isinstance(found, Unknown):  # the frame has made it, which runs later than this is explored
        name = frame.decoded.localsplus[slot]
        raise GraphBreak(INSTRUCTION, f"variable `{name}` of inner functions", guess=True)
    if not isinstance(found, Cell):
        raise GraphBreak(UNBOUND, f"closure variable `{frame.decoded.localsplus[slot]}`")
    if found.source is not None:
        met = machine.meet(found)
        assert isinstance(met, Cell)
        return met
    return found


@handles("LOAD_DEREF")
def load_deref(machine: Machine, frame: Frame, slot: int) -> None:
    frame.stack.append(cell_contents(machine, _cell(machine, frame, slot)))


def cell_contents(machine: Machine, cell: Cell) -> Symbolic:
    """Return the contents of a cell."""
    machine.heap.note_read(cell)
    known = machine.one_of(machine.heap.state(cell))
    if may_be_unbound(known):
        raise ForkOfKinds(known)
    if known is not None:
        return known
    if cell.source is None or cell.object is None:
        raise GraphBreak(UNBOUND, f"closure variable `{cell.name}`")
    try:
        contents = cell.object.cell_contents
    except ValueError:
        raise GraphBreak(UNBOUND, f"closure variable `{cell.name}`") from None
    # Cells of a closure belong to the function; a cell that is a live-in belongs to the call.
    source: Source = Held(cell.source, cell.name)
    if isinstance(cell.source, Fixed):
        source = Contents(cell.name, cell.object, id(cell.object))
    machine.named.append(source)
    return Lazy(source, contents)


@handles("STORE_DEREF")
def store_deref(machine: Machine, frame: Frame, slot: int) -> None:
    value, cell = frame.stack.pop(), _cell(machine, frame, slot)
    fields.assign(machine, Field(cell), value, partial(_held_by, machine, cell))


def _held_by(machine: Machine, cell: Cell) -> Symbolic | None:
    """Return the contents of a cell; None while a variable of an inlined function is unbound."""
    if cell.source is None:
        held: Symbolic | None = machine.heap.peek(cell)
        return held
    return cell_contents(machine, cell)
