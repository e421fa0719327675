"""Rows of ops that compute item by item, with broadcasting."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import silence
from .. import type_rules as typed
from ..schema import Applies, AxisOrder, Kind, row

__all__ = ["CAST", "COPY", "UFUNC", "WHERE"]

_CARRIES_NONE = {"applies": "it carries no function"}

UFUNC = row(
    "ufunc",
    Kind.ELEMENTWISE,
    run.ufunc,
    "numeric+ -> numeric",
    typed.elementwise,
    ufunc=has.A_UFUNC,
    swaps=has.A_MARK,
    small=has.A_MARK,
    applies=Applies.ITEMS,
    silent_if=silence.elementwise,
    axis_order=AxisOrder.OPERANDS,
    computes=True,
    one_item=True,
)
"""Any NumPy or SciPy ufunc with one result, with broadcasting and NEP 50 promotion. With "swaps"
the operands are exchanged if the second has ELIDED_FROM bytes, as NumPy does; with "small" the
kernel bails if the result is that large."""

WHERE = row(
    "where",
    Kind.ELEMENTWISE,
    run.where,
    "numeric, numeric, numeric -> array",
    typed.elementwise,
    selects=True,
    lacks=_CARRIES_NONE,
    silent_if=silence.if_numbers_fit,
    axis_order=AxisOrder.OPERANDS,
    one_item=True,
)

CAST = row(
    "cast",
    Kind.ELEMENTWISE,
    run.cast,
    "numeric -> numeric",
    typed.elementwise,
    dtype=has.A_DTYPE,
    within=has.optional(has.A_UFUNC_OR_NONE),
    converts=True,
    lacks=_CARRIES_NONE,
    axis_order=AxisOrder.FIRST,
    silent_if=silence.if_dtype_holds_all,
    computes=True,
    one_item=True,
)
"""A copy in another dtype, as `astype` makes it; warnings name the ufunc `attrs["within"]`."""

COPY = row(
    *("copy", Kind.ELEMENTWISE, run.copy, "array -> array", typed.elementwise),
    order=has.AN_ORDER,
    lacks={**_CARRIES_NONE, "axis_order": "an attribute says it"},
    silent=True,
    one_item=True,
)
