"""Functions and array methods of NumPy that write into their first argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...jit.ir.graph import Value
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import PUT
from ...jit.ir.types import ArrayType, ScalarType
from ..capture.arrays.arguments import opaque
from ..capture.arrays.stores import assign
from ..capture.state.frame import Frame
from ..capture.state.invocation import Invocation
from ..capture.state.live import concrete, realise
from ..capture.state.machine import Machine
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic
from . import numpy_calls
from .numpy_calls import NONE, function_row, method_row
from .pure import calls_back

TRUE, SAME_KIND = Known(True), Known("same_kind")
"""Default values of arguments."""
WRITING: frozenset[Callable[..., Any]] = frozenset(
    (np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask)
)
WRITING_METHODS = frozenset(("partition", "put", "sort"))
"""Methods that keep the array's shape, dtype and layout."""


def write(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Let the kernel make a call as it is; None if its first argument is no plain array.

    Some write partially before they raise: a bail restores the array, and eager repeats the call.
    """
    machine = call.machine
    values = call.realised()
    named = {name: realise(machine, value) for name, value in call.keywords.items()}
    if not values or not isinstance(values[0], Array):
        return None
    if any(map(calls_back, (*values, *named.values()))):
        return None
    inputs, made = opaque(machine, function, tuple(values), named)
    if values[0].type.dtype.kind != "c" and _has_complex(inputs, made):
        return None  # NumPy warns at the call's line that it drops imaginary parts
    location = call.frame.location()
    machine.change_memory(
        PUT, values[0].value, inputs, {"call": made}, location, may_stop_midway=True
    )
    return NONE


def _has_complex(inputs: Sequence[Value], call: OpaqueCall) -> bool:
    """True if a call is given a complex number."""
    types = (one.type for one in inputs)
    if any(isinstance(one, ArrayType | ScalarType) and one.dtype.kind == "c" for one in types):
        return True
    constants: list[Any] = []
    call.with_constants(constants.append)
    return any(isinstance(one, complex | np.complexfloating) for one in constants)


@method_row("fill")
def fill(machine: Machine, frame: Frame, owner: Array, value: Symbolic) -> Symbolic | None:
    number = realise(machine, value)
    if not isinstance(number, Known | Scalar):
        return None
    assign(machine, frame, owner, number)
    return NONE


@function_row(np.copyto)
def copyto(
    machine: Machine,
    frame: Frame,
    dst: Symbolic,
    src: Symbolic,
    casting: Symbolic = SAME_KIND,
    where: Symbolic = TRUE,
) -> Symbolic | None:
    """Capture `copyto`; with `where=` the other elements are written unchanged."""
    how = concrete(machine, casting)
    target, value, chosen = (realise(machine, one) for one in (dst, src, where))
    if not isinstance(target, Array) or not isinstance(value, Array | Scalar | Known):
        return None
    if isinstance(chosen, Array):
        if chosen.type.dtype.char != "?":
            return None
        made = numpy_calls.where(machine, frame, chosen, value, target)
        if not isinstance(made, Array) or made.type.dtype != target.type.dtype:
            return None
        value = made
    elif chosen is not TRUE:
        return None
    if how is None or type(how.object) is not str:
        return None
    if isinstance(value, Known) and how.object != "unsafe":
        return None
    assign(machine, frame, target, value, how.object)
    return NONE
