"""Functions of NumPy and SciPy that depend on their arguments only: in line, or called.

Most of NumPy's functions are Python in NumPy's files: `np.diff`, `np.std`, `np.nansum`. Their
bodies come down to ufuncs, windows and stores, which the kernel writes as loops. A body is captured
in line where nothing is left in it that would be called; otherwise all of it is undone, and the
kernel calls the function itself.
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
    """What a pure function gives; None when it would call one of its arguments, or trusts them."""
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
    """The function of the array that it makes of a list first, where that is captured."""
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
    """The body of the function in place of the call; None where something in it must be called."""
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
    # What stands for a function that NumPy's own Python calls is asked about by that.
    has_ours = ours or (outer is None and machine.own_bodies > before)
    if made is not None and has_ours and answers_for_itself(function):
        made = made if agrees(function, call, made, body if ours else None) else None
    if made is None:
        machine.rollback(frame, mark)
    return made


def _is_plain(machine: Machine, value: Symbolic, depth: int = 0) -> bool:
    """Whether no object of the user's is in an argument: its class may answer in NumPy's place.

    It is not said of a list that may be in itself.
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
