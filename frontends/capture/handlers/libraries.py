"""Pure functions of NumPy and SciPy: inlined if possible, else the kernel calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...numpy.pure import as_call, as_constant, as_one_op, may_call_back
from ...numpy.purity import trusts_arguments
from ..arrays.arguments import makes_an_array_first
from ..state.invocation import Invocation
from ..state.live import realise
from ..values.symbolic import List, Symbolic, Tuple
from .displays import array
from .library_bodies import in_line


def library_call(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Capture a pure function; None if it would call an argument, or trusts arguments unsafely."""
    if trusts_arguments(function, len(call.arguments), call.keywords):
        return None
    if may_call_back(call):
        return in_line(function, call)
    for way in (as_constant, in_line, as_one_op, _of_an_array):
        made = way(function, call)
        if made is not None:
            return made
    return as_call(function, call)


def _of_an_array(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Capture a function of a list as the same function of the array that it makes, if possible."""
    if not call.arguments:
        return None
    machine, frame = call.machine, call.frame
    first, rest = realise(machine, call.arguments[0]), call.arguments[1:]
    if not isinstance(first, List | Tuple) or first.source is not None:
        return None
    if not makes_an_array_first(machine, function, call.arguments, call.keywords):
        return None
    mark = machine.mark(frame)
    array_of_it = array(machine, frame, first)
    if array_of_it is not None:
        of_array = replace(call, arguments=(array_of_it, *rest))
        made = in_line(function, of_array) or as_one_op(function, of_array)
        if made is not None:
            return made
    machine.rollback(frame, mark)
    return None
