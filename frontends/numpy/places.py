"""Functions that find indices, or select items by indices."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy._core import multiarray

from ...jit.ir.ops import (
    ARG_REDUCE,
    ARGSORT,
    CAST,
    COUNTS,
    GATHER,
    INTERP,
    REDUCE,
    SEARCH,
    SORT,
)
from ..capture.arrays.nodes import add, operator_call
from ..capture.arrays.windows import is_object
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.live import concrete, realise
from ..capture.state.machine import Machine
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic, Tuple
from .numpy_calls import NONE, Row, as_operand, function_row, method_row, ravel
from .picking import are_one, of_unknown_length, places_of

LEFT, NO_LEAST = Known("left"), Known(0)
"""Default values of arguments."""


def _place_of(function: Any) -> Row:
    """Return the row of `argmax` or `argmin`."""

    def find(machine: Machine, frame: Frame, a: Symbolic, axis: Symbolic = NONE) -> Symbolic | None:
        array = realise(machine, as_operand(machine, frame, realise(machine, a)))
        along = concrete(machine, axis)
        if not isinstance(array, Array) or along is None:
            return None
        wanted: Any = along.object
        if wanted is None:
            line = array if array.type.ndim == 1 else ravel(machine, frame, array)
            if not isinstance(line, Array):
                return None
            array, wanted = line, 0
        if type(wanted) is not int or not -array.type.ndim <= wanted < array.type.ndim:
            return None
        attrs = {"function": function, "axis": wanted}
        return add(machine, frame, ARG_REDUCE, (array.value,), attrs, function.__name__)

    return find


def _axis_of_default_sort(
    machine: Machine, array: Array, axis: Symbolic, *others: Symbolic
) -> int | None:
    """Return the axis of a sort of default kind, or None."""
    known = [concrete(machine, one) for one in (axis, *others)]
    along = known[0].object if known[0] is not None else None
    if any(one is None or one.object is not None for one in known[1:]) or type(along) is not int:
        return None
    return along if -array.type.ndim <= along < array.type.ndim else None


LAST = Known(-1)


Sorted = Callable[[Machine, Frame, Array, int], Symbolic]


def _sorting(method: str) -> Callable[[Sorted], Sorted]:
    """Register the handling of a sort of default kind along an axis."""

    def register(sorted_: Sorted) -> Sorted:
        def row(  # noqa: PLR0913 (NumPy's signature)
            machine: Machine,
            frame: Frame,
            owner: Array,
            axis: Symbolic = LAST,
            kind: Symbolic = NONE,
            order: Symbolic = NONE,
            *,
            stable: Symbolic = NONE,
        ) -> Symbolic | None:
            along = _axis_of_default_sort(machine, owner, axis, kind, order, stable)
            return None if along is None else sorted_(machine, frame, owner, along)

        method_row(method)(row)
        return sorted_

    return register


@_sorting("sort")
def sort(machine: Machine, frame: Frame, owner: Array, axis: int) -> Symbolic:
    """Sort in place."""
    inputs, attrs = (owner.value,), {"axis": axis}
    machine.change_memory(SORT, owner.value, inputs, attrs, frame.location())
    return NONE


@_sorting("argsort")
def argsort(machine: Machine, frame: Frame, owner: Array, axis: int) -> Symbolic:
    """Return the sorting permutation."""
    return add(machine, frame, ARGSORT, (owner.value,), {"axis": axis}, "argsort")


# ---- what is true --------------------------------------------------------------------------------


@method_row("nonzero")
def nonzero(machine: Machine, frame: Frame, a: Array) -> Symbolic | None:
    """Return the indices of a 1-d array; None for more axes."""
    mask = _truth(machine, frame, a)
    return None if mask is None or mask.type.ndim != 1 else Tuple((places_of(machine, mask),))


@function_row(np.nonzero)
def nonzero_function(machine: Machine, frame: Frame, a: Symbolic) -> Symbolic | None:
    array = realise(machine, a)
    return nonzero(machine, frame, array) if isinstance(array, Array) else None


@function_row(multiarray.count_nonzero)
def count_nonzero(machine: Machine, frame: Frame, a: Symbolic) -> Symbolic | None:
    """Return the count: a NumPy int, in older versions a Python int."""
    mask = _truth(machine, frame, realise(machine, a))
    if mask is None:
        return None
    attrs = {"ufunc": np.add, "axis": None, "keepdims": False}
    number = add(machine, frame, REDUCE, (mask.value,), attrs, "count_nonzero")
    example: object = np.count_nonzero(np.zeros(1))
    return (
        operator_call(machine, frame, operator.index, (number,)) if type(example) is int else number
    )


def _truth(machine: Machine, frame: Frame, array: Symbolic) -> Array | None:
    """Return a mask of the items that are true."""
    if not isinstance(array, Array) or array.type.ndim == 0:
        return None
    if array.type.dtype.kind == "b":
        return array
    made = add(machine, frame, CAST, (array.value,), {"dtype": np.dtype(bool)}, "nonzero")
    return made if isinstance(made, Array) else None


# ---- what stands there ---------------------------------------------------------------------------


@method_row("take")
@function_row(np.take)
def take(
    machine: Machine, frame: Frame, a: Symbolic, indices: Symbolic, axis: Symbolic = NONE
) -> Symbolic | None:
    """Capture `take` along the first axis of C-ordered memory, which NumPy's result has too."""
    array = realise(machine, a)
    places = realise(machine, as_operand(machine, frame, realise(machine, indices)))
    along = concrete(machine, axis)
    if not isinstance(array, Array) or not isinstance(places, Array) or along is None:
        return None
    wanted = (None, 0, -1) if array.type.ndim == 1 else (0,)
    if array.type.ndim == 0 or along.object not in wanted:
        return None
    if type(along.object) not in (int, type(None)):  # NumPy rejects bools that equal ints
        return None
    in_order = array.type.ndim == 1 or array.type.layout.is_c
    if not in_order or places.type.dtype.kind not in "iu" or not places.type.layout.is_c:
        return None
    axes = (0, *[None] * (array.type.ndim - 1))
    inputs = (array.value, places.value)
    return add(machine, frame, GATHER, inputs, {"axes": axes}, "take")


@method_row("searchsorted")
@function_row(np.searchsorted)
def searchsorted(
    machine: Machine, frame: Frame, a: Symbolic, v: Symbolic, side: Symbolic = LEFT
) -> Symbolic | None:
    """Capture searchsorted with keys of the array's dtype."""
    line, keys, known = realise(machine, a), realise(machine, v), realise(machine, side)
    if not isinstance(line, Array) or not isinstance(keys, Array | Scalar | Known):
        return None
    if not isinstance(known, Known) or known.object not in ("left", "right"):
        return None
    value = graph_value(machine, keys)
    if line.type.ndim != 1 or value.type.dtype != line.type.dtype:
        return None
    inputs, attrs = (line.value, value), {"side": known.object}
    return add(machine, frame, SEARCH, inputs, attrs, "searchsorted")


@function_row(multiarray.interp, computed_with=("left", "right"))
def interp(  # noqa: PLR0913 (NumPy's signature)
    machine: Machine,
    frame: Frame,
    x: Symbolic,
    xp: Symbolic,
    fp: Symbolic,
    left: Symbolic = NONE,
    right: Symbolic = NONE,
) -> Symbolic | None:
    """Capture np.interp for real points in 1-d arrays."""
    numbers, *lines = (
        realise(machine, as_operand(machine, frame, realise(machine, one))) for one in (x, xp, fp)
    )
    if not isinstance(numbers, Array | Scalar | Known):
        return None
    points = [one for one in lines if isinstance(one, Array) and one.type.ndim == 1]
    if len(points) != 2 or not are_one(machine, points[0].type.dims, points[1].type.dims):
        return None
    named = {"left": realise(machine, left), "right": realise(machine, right)}
    given = {name: one for name, one in named.items() if not is_object(one, None)}
    if not all(isinstance(one, Scalar | Known) for one in given.values()):
        return None
    inputs = tuple(graph_value(machine, one) for one in (numbers, *points, *given.values()))
    if not all(_becomes_float(value.type.dtype) for value in inputs):
        return None
    return add(machine, frame, INTERP, inputs, {"outside": tuple(given)}, "interp")


def _becomes_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biuf" and dtype.itemsize <= 8


@function_row(np.bincount)
def bincount(
    machine: Machine,
    frame: Frame,
    x: Symbolic,
    weights: Symbolic = NONE,
    minlength: Symbolic = NO_LEAST,
) -> Symbolic | None:
    line, least, given = (
        realise(machine, x),
        concrete(machine, minlength),
        realise(machine, weights),
    )
    if not isinstance(line, Array) or line.type.ndim != 1 or line.type.dtype.kind not in "iu":
        return None
    if least is None or type(least.object) is not int or not 0 <= least.object < 2**31:
        return None
    inputs: tuple[Array, ...] = (line,)
    if not (isinstance(given, Known) and given.object is None):
        if not isinstance(given, Array) or given.type.dtype != np.float64:
            return None
        if not are_one(machine, line.type.dims, given.type.dims):
            return None
        if not machine.builder.is_never_empty(line.type.dims[0]):
            return None  # the counts of an empty array are ints even with weights
        inputs = (line, given)
    dtype = np.dtype(np.intp if len(inputs) == 1 else np.float64)
    return of_unknown_length(machine, COUNTS, inputs, dtype, {"least": least.object})


for _function in (np.argmax, np.argmin):
    function_row(_function)(_place_of(_function))
    method_row(_function.__name__)(_place_of(_function))
