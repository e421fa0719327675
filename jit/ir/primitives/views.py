"""Rows of views and of the items of arrays."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import Kind, row

__all__ = ["ELEMENT", "INDEX", "PART", "RESHAPE", "TRANSPOSE"]

_OUT_OF_BOUNDS = "an index may be out of bounds"

INDEX = row(
    *("index", Kind.VIEW, run.index, "array, int* -> array", typed.indexed),
    index=has.AN_INDEX,
    indexes=True,
    lacks={"silent": _OUT_OF_BOUNDS},
    one_item=True,
)
"""A basic index that gives an array."""

ELEMENT = row(
    *("element", Kind.SCALAR, run.element, "array, int* -> number", typed.element),
    index=has.AN_INDEX,
    indexes=True,
    lacks={"silent": _OUT_OF_BOUNDS, "interval": "its type tells all that is known"},
)
"""A basic index that gives a NumPy scalar."""

TRANSPOSE = row(
    *("transpose", Kind.VIEW, run.transpose, "array -> array", typed.transposed),
    axes=has.AXES,
    silent=True,
)

PART = row(
    "part", Kind.VIEW, run.part, "array -> array", typed.like_first, name=has.A_PART, silent=True
)
"""The real or imaginary part of complex numbers."""

RESHAPE = row(
    *("reshape", Kind.VIEW, run.reshape, "array, int* -> array", typed.reshaped),
    lacks={"silent": "the shapes may have different numbers of items"},
    one_item=True,
    in_order=True,
)
"""Another shape over C-contiguous memory."""
