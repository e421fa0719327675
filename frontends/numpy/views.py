"""Functions and array methods of NumPy that return the same items with other axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...jit.ir.indexing import Index, Span
from ...jit.ir.ops import INDEX, TRANSPOSE
from ..capture.objects.listed import known_items
from ..capture.state.frame import Frame
from ..capture.state.live import concrete, realise
from ..capture.state.machine import Machine
from ..capture.values.limits import MAX_NESTING
from ..capture.values.symbolic import Array, Known, Symbolic
from .numpy_calls import NONE, function_row, method_row, view

ZERO = Known(0)
"""Default value of an argument."""


@function_row(np.transpose)
def transpose(
    machine: Machine, frame: Frame, a: Symbolic, axes: Symbolic = NONE
) -> Symbolic | None:
    return _in_other_order(machine, np.transpose, a, axes)


@method_row("transpose")
def transpose_of(machine: Machine, frame: Frame, owner: Array, *axes: Symbolic) -> Symbolic | None:
    return _in_other_order(machine, np.ndarray.transpose, owner, *axes)


@function_row(np.swapaxes)
@method_row("swapaxes")
def swapaxes(
    machine: Machine, frame: Frame, a: Symbolic, axis1: Symbolic, axis2: Symbolic
) -> Symbolic | None:
    return _in_other_order(machine, np.swapaxes, a, axis1, axis2)


@function_row(np.moveaxis)
def moveaxis(
    machine: Machine, frame: Frame, a: Symbolic, source: Symbolic, destination: Symbolic
) -> Symbolic | None:
    return _in_other_order(machine, np.moveaxis, a, source, destination)


@function_row(np.rollaxis)
def rollaxis(
    machine: Machine, frame: Frame, a: Symbolic, axis: Symbolic, start: Symbolic = ZERO
) -> Symbolic | None:
    return _in_other_order(machine, np.rollaxis, a, axis, start)


@method_row("squeeze")
def squeeze(machine: Machine, frame: Frame, owner: Array, axis: Symbolic = NONE) -> Symbolic | None:
    """Remove axes of length 1; without any, return the array itself."""
    given = _constants(machine, (axis,))
    dims = [machine.builder.resolve(dim) for dim in owner.type.dims]
    if given is None:
        return None
    if given == [None] and 1 not in dims:
        return owner if all(map(machine.builder.is_never_one, dims)) else None
    lengths = [dim if dim == 1 else k + 2 for k, dim in enumerate(dims)]
    if not dims or _shape_on_example(np.squeeze, lengths, *given) is None:
        return None
    (axes,) = given
    chosen = [k for k, dim in enumerate(dims) if dim == 1] if axes is None else axes
    gone = {k % len(dims) for k in (chosen if not isinstance(chosen, int) else (chosen,))}
    parts = tuple(0 if k in gone else Span() for k in range(len(dims)))
    return view(machine, INDEX, owner, (), {"index": Index(parts)})


def _in_other_order(
    machine: Machine, function: Callable[..., Any], a: Symbolic, *given: Symbolic
) -> Symbolic | None:
    """Return the array transposed as NumPy does; errors of NumPy must occur in each call."""
    owner, known = realise(machine, a), _constants(machine, given)
    if not isinstance(owner, Array) or known is None:
        return None
    made = _shape_on_example(function, [k + 2 for k in range(owner.type.ndim)], *known)
    if made is None:
        return None
    return view(machine, TRANSPOSE, owner, (), {"axes": tuple(n - 2 for n in made)})


def _shape_on_example(
    function: Callable[..., Any], lengths: list[int], *given: Any
) -> tuple[int, ...] | None:
    """Return the shape of a function's result for an array of this shape."""
    example = np.broadcast_to(np.int8(0), lengths)
    try:
        made = function(example, *given)
    except Exception:
        return None
    shape: tuple[int, ...] = made.shape
    return shape


def _is_constant(argument: Any) -> bool:
    if type(argument) is tuple:
        return all(type(item) is int for item in argument)
    return type(argument) is int or argument is None


def _constants(machine: Machine, values: tuple[Symbolic, ...], depth: int = 0) -> list[Any] | None:
    """Return known arguments: ints and sequences of them, not recursive."""
    if depth > MAX_NESTING:
        return None
    found: list[Any] = []
    for value in values:
        items = known_items(machine, realise(machine, value))
        known = concrete(machine, value) if items is None else None
        if items is not None:
            parts = _constants(machine, tuple(items), depth + 1)
            if parts is None:
                return None
            found.append(tuple(parts))
        elif known is not None and _is_constant(known.object):
            found.append(known.object)
        else:
            return None
    return found
