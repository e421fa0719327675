"""Numbers that are arrays in other calls: arrays of which each item is the number.

The components of a vector are arrays in most calls, and 0 or 0.5 in others. Beside an array of
doubles either gives the same bits, so one kernel takes an array: C repeats the number as often.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....guards.conversions import Spread
from ....guards.numbers import INT, bit_of, is_line
from ....guards.sources import Source
from ....jit.ir.primitives import primitive
from ....jit.ir.types import ArrayType, Sym
from ..values.symbolic import Array, Lazy, Symbolic
from .live import plain_array
from .machine import Machine


def looks_at_items_only(ufunc: np.ufunc | None) -> bool:
    """True if a number and an array of it are the same to NumPy's loop; `np.power` asks."""
    row = primitive(ufunc)
    return "f" in row.exact and not (row.stride_dependent or row.cut_dependent)


def has_axes(value: Symbolic) -> bool:
    """True if a value is an array with axes; a live-in is not realised for that."""
    if isinstance(value, Lazy):
        return type(value.object) is np.ndarray and value.object.ndim > 0
    return isinstance(value, Array) and value.type.ndim > 0


def spread(machine: Machine, value: Lazy, beside: Array, kinds: int) -> Array | None:
    """Return a live-in that is a number or an array as an array as long as the other operand.

    `kinds` masks the types of numbers with which it acts like a double. None if it is neither, or
    if no live-in is as long as the other operand.
    """
    type_ = beside.type
    if type_.dtype.char != "d" or type_.ndim != 1 or not type_.layout.is_c:
        return None
    like = _as_long(machine, beside)
    length = machine.builder.length_at_capture(machine.builder.resolve(type_.dims[0]))
    if like is None or length is None:
        return None
    array = _line(value.object, length, kinds)
    if array is None:
        return None
    source = Spread(value.source, like, kinds)
    if source not in machine.realised:
        machine.remember(source, plain_array(machine, source, array, array.shape, False))
    made = machine.realised[source]
    assert isinstance(made, Array)
    return made


def _as_long(machine: Machine, beside: Array) -> Source | None:
    """Return a live-in with one axis of the same length."""
    dim = machine.builder.resolve(beside.type.dims[0])
    if not isinstance(dim, Sym):
        return None
    for param, source in zip(machine.builder.params, machine.param_sources, strict=True):
        if not isinstance(param.type, ArrayType) or isinstance(source, Spread):
            continue
        if [*map(machine.builder.resolve, param.type.dims)] == [dim]:
            return source
    return None


def _line(object_: Any, length: int, kinds: int) -> np.ndarray[Any, Any] | None:
    """Return the array that C would hand over; None if it would not."""
    if type(object_) is np.ndarray and object_.ndim == 1:
        fits = (object_.shape, object_.strides) == ((length,), (8,))
        return object_ if is_line(object_) and fits else None
    bit = bit_of(object_)
    if bit is None or not kinds >> bit & 1 or object_ != object_:
        return None
    if bit == INT and not -(2**63) <= object_ < 2**63:
        return None
    return np.full(length, object_, np.float64)
