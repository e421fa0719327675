"""Pure functions of NumPy and SciPy: inlined if possible, else called.

Most of NumPy's functions are written in Python (`np.diff`, `np.std`, `np.nansum`). Their bodies
consist of ufuncs, views and stores, which kernels fuse. A body is inlined if nothing in it has to
be called; otherwise it is rolled back, and the kernel calls the function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..breaks import GraphBreak
from ..functions.agreement import agrees
from ..functions.arguments import makes_an_array_first
from ..functions.folding import body_of
from ..functions.pure import as_call, as_constant, as_one_op, may_call_back
from ..functions.purity import answers_for_itself, makes_of_indices, trusts_arguments
from ..in_python import is_ours
from ..invocation import Invocation
from ..limits import MAX_DEPTH, MAX_LIBRARY_STEPS
from ..live import look
from ..machine import Machine
from ..objects.grown import grown_of
from ..objects.listed import holds_arrays
from ..objects.lists import items_of
from ..values import Array, Callee, Instance, Known, List, Scalar, Slice, Symbolic, Tuple, Walk
from .displays import array
from .inline import inline


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
    first, rest = look(machine, call.arguments[0]), call.arguments[1:]
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


def in_line(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Inline a function's body or decomposition; None if something in it has to be called."""
    body = body_of(function)
    machine, frame = call.machine, call.frame
    if body is None:
        return None
    given = (*call.looked(), *call.looked_keywords().values())
    if machine.library_until is None and not all(_is_plain(machine, one) for one in given):
        return None
    mark, outer, before = machine.mark(frame), machine.library_until, machine.own_bodies
    ours = is_ours(body.__globals__)
    machine.own_bodies += ours
    machine.library_until = outer or machine.steps + MAX_LIBRARY_STEPS
    try:
        made = inline(Known(body), call)
    except GraphBreak:
        made = None
    finally:
        machine.library_until = outer
    # The caller in NumPy's own Python is compared with NumPy.
    has_ours = ours or (outer is None and machine.own_bodies > before)
    if made is not None and has_ours and answers_for_itself(function):
        made = made if agrees(function, call, made, body if ours else None) else None
    if made is None:
        machine.rollback(frame, mark)
    return made


def _is_plain(machine: Machine, value: Symbolic, depth: int = 0) -> bool:
    """True if an argument contains no user object, whose class might answer for NumPy.

    Lists that contain themselves are not considered plain.
    """
    looked = look(machine, value)
    if grown_of(machine, looked) is not None:
        return True
    if holds_arrays(machine, looked):
        return False
    items = items_of(machine, looked)
    if items is not None:
        return depth < MAX_DEPTH and all(_is_plain(machine, item, depth + 1) for item in items)
    if isinstance(looked, Instance):
        return makes_of_indices(looked.kind)
    return isinstance(looked, Array | Scalar | Known | Slice | Callee | Walk)
