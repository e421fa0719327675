"""Advanced indexing: keys with arrays become gathers and scatters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ...jit.frozen import dataclass
from ...jit.ir import graph as ir
from ...jit.ir.infer import CannotInfer
from ...jit.ir.ops import COMPRESS, COPY, GATHER, NONZERO, SCATTER, TRANSPOSE, Op
from ...jit.ir.references import moved_axes
from ...jit.ir.types import ArrayType, Dim, Layout
from ..capture.arrays.nodes import add
from ..capture.arrays.stores import broadcasts, cast_for_store
from ..capture.arrays.windows import index_items, is_object, read
from ..capture.objects.grown import state_of
from ..capture.objects.listed import listed
from ..capture.objects.lists import items_of
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.breaks import GraphBreak
from ..capture.values.ranges import Range
from ..capture.values.slices import Slice
from ..capture.values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple
from .numpy_calls import FUNCTIONS, as_operand, view

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def compress(machine: Machine, owner: Array, key: Symbolic) -> Array | None:
    """Return the items that a mask of the array's shape selects; None unless both are C-ordered."""
    mask = realise(machine, key)
    if not isinstance(mask, Array) or not distributes(machine, mask, owner):
        return None
    if mask.type.ndim > 1 and not (mask.type.layout.is_c and owner.type.layout.is_c):
        return None
    return of_unknown_length(machine, COMPRESS, (owner, mask), owner.type.dtype)


def places_of(machine: Machine, mask: Array) -> Symbolic:
    """Return the indices at which a 1-d mask is true."""
    return of_unknown_length(machine, NONZERO, (mask,), np.dtype(np.intp))


def of_unknown_length(
    machine: Machine,
    op: Op,
    inputs: tuple[Array, ...],
    dtype: np.dtype[Any],
    attrs: Mapping[str, Any] = NOTHING,
) -> Array:
    """Return a new 1-d array whose length is known only at run time."""
    type_ = ArrayType(dtype, (machine.builder.fresh_sym(),), Layout.contiguous(1))
    value = machine.builder.typed(op, [one.value for one in inputs], attrs, type_)
    machine.memory.fresh(value)
    return Array(value)


@dataclass(frozen=True, slots=True)
class _Picked:
    """The selection by a key of ints, masks and slices."""

    window: Array
    """The view that remains if ints and masks are replaced by full slices."""
    axes: tuple[int | None, ...]
    """See GATHER."""
    numbers: tuple[Symbolic, ...]
    """The indices, as ints."""


def _picked(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> _Picked | None:
    """Resolve a key; None if kernels cannot handle it."""
    items = [_as_index(machine, frame, item) for item in index_items(machine, key)]
    spread = _without_ellipsis(items, owner.type.ndim)
    if spread is None or not all(map(_is_walked, spread)):
        return None
    rest = tuple(_WHOLE if _is_number(item) else item for item in spread)
    all_of_it = all(item == _WHOLE for item in rest)
    window = owner if all_of_it else read(machine, owner, Tuple(rest), whole=True)
    assert isinstance(window, Array)
    numbers = []
    for axis, item in enumerate(spread):
        if _is_number(item):
            number = _as_places(machine, item, window.type.dims[axis])
            if number is None:
                return None
            numbers.append(number)
    places = iter(range(len(numbers)))
    axes = tuple(next(places) if _is_number(item) else None for item in spread)
    return _Picked(window, axes, tuple(numbers))


def gather(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> Symbolic | None:
    """Read a selection by a GATHER node; None if NumPy has to be called."""
    mark = machine.builder.mark()
    picked = _picked(machine, frame, owner, key)
    if picked is None:
        machine.builder.forget_nodes(mark)
        return None
    indices = (graph_value(machine, item) for item in picked.numbers)
    inputs = (picked.window.value, *indices)
    try:
        made = add(machine, frame, GATHER, inputs, {"axes": picked.axes}, "getitem")
    except GraphBreak:
        machine.builder.forget_nodes(mark)  # NumPy itself reports an axis of length 1
        return None
    first = moved_axes(picked.axes)
    if not first or not isinstance(made, Array):
        return made
    count = made.type.ndim - picked.axes.count(None)
    order = (*range(count, count + first), *range(count), *range(count + first, made.type.ndim))
    return view(machine, TRANSPOSE, made, (), {"axes": order})


def scatter(
    machine: Machine, frame: Frame, owner: Array, key: Symbolic, value: Known | Scalar | Array
) -> bool:
    """Assign to a selection by a SCATTER node; return False if NumPy has to be called."""
    mark = machine.builder.mark()
    picked = _picked(machine, frame, owner, key)
    made = picked and _scattered(machine, frame, picked, value)
    if not (picked and made):
        machine.builder.forget_nodes(mark)
        return False
    attrs = {"axes": picked.axes}
    machine.change_memory(SCATTER, picked.window.value, made, attrs, frame.location())
    return True


def _scattered(
    machine: Machine, frame: Frame, picked: _Picked, value: Known | Scalar | Array
) -> tuple[ir.Value, ...] | None:
    """Return the inputs of a SCATTER; None if NumPy has to be called.

    If an index occurs twice the last assignment counts, so arrays are written in eager's order.
    """
    target = picked.window
    given = [graph_value(machine, item) for item in picked.numbers]
    try:
        chosen = machine.builder.infer(GATHER, (target.value, *given), {"axes": picked.axes})
    except CannotInfer:
        return None
    assert isinstance(chosen, ArrayType)
    if isinstance(value, Array) and value.type.ndim:
        machine.builder.unify_store(chosen.dims, value.type.dims)
        types = [one.type for one in given if isinstance(one.type, ArrayType)]
        in_order = all(type_.layout.is_c or type_.layout.signs == (1,) for type_ in types)
        of_lines = all(type_.ndim == 1 for type_ in types) or value.type.layout.is_c
        if moved_axes(picked.axes) or not in_order or not of_lines:
            return None
        if not broadcasts(machine, value.type, chosen):
            return None
    written = cast_for_store(machine, frame, target, value)
    inputs = [_copied_if_shared(machine, one, target) for one in (written, *given)]
    return (target.value, *inputs)


def _copied_if_shared(machine: Machine, value: ir.Value, target: Array) -> ir.Value:
    """Return the value, copied if writes to the target might change it."""
    memory = machine.memory
    root = memory.root(target.value)
    own = memory.is_made_here(root) and memory.root(value) != root
    if own or memory.is_fresh(value) or not isinstance(value.type, ArrayType):
        return value
    return machine.builder.add(COPY, (value,), {"order": "K"})


_WHOLE = Slice((Known(None),) * 3)


def _as_index(machine: Machine, frame: Frame, item: Symbolic) -> Symbolic:
    """Return a list as an array of its items; an empty list would be an array of floats.

    A list that has grown in a loop may be empty.
    """
    if (array := listed(machine, item)) is not None:
        return array
    if isinstance(item, Range) and any(isinstance(part, Scalar) for part in item.parts):
        return FUNCTIONS[np.arange](machine, frame, *item.parts) or item
    if isinstance(item, List) and state_of(machine, item) is None and items_of(machine, item):
        return realise(machine, as_operand(machine, frame, item))
    return item


def _as_places(machine: Machine, item: Symbolic, length: Dim) -> Symbolic | None:
    """Return an index as ints; a mask must have the length of its axis."""
    if not isinstance(item, Array) or item.type.dtype.kind != "b":
        return item
    if not are_one(machine, (length,), item.type.dims):
        return None
    return places_of(machine, item)


def _without_ellipsis(items: list[Symbolic], ndim: int) -> list[Symbolic] | None:
    """Return a key with one item per axis; None if it has too many."""
    taken = sum(not (is_object(item, None) or is_object(item, Ellipsis)) for item in items)
    if taken > ndim:
        return None
    rest: list[Symbolic] = [_WHOLE] * (ndim - taken)
    for place, item in enumerate(items):
        if is_object(item, Ellipsis):
            return [*items[:place], *rest, *items[place + 1 :]]
    return [*items, *rest]


def _is_number(item: Symbolic) -> bool:
    return not isinstance(item, Slice) and not is_object(item, None)


def _is_walked(item: Symbolic) -> bool:
    """True if kernels can handle this part of a key: an int, ints, a mask, a slice, None."""
    if isinstance(item, Array | Scalar):
        masks = "b" if isinstance(item, Array) and item.type.ndim == 1 else ""
        return item.type.dtype.kind in f"iu{masks}"
    return isinstance(item, Slice) or (
        isinstance(item, Known) and (item.object is None or type(item.object) is int)
    )


def distributes(machine: Machine, mask: Array, owner: Array) -> bool:
    """True if a mask has the shape of the array that it indexes."""
    if mask.type.dtype.kind != "b" or mask.type.ndim != owner.type.ndim:
        return False
    return are_one(machine, owner.type.dims, mask.type.dims)


def are_one(machine: Machine, dims: tuple[Dim, ...], others: tuple[Dim, ...]) -> bool:
    """True if the shapes are equal; the graph then relies on it."""
    machine.builder.unify_store(dims, others)
    return list(map(machine.builder.resolve, dims)) == list(map(machine.builder.resolve, others))
