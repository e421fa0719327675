"""Bodies of functions of NumPy and SciPy: inlined if nothing in them has to be called.

Most of NumPy's functions are written in Python (`np.diff`, `np.std`, `np.nansum`). Their bodies
consist of ufuncs, views and stores, which kernels fuse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...numpy.agreement import agrees
from ...numpy.purity import answers_for_itself, makes_of_indices
from ..flow.positional_iters import may_be_taken_apart, positional_iter
from ..objects.contents import items_to_read
from ..objects.grown import grown_of
from ..objects.listed import holds_arrays
from ..objects.lists import items_of
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import GraphBreak
from ..values.inner_lists import InnerList
from ..values.limits import MAX_LIBRARY_STEPS, MAX_NESTING
from ..values.python_bodies import body_of, holds_decompositions
from ..values.ranges import Range, RangeIterator
from ..values.slices import Slice
from ..values.symbolic import Array, Instance, Known, PositionalIter, Scalar, Symbolic
from ..values.value_kind import Callee
from .inline import inline


def in_line(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Inline a function's body or decomposition; None if something in it has to be called."""
    body = body_of(function)
    machine, frame = call.machine, call.frame
    if body is None:
        return None
    given = (*call.realised(), *call.realised_keywords().values())
    if machine.library_until is None and not all(_is_plain(machine, one) for one in given):
        return None
    mark, outer, before = machine.mark(frame), machine.library_until, machine.decomposition_count
    is_decomposition = holds_decompositions(body.__globals__)
    machine.decomposition_count += is_decomposition
    machine.library_until = outer or machine.steps + MAX_LIBRARY_STEPS
    try:
        made = inline(Known(body), call)
    except GraphBreak:
        made = None
    finally:
        machine.library_until = outer
    # The caller in NumPy's own Python is compared with NumPy.
    has_decomposition = is_decomposition or (outer is None and machine.decomposition_count > before)
    if made is not None and has_decomposition and answers_for_itself(function):
        made = made if agrees(function, call, made, body if is_decomposition else None) else None
    if made is None:
        machine.rollback(frame, mark)
    return made


def _walking(call: Invocation) -> Invocation | None:
    """Return the call with an iterator over positions for its first argument, or None.

    A known number of items is unrolled if possible.
    """
    first = items_to_read(call.machine, call.arguments[0], anywhere=True)
    first = realise(call.machine, first)
    if isinstance(first, Range):
        first = RangeIterator(first.parts)
    iterator = positional_iter(call.machine, call.frame, first)
    if iterator is None or (
        isinstance(iterator.count, Known) and may_be_taken_apart(iterator.item_source)
    ):
        return None
    return replace(call, arguments=(iterator, *call.arguments[1:]))


def in_loop(function: Any, call: Invocation) -> Symbolic | None:
    """Run the builtin's decomposition as a loop over its first argument, or return None."""
    mark = call.machine.mark(call.frame)
    made = None if (walking := _walking(call)) is None else in_line(function, walking)
    if made is None:
        call.machine.rollback(call.frame, mark)
    return made


def _is_plain(machine: Machine, value: Symbolic, depth: int = 0) -> bool:
    """True if an argument contains no user object, whose class might answer for NumPy.

    Lists that contain themselves are not considered plain.
    """
    realised = realise(machine, value)
    if grown_of(machine, realised) is not None:
        return True
    if holds_arrays(machine, realised):
        return False
    items = items_of(machine, realised)
    if items is not None:
        return depth < MAX_NESTING and all(_is_plain(machine, item, depth + 1) for item in items)
    if isinstance(realised, Instance):
        return makes_of_indices(realised.kind)
    return isinstance(
        realised, Array | Scalar | Known | Slice | InnerList | Callee | PositionalIter
    )
