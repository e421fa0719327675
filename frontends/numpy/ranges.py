"""`np.arange`: its number of items, and the first two."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...jit.ir.infer import CannotInfer
from ...jit.ir.ops import ARANGE
from ..capture.arrays.nodes import operator_call
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.breaks import GraphBreak
from ..capture.values.folding import folded
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic
from .numpy_calls import NONE, dtype_of, function_row, is_cpu

_FILLED = "lfd"
"""Dtypes whose items follow from the first two without intermediate rounding."""
_MOST = 2**53
"""Above this NumPy rounds the number of items."""


@function_row(np.arange, computed_with=("stop", "step"))
def arange(  # noqa: PLR0913 (NumPy's signature)
    machine: Machine,
    frame: Frame,
    start: Symbolic,
    stop: Symbolic = NONE,
    step: Symbolic = NONE,
    dtype: Symbolic = NONE,
    *,
    device: Symbolic = NONE,
) -> Symbolic | None:
    if not is_cpu(machine, device):
        return None
    given = [realise(machine, one) for one in (start, stop, step)]
    if _is_none(given[1]):
        given[:2] = [Known(0), given[0]]
    if _is_none(given[2]):
        given[2] = Known(1)
    numbers = [_number_type(one) for one in given]
    if None in numbers:
        return None
    own = Known(float if float in numbers else int)
    wanted = dtype_of(machine, own if _is_none(realise(machine, dtype)) else dtype)
    if wanted is None or wanted.char not in _FILLED or (wanted.char == "l" and float in numbers):
        return None
    begin, end, by = given
    found = _parts(machine, frame, begin, end, by, wanted)
    if found is None:
        return None
    count, *ends = (graph_value(machine, one) for one in found)
    if count.hint is None and not machine.builder.is_length(count):  # it may be negative
        count = graph_value(machine, operator_call(machine, frame, max, (Known(0), found[0])))
    try:
        value = machine.builder.create(ARANGE, (count,), {"dtype": wanted}, ends)
    except CannotInfer:
        return None
    machine.memory.fresh(value)
    return Array(value)


def _parts(
    machine: Machine,
    frame: Frame,
    start: Symbolic,
    stop: Symbolic,
    step: Symbolic,
    dtype: np.dtype[Any],
) -> tuple[Symbolic, Symbolic, Symbolic] | None:
    """Return (number of items, first, second); None if only NumPy can tell."""
    if isinstance(start, Known) and isinstance(stop, Known) and isinstance(step, Known):
        ends = start.object, stop.object, step.object
        try:
            made = folded(np.arange, *ends, dtype=dtype)
            after = folded(operator.add, start.object, step.object)
        except GraphBreak:
            return None
        return Known(made.size), start, Known(after)
    if float in map(_number_type, (start, stop, step)) or not isinstance(step, Known):
        return None
    if step.object == 0 or not -_MOST < step.object < _MOST:
        return None

    def computed(function: Any, *operands: Symbolic) -> Symbolic:
        known = [one.object for one in operands if isinstance(one, Known)]
        if len(known) == len(operands):
            return Known(function(*known))
        return operator_call(machine, frame, function, operands, located=False)

    count = stop
    if not (isinstance(start, Known) and start.object == 0):
        count = computed(operator.sub, stop, start)
    if step.object != 1:
        count = computed(
            operator.neg, computed(operator.floordiv, computed(operator.neg, count), step)
        )
    return count, start, computed(operator.add, start, step)


def _is_none(value: Symbolic) -> bool:
    return isinstance(value, Known) and value.object is None


def _number_type(value: Symbolic) -> type | None:
    """Return int or float for a Python number of that type, else None."""
    if isinstance(value, Known):
        kind: type = type(value.object)
        return kind if kind in (int, float) else None
    if isinstance(value, Scalar) and value.type.python:
        return {"l": int, "d": float}.get(value.type.dtype.char)
    return None
