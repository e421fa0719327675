"""Determines layouts of views by indexing arrays that have no memory behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .indexing import Index, NewAxis, Part, Span
from .infer import CannotInfer
from .types import ArrayType, Dim, Layout, layout_of


def hollow(type_: ArrayType, lengths: Sequence[int]) -> np.ndarray[Any, Any]:
    """Return an array with these lengths and this layout whose memory must not be accessed."""
    layout = type_.layout
    strides = [0] * len(lengths)
    step = type_.dtype.itemsize * (1 if layout.packed or layout.unit else 2)
    for axis in reversed(layout.order):
        strides[axis] = step * layout.signs[axis]
        if layout.signs[axis]:
            step *= max(lengths[axis], 1)
            step += 0 if layout.packed else type_.dtype.itemsize
    memory = np.empty(1, type_.dtype)
    return np.lib.stride_tricks.as_strided(memory, tuple(lengths), tuple(strides))


def view_layout(base: ArrayType, index: Index, dims: Sequence[Dim]) -> Layout:
    """Return the layout class of a view that is smaller than its base along each axis it cuts.

    `dims` are the view's.

    Raises:
        CannotInfer: the order of its axes depends on its steps.
    """
    spans = [part for part in index.parts if isinstance(part, Span)]
    length = 8 * max((abs(span.least_step) for span in spans), default=1)
    parts = [part for part in index.parts if not isinstance(part, NewAxis)]
    lengths = [
        max(dim, 1) if isinstance(dim, int) and not _cuts(part, dim) else length + k
        for k, (part, dim) in enumerate(zip(parts, base.dims, strict=True))
    ]  # an item of an empty axis still gives a view, though no kernel reads it
    axes = iter(base.dims)
    of = [None if isinstance(part, NewAxis) else next(axes) for part in index.parts]
    inside = [_inside(part, dim) for part, dim in zip(index.parts, of, strict=True)]
    view = hollow(base, lengths)[tuple(inside)]
    layout = layout_of(view[tuple(slice(dim if isinstance(dim, int) else None) for dim in dims)])
    if base.layout.nested:
        return layout
    if any(abs(span.least_step) != 1 for span in spans):
        raise CannotInfer("a view with steps of an array whose axes overlap in memory")
    return replace(layout, nested=len(dims) < 2)


def _cuts(part: Part, dim: Dim) -> bool:
    """True if a part of an index may select less than the whole axis."""
    return isinstance(part, Span) and not part.whole and not (isinstance(dim, int) and dim < 2)


def _inside(part: Part, dim: Dim | None) -> slice | int | None:
    """Return an index of the same kind that lies inside the axis, away from its ends."""
    if isinstance(part, NewAxis):
        return None
    if not isinstance(part, Span):
        return 0
    if dim is None or not _cuts(part, dim):
        return slice(None)
    step = part.least_step
    return slice(1, -1, step) if step > 0 else slice(-2, 0, step)
