"""Indices that are arrays: what they read is a copy; masks choose where to write."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....jit.ir.ops import COMPRESS, GATHER, NONZERO, PUT, TRANSPOSE, WHERE, Op, moved_axes
from ....jit.ir.types import ArrayType, Dim, Layout, ScalarType, Type
from ..arguments import opaque
from ..breaks import INDEXING, GraphBreak
from ..frame import Frame
from ..grown import state_of
from ..lists import items_of
from ..live import look
from ..machine import Machine
from ..nodes import add, graph_value, opaque_call
from ..numpy_calls import as_operand, view
from ..stores import assign
from ..twins import as_numpy
from ..values import Array, Known, List, Range, Scalar, Slice, Symbolic, Tuple
from .basic import index_items, is_object, read


def is_advanced(machine: Machine, key: Symbolic) -> bool:
    """Whether an index has an array in it, or what NumPy makes one of: a list or a range."""
    key = look(machine, key)
    if isinstance(key, Tuple):
        return any(is_advanced(machine, item) for item in key.items)
    if isinstance(key, Known):
        return type(key.object) is range
    return isinstance(key, List | Range) or (isinstance(key, Array) and key.type.ndim > 0)


def take(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> Symbolic:
    """`owner[key]`, a copy.

    Raises:
        GraphBreak: the key is one that NumPy refuses, or that is no array of bools or ints.
    """
    _check_dtypes(machine, key)
    made = _compress(machine, owner, key) or _gather(machine, frame, owner, key)
    if made is not None:
        return made
    made = opaque_call(machine, frame, operator.getitem, (owner, key), {})
    if isinstance(made, Array):
        machine.memory.fresh(made.value)  # a copy, whatever its strides are
    return made


def _compress(machine: Machine, owner: Array, key: Symbolic) -> Array | None:
    """Where the key is a mask for each item, and both are gone through in C order."""
    mask = look(machine, key)
    if not isinstance(mask, Array) or not _distributes(machine, mask, owner):
        return None
    if mask.type.ndim > 1 and not (mask.type.layout.is_c and owner.type.layout.is_c):
        return None
    return _of_unknown_length(machine, COMPRESS, (owner, mask), owner.type.dtype)


def places_of(machine: Machine, mask: Array) -> Symbolic:
    """The places where a line of bools is true: a column of NumPy's, as in eager."""
    column = _of_unknown_length(machine, NONZERO, (mask,), np.dtype(np.intp), 1)
    return read(machine, column, Tuple((_WHOLE, Known(0))))


def _of_unknown_length(
    machine: Machine, op: Op, inputs: tuple[Array, ...], dtype: np.dtype[Any], *dims: int
) -> Array:
    """A fresh array whose first length only running tells."""
    shape: tuple[Dim, ...] = (machine.builder.fresh_sym(), *dims)
    type_ = ArrayType(dtype, shape, Layout.contiguous(len(shape)))
    value = machine.builder.typed(op, [one.value for one in inputs], {}, type_)
    machine.memory.fresh(value)
    return Array(value)


def _gather(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> Symbolic | None:
    """The same as a node, where the arrays are ints: what the rest of the key gives is a window."""
    mark = machine.builder.mark()
    items = [_as_index(machine, frame, item) for item in index_items(machine, key)]
    spread = _without_ellipsis(items, owner.type.ndim)
    if spread is None or not all(map(_is_walked, spread)):
        machine.builder.rollback(mark)
        return None
    rest = tuple(_WHOLE if _is_number(item) else item for item in spread)
    all_of_it = all(item == _WHOLE for item in rest)
    window = owner if all_of_it else read(machine, owner, Tuple(rest), whole=True)
    assert isinstance(window, Array)
    numbers = [
        _as_places(machine, item, window.type.dims[axis])
        for axis, item in enumerate(spread)
        if _is_number(item)
    ]
    if None in numbers:
        machine.builder.rollback(mark)
        return None
    places = iter(range(len(numbers)))
    axes = tuple(next(places) if _is_number(item) else None for item in spread)
    inputs = (window.value, *(graph_value(machine, item) for item in numbers if item))
    try:
        made = add(machine, frame, GATHER, inputs, {"axes": axes}, "getitem")
    except GraphBreak:
        machine.builder.rollback(mark)  # NumPy itself tells about an axis of one item
        return None
    first = moved_axes(axes)
    if not first or not isinstance(made, Array):
        return made
    count = made.type.ndim - axes.count(None)
    order = (*range(count, count + first), *range(count), *range(count + first, made.type.ndim))
    return view(machine, TRANSPOSE, made, (), {"axes": order})


_WHOLE = Slice((Known(None),) * 3)


def _as_index(machine: Machine, frame: Frame, item: Symbolic) -> Symbolic:
    """A list is the array of its items; that of none would be one of floats."""
    if isinstance(item, List) and items_of(machine, item):
        return look(machine, as_operand(machine, frame, item))
    return item


def _as_places(machine: Machine, item: Symbolic, length: Dim) -> Symbolic | None:
    """An index as ints; a mask has to have the length of its axis."""
    if not isinstance(item, Array) or item.type.dtype.kind != "b":
        return item
    if not _are_one(machine, (length,), item.type.dims):
        return None
    return places_of(machine, item)


def _without_ellipsis(items: list[Symbolic], ndim: int) -> list[Symbolic] | None:
    """A key with an item for each axis; None where it has too many."""
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
    """Whether a kernel reads this part of a key: an int, ints, a slice, None."""
    if isinstance(item, Array):
        return item.type.dtype.kind in "iub"[: 3 if item.type.ndim == 1 else 2]
    if isinstance(item, Scalar):
        return item.type.dtype.kind in "iu"
    return isinstance(item, Slice) or (
        isinstance(item, Known) and (item.object is None or type(item.object) is int)
    )


def _check_dtypes(machine: Machine, key: Symbolic) -> None:
    """Arrays and lists that have grown are indices of bools or ints."""
    key = look(machine, key)
    grown = state_of(machine, key)
    if grown is None and not isinstance(key, Array):
        items = items_of(machine, key) if isinstance(key, Tuple | List) else None
        for item in items or ():
            _check_dtypes(machine, item)
        return
    dtype = key.type.dtype if isinstance(key, Array) else grown.item.dtype if grown else None
    if dtype is None or dtype.kind not in "biu":
        raise GraphBreak(INDEXING, f"an index of {dtype}")


def put(machine: Machine, frame: Frame, owner: Array, key: Symbolic, value: Symbolic) -> None:
    """`owner[key] = value`.

    A number that a mask of the owner's shape distributes is a selection, which fuses; the elements
    that are not chosen are written as they are, which nobody can tell.

    Raises:
        GraphBreak: NumPy would convert what is written, and may complain when some is written.
    """
    value = look(machine, as_numpy(machine.one_of(value) or value))
    _check_dtypes(machine, key)
    if not isinstance(value, Known | Scalar | Array) or not _is_taken(
        graph_value(machine, value).type, owner.type.dtype
    ):
        raise GraphBreak(INDEXING, "a write of other numbers to where an array says")
    mask = look(machine, key)
    if (
        isinstance(mask, Array)
        and not isinstance(value, Array)
        and _distributes(machine, mask, owner)
    ):
        inputs = tuple(graph_value(machine, one) for one in (mask, value, owner))
        chosen = add(machine, frame, WHERE, inputs, {}, "where")
        if isinstance(chosen, Array) and chosen.type.dtype == owner.type.dtype:
            assign(machine, frame, owner, chosen)
            return
    inputs, call = opaque(machine, operator.setitem, (owner, key, value), {})
    location = frame.location()
    machine.change_memory(PUT, owner.value, inputs, {"call": call}, location)


def _distributes(machine: Machine, mask: Array, owner: Array) -> bool:
    """Whether a mask has the shape of what is written to."""
    if mask.type.dtype.kind != "b" or mask.type.ndim != owner.type.ndim:
        return False
    return _are_one(machine, owner.type.dims, mask.type.dims)


def _are_one(machine: Machine, dims: tuple[Dim, ...], others: tuple[Dim, ...]) -> bool:
    """Whether lengths are equal; the graph relies on it."""
    machine.builder.unify_store(dims, others)
    return list(map(machine.builder.resolve, dims)) == list(map(machine.builder.resolve, others))


_WEAK = {"?": True, "l": 1, "d": 1.0, "D": 1j}
"""Python's numbers, of which NumPy takes no notice beside an array of their kind."""


def _is_taken(number: Type, dtype: np.dtype[Any]) -> bool:
    """Whether an array takes a number as it is."""
    weak = isinstance(number, ScalarType) and number.python
    one = _WEAK[number.dtype.char] if weak else number.dtype
    return bool(np.result_type(one, dtype) == dtype)
