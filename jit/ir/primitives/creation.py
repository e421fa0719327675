"""Rows of ops that make arrays of numbers."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import AxisOrder, Kind, row

__all__ = ["ARANGE", "FILL"]

_UNALLOCATED = {"silent": "a length may be negative, or too large for memory"}

FILL = row(
    "fill",
    Kind.CREATE,
    run.fill,
    "int* -> array",
    typed.filled,
    value=has.AN_ELEMENT_OR_NONE,
    dtype=has.A_DTYPE,
    moves=True,
    axis_order=AxisOrder.C,
    lacks=_UNALLOCATED,
    one_item=True,
)
"""A new C-ordered array filled with one value; with None it is left uninitialised."""

ARANGE = row(
    "arange",
    Kind.CREATE,
    run.arange,
    "int, number, number -> array",
    typed.counted,
    dtype=has.A_DTYPE,
    axis_order=AxisOrder.C,
    lacks=_UNALLOCATED,
)
"""A new array of `n` numbers in equal steps; inputs 1 and 2 are the first two of them."""
