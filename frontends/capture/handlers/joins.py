"""Concatenation: makes an empty array and writes each part into a view of it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ....jit.ir.types import Layout, captured_dtype
from ...numpy.creation import UNWRITTEN, fill_array
from ...numpy.numpy_calls import NONE, as_operand, function_row, length
from ..arrays.stores import assign
from ..arrays.windows import read
from ..objects.listed import known_items
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.slices import Slice
from ..values.symbolic import Array, Known, Symbolic, Tuple
from .operators import apply

MAX_JOINED = 16
"""Maximum number of parts; more are left to NumPy."""
FIRST_AXIS = Known(0)
"""Default value of an argument."""


@function_row(np.concatenate)
def concatenate(
    machine: Machine, frame: Frame, arrays: Symbolic, axis: Symbolic = FIRST_AXIS
) -> Symbolic | None:
    """Join arrays along an axis; the other axes have equal lengths."""
    parts = _parts(machine, frame, arrays)
    along = _axis(machine, axis, parts[0].type.ndim) if parts else None
    if not parts or along is None or not agree(machine, parts, except_for=along):
        return None
    ends: list[Symbolic] = [Known(0)]
    for part in parts:
        ends.append(apply(machine, frame, operator.add, (ends[-1], length(machine, part, along))))
    lengths = [length(machine, parts[0], one) for one in range(parts[0].type.ndim)]
    lengths[along] = ends[-1]
    whole = (Slice((NONE, NONE, NONE)),) * along
    keys = [(*whole, Slice((one, next_, NONE))) for one, next_ in pairwise(ends)]
    return filled(machine, frame, parts, lengths, keys)


@function_row(np.stack)
def stack(
    machine: Machine, frame: Frame, arrays: Symbolic, axis: Symbolic = FIRST_AXIS
) -> Symbolic | None:
    """Join arrays along a new axis."""
    parts = _parts(machine, frame, arrays)
    along = _axis(machine, axis, parts[0].type.ndim + 1) if parts else None
    if not parts or along is None or not agree(machine, parts):
        return None
    lengths = [length(machine, parts[0], one) for one in range(parts[0].type.ndim)]
    lengths.insert(along, Known(len(parts)))
    whole = (Slice((NONE, NONE, NONE)),) * along
    places: list[tuple[Symbolic, ...]] = [(*whole, Known(k)) for k in range(len(parts))]
    return filled(machine, frame, parts, lengths, places)


def _parts(machine: Machine, frame: Frame, arrays: Symbolic) -> list[Array] | None:
    """Return the arrays if they are C-ordered like the result; a list of numbers is one."""
    given = known_items(machine, realise(machine, arrays))
    if not given or len(given) > MAX_JOINED:
        return None
    realised = [
        realise(machine, as_operand(machine, frame, realise(machine, item))) for item in given
    ]
    items = [item for item in realised if isinstance(item, Array)]
    if len(items) < len(realised):
        return None
    ndim = items[0].type.ndim
    plain = all(item.type.ndim == ndim and _lies_in_c_order(item.type.layout) for item in items)
    return items if plain and ndim else None


def _lies_in_c_order(layout: Layout) -> bool:
    """True if strides never increase from one axis to the next; there may be gaps."""
    ordered = layout.nested and layout.order == tuple(range(len(layout.order)))
    return len(layout.order) == 1 or (ordered and 0 not in layout.signs)


def _axis(machine: Machine, axis: Symbolic, ndim: int) -> int | None:
    known = realise(machine, axis)
    if not isinstance(known, Known) or type(known.object) is not int:
        return None
    return known.object % ndim if -ndim <= known.object < ndim else None


def agree(machine: Machine, parts: list[Array], except_for: int | None = None) -> bool:
    """True if all shapes agree, on which the graph then relies."""
    builder = machine.builder
    for part in parts[1:]:
        for axis, (one, other) in enumerate(zip(parts[0].type.dims, part.type.dims, strict=True)):
            if axis == except_for:
                continue
            builder.unify(one, other)
            if builder.resolve(one) != builder.resolve(other):
                return False
    return True


def filled(
    machine: Machine,
    frame: Frame,
    parts: list[Array],
    lengths: list[Symbolic],
    keys: Sequence[tuple[Symbolic, ...]],
    dtype: np.dtype[Any] | None = None,
) -> Symbolic | None:
    """Make an array of these lengths, with the common dtype, and write each part into its view."""
    dtype = dtype or np.result_type(*(part.type.dtype for part in parts))
    if not captured_dtype(dtype):
        return None
    made = fill_array(machine, frame, lengths, UNWRITTEN, dtype)
    if not isinstance(made, Array):
        return None
    for part, key in zip(parts, keys, strict=True):
        window = read(machine, made, Tuple(key), whole=True)
        assert isinstance(window, Array)
        assign(machine, frame, window, part, "same_kind")
    return made
