"""Rows of reductions and scans."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import Applies, AxisOrder, Kind, row

__all__ = ["ACCUMULATE", "ARG_REDUCE", "REDUCE"]

_OF_UFUNCS = {"silent": "it may report flags", "axis_order": "NumPy is asked on examples"}

REDUCE = row(
    "reduce",
    Kind.REDUCE,
    run.reduce,
    "array -> numeric",
    typed.reduced,
    ufunc=has.A_UFUNC,
    applies=Applies.REDUCE,
    lacks=_OF_UFUNCS,
    axis=has.AXIS_OR_AXES,
    keepdims=has.A_BOOL,
    computes=True,
    one_item=True,
)
"""`ufunc.reduce` over one axis, several, or all (None)."""

ARG_REDUCE = row(
    "arg_reduce",
    Kind.REDUCE,
    run.arg_reduce,
    "array -> numeric",
    typed.reduced,
    function=has.A_FUNCTION,
    applies=Applies.LINES,
    axis_order=AxisOrder.C,
    lacks={"silent": "lines may be empty"},
    axis=has.AN_INT,
)
"""`np.argmax` or `np.argmin` along one axis: the index of the first extreme item, or of the first
NaN."""

ACCUMULATE = row(
    "accumulate",
    Kind.SCAN,
    run.accumulate,
    "array -> array",
    typed.like_first,
    ufunc=has.A_UFUNC,
    applies=Applies.ACCUMULATE,
    lacks=_OF_UFUNCS,
    axis=has.AN_INT,
    computes=True,
)
"""`ufunc.accumulate` along one axis."""
