"""Calls with an `out=` array, which kernels make as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...jit.ir.infer import CannotInfer
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import OPAQUE, PUT
from ..capture.arrays.arguments import opaque
from ..capture.state.frame import Frame
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.breaks import EFFECT, GraphBreak
from ..capture.values.symbolic import Array, Symbolic, Tuple


def call_into(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: Mapping[str, Symbolic],
) -> Array:
    """Call `function(*arguments, **keywords)` with `out` among the keywords, and return that.

    Raises:
        GraphBreak: `out` is no plain array, or the function does anything else.
    """
    name = getattr(function, "__name__", function)
    out = realise(machine, keywords["out"])
    if isinstance(out, Tuple) and len(out.items) == 1:
        out = realise(machine, out.items[0])
    if not isinstance(out, Array):
        raise GraphBreak(EFFECT, f"out= of `{name}`, which is no plain array")
    inputs, call = opaque(machine, function, arguments, keywords)
    asked = OpaqueCall(_checking_output(function), call.args, call.kwargs)
    try:
        machine.builder.infer(OPAQUE, inputs, {"call": asked})
    except CannotInfer as error:
        raise GraphBreak(EFFECT, f"out= of `{name}`: {error}") from None
    where = frame.location()
    machine.change_memory(PUT, out.value, inputs, {"call": call}, where, may_stop_midway=True)
    return out


def _checking_output(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that checks, on examples that stay unwritten, if the result is the output.

    Only ufuncs and their callers accept a tuple of one array for it.
    """

    def gives_its_output(*args: Any, out: Any, **kwargs: Any) -> bool:
        room = (out[0] if type(out) is tuple else out).copy(order="K")
        given = (room,) if type(out) is tuple else room
        if function(*args, out=given, **kwargs) is not room:
            raise TypeError("the result is another object")
        return True

    return gives_its_output
