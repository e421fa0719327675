"""`x.flags` of an array."""

from __future__ import annotations

import operator

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ..arrays.nodes import opaque_call
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.machine import Machine
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.symbolic import Array, Known, Symbolic
from ..values.value_kind import RecipeOf, ValueKind

_BY_LAYOUT = ("c_contiguous", "contiguous", "f_contiguous", "fnc", "forc", "fortran")
"""Flags that follow from lengths and strides."""


@dataclass(frozen=True, eq=False, slots=True)
class Flags(ValueKind):
    """`x.flags` of an array."""

    words = "`flags` of an array"
    owner: Array

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Read the attribute."""
        return ir.Call(getattr, (of(self.owner), ir.Constant("flags")))


def _flag(machine: Machine, frame: Frame, flags: Flags, name: str) -> Symbolic:
    """Return `array.flags.name`.

    Raises:
        GraphBreak: it depends on who owns the memory, or may write to it.
    """
    array = flags.owner
    if name == "aligned":
        return Known(True)
    if name not in _BY_LAYOUT:
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of `flags` of an array")
    if name in ("c_contiguous", "contiguous"):
        if array.type.layout.is_c:
            return Known(True)
        dims = map(machine.builder.resolve, array.type.dims)
        if array.source is not None and all(not isinstance(dim, int) or dim > 1 for dim in dims):
            return Known(False)  # lengths of outside arrays are 0, 1 or more
    return opaque_call(machine, frame, operator.attrgetter(f"flags.{name}"), (array,), {})


BEHAVIOURS[Flags] = Behaviour(attribute=_flag)
