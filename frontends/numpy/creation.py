"""Functions that make arrays from lengths, filled with a number or uninitialised."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.ir.infer import CannotInfer
from ...jit.ir.ops import FILL
from ...jit.ir.types import captured_dtype
from ..capture.arrays.stores import assign
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.folding import folded
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic
from .numpy_calls import (
    C_ORDER,
    NONE,
    OWN_ORDER,
    TRUE,
    Row,
    dtype_of,
    function_row,
    is_a_bool,
    is_c,
    is_cpu,
    is_none,
    length,
    shape_of,
)

UNWRITTEN = object()
"""Stands for no fill value, if every item is written later or for `np.empty`. None would be a
user's value: `np.full(3, None, int)` raises."""


def _creator(fill: Any) -> Row:
    def create(
        machine: Machine,
        frame: Frame,
        shape: Symbolic,
        dtype: Symbolic = NONE,
        order: Symbolic = C_ORDER,
        *,
        device: Symbolic = NONE,
    ) -> Symbolic | None:
        wanted = dtype_of(machine, dtype)  # None means float64 to NumPy too
        items = shape_of(machine, (shape,))
        if items is None or wanted is None or not captured_dtype(wanted):
            return None
        if not is_c(machine, order) or not is_cpu(machine, device):
            return None
        return fill_array(machine, frame, items, fill, wanted)

    return create


def _like(fill: Any) -> Row:
    def create(  # noqa: PLR0913 (NumPy's signature)
        machine: Machine,
        frame: Frame,
        a: Symbolic,
        dtype: Symbolic = NONE,
        order: Symbolic = OWN_ORDER,
        subok: Symbolic = TRUE,
        shape: Symbolic = NONE,
        *,
        device: Symbolic = NONE,
    ) -> Symbolic | None:
        array = realise(machine, a)
        if not isinstance(array, Array) or not is_cpu(machine, device):
            return None
        if not is_a_bool(machine, subok):
            return None
        if not is_c(machine, order, OWN_ORDER if array.type.layout.is_c else C_ORDER):
            return None
        wanted = array.type.dtype if is_none(machine, dtype) else dtype_of(machine, dtype)
        if wanted is None or not captured_dtype(wanted):
            return None
        if is_none(machine, shape):
            items = [length(machine, array, axis) for axis in range(array.type.ndim)]
        else:
            given = shape_of(machine, (shape,))
            if given is None:
                return None
            items = given
        return fill_array(machine, frame, items, fill, wanted)

    return create


function_row(np.zeros)(_creator(0))
function_row(np.ones)(_creator(1))
function_row(np.empty)(_creator(UNWRITTEN))
function_row(np.ndarray)(_creator(UNWRITTEN))
function_row(np.zeros_like, computed_with=("shape",))(_like(0))
function_row(np.ones_like, computed_with=("shape",))(_like(1))
function_row(np.empty_like, computed_with=("shape",))(_like(UNWRITTEN))


@function_row(np.full)
def full(
    machine: Machine,
    frame: Frame,
    shape: Symbolic,
    fill_value: Symbolic,
    dtype: Symbolic = NONE,
) -> Symbolic | None:
    items = shape_of(machine, (shape,))
    fill = realise(machine, fill_value)
    if items is None or not isinstance(fill, Known | Scalar):
        return None
    given = not is_none(machine, dtype)
    own = fill.type.dtype if isinstance(fill, Scalar) else np.asarray(fill.object).dtype
    wanted = dtype_of(machine, dtype) if given else own
    if wanted is None or not captured_dtype(wanted):
        return None
    if isinstance(fill, Known):
        return fill_array(machine, frame, items, fill.object, wanted)
    made = fill_array(machine, frame, items, UNWRITTEN, wanted) if wanted == own else None
    if isinstance(made, Array):
        assign(machine, frame, made, fill)
    return made


def fill_array(
    machine: Machine, frame: Frame, items: list[Symbolic], fill: Any, dtype: np.dtype[Any]
) -> Symbolic | None:
    """Make an array of these lengths, filled with a number as NumPy converts it, or UNWRITTEN."""
    values = tuple(graph_value(machine, item) for item in items)
    element = None if fill is UNWRITTEN else folded(np.full, (), fill, dtype)[()]
    try:
        value = machine.builder.create(FILL, values, {"value": element, "dtype": dtype})
    except CannotInfer:
        return None
    machine.memory.fresh(value)
    return Array(value)


def of_no_axes(machine: Machine, frame: Frame, number: Scalar) -> Symbolic | None:
    """Make a 0-d array of a number."""
    made = fill_array(machine, frame, [], UNWRITTEN, number.type.dtype)
    if isinstance(made, Array):
        assign(machine, frame, made, number)
    return made
