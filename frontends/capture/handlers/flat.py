"""`x.flat`: the items of an array in C order."""

from __future__ import annotations

from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.ops import PUT
from ...numpy import numpy_calls
from ...runtime import exit_calls
from ..arrays.arguments import opaque
from ..arrays.nodes import opaque_call
from ..arrays.stores import assign
from ..arrays.windows import read
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import LOOP, GraphBreak
from ..values.slices import Slice
from ..values.symbolic import Array, Known, Scalar, Symbolic
from ..values.value_kind import RecipeOf, ValueKind

WRITTEN = ("flat", "imag", "real")
"""Attributes of an array whose assignment writes its items."""


@dataclass(frozen=True, eq=False, slots=True)
class Flat(ValueKind):
    """`x.flat` of an array, not yet iterated."""

    words = "`flat` of an array"
    owner: Array

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Read the attribute."""
        return ir.Call(getattr, (of(self.owner), ir.Constant("flat")))


def _line_of(machine: Machine, frame: Frame, flat: Flat) -> Array | None:
    """Return the items as a 1-d view; None if memory has another order."""
    if not flat.owner.type.layout.is_c:
        return None
    call = Invocation(machine, frame, (flat.owner, Known(-1)), {})
    line = numpy_calls.call_row(numpy_calls.METHODS["reshape"], call)
    return line if isinstance(line, Array) else None


def _line_to_iterate(machine: Machine, frame: Frame, flat: Flat) -> Array:
    """Return the array over which a loop iterates."""
    line = _line_of(machine, frame, flat)
    if line is None:
        raise GraphBreak(LOOP, "iteration over `flat` of an array in another order than that of C")
    return line


def _read(machine: Machine, frame: Frame, flat: Flat, key: Symbolic) -> Symbolic:
    """Return `x.flat[key]`."""
    line = _line_of(machine, frame, flat)
    if line is not None and isinstance(realise(machine, key), Known | Scalar):
        return read(machine, line, key)
    return opaque_call(machine, frame, exit_calls.item_of_flat, (flat.owner, key), {})


def _write(machine: Machine, frame: Frame, flat: Flat, key: Symbolic, value: Symbolic) -> None:
    """Capture `x.flat[key] = value`.

    A number of the dtype is stored through a view if there is one.
    """
    line = _line_of(machine, frame, flat)
    number, place = realise(machine, value), realise(machine, key)
    plain = isinstance(number, Scalar) and number.type.dtype == flat.owner.type.dtype
    if line is not None and plain and isinstance(place, Known | Scalar | Slice):
        target = read(machine, line, key, whole=True)
        assert isinstance(target, Array)
        assign(machine, frame, target, number)
        return
    _put(machine, frame, flat.owner, exit_calls.set_items_of_flat, (key, value))


def write_attribute(
    machine: Machine, frame: Frame, owner: Array, name: str, value: Symbolic
) -> None:
    """Capture `x.flat = value` and the like."""
    _put(machine, frame, owner, exit_calls.set_attribute, (Known(name), value))


def _put(
    machine: Machine, frame: Frame, owner: Array, function: Any, given: tuple[Symbolic, ...]
) -> None:
    inputs, call = opaque(machine, function, (owner, *given), {})
    where = frame.location()
    machine.change_memory(PUT, owner.value, inputs, {"call": call}, where, may_stop_midway=True)


BEHAVIOURS[Flat] = Behaviour(item=_read, assign_item=_write, iterated=_line_to_iterate)
