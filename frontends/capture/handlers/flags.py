"""`x.flags` of an array."""

from __future__ import annotations

import operator

from ..arrays.nodes import opaque_call
from ..state.frame import Frame
from ..state.machine import Machine
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.symbolic import Array, Known, Symbolic

_BY_LAYOUT = ("c_contiguous", "contiguous", "f_contiguous", "fnc", "forc", "fortran")
"""Flags that follow from lengths and strides."""


def flag(machine: Machine, frame: Frame, array: Array, name: str) -> Symbolic:
    """Return `array.flags.name`.

    Raises:
        GraphBreak: it depends on who owns the memory, or may write to it.
    """
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
