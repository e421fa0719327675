"""Rows of generalised ufuncs, products among them, and of Fourier transforms."""

from __future__ import annotations

import numpy as np

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..numpy_types import matches_numpy
from ..schema import Applies, AxisOrder, Kind, row

__all__ = ["DOT", "GUFUNC", "GUFUNC_ITEMS", "TRANSFORM"]

_REPORTS = "it may report flags, or find core axes that do not match"
_OF_UFUNCS = {"silent": _REPORTS, "axis_order": "NumPy is asked on examples"}

GUFUNC = row(
    "gufunc",
    Kind.CORE,
    run.gufunc,
    "numeric+ -> numeric",
    matches_numpy,
    ufunc=has.A_UFUNC,
    applies=Applies.CORE,
    gufunc=lambda attrs: attrs["ufunc"],
    lacks=_OF_UFUNCS,
    computes=True,
)
"""A generalised ufunc with one result, such as matmul."""

GUFUNC_ITEMS = row(
    "gufunc_items",
    Kind.CORE,
    run.gufunc,
    "numeric+ -> numeric+",
    typed.nested_and_matches_numpy,
    ufunc=has.A_UFUNC,
    applies=Applies.CORE,
    gufunc=lambda attrs: attrs["ufunc"],
    lacks=_OF_UFUNCS,
    nest=has.A_NEST,
    computes=True,
)
"""A generalised ufunc with several results, each of which is a result of the node."""

DOT = row(
    *("dot", Kind.CORE, run.dot, "array, array -> numeric", matches_numpy),
    gufunc=lambda attrs: np.matmul,
    axis_order=AxisOrder.C,
    lacks={"silent": _REPORTS, "applies": "the function is always the same"},
    computes=True,
)
"""`np.dot` of 1-d and 2-d arrays."""

TRANSFORM = row(
    "transform",
    Kind.CORE,
    run.transform,
    "array, numeric, int, array -> array",
    typed.transform,
    ufunc=has.A_UFUNC,
    applies=Applies.CORE,
    lacks={**_OF_UFUNCS, "gufunc": "it decides at run time, and has axes as attributes"},
    odd=has.A_UFUNC_OR_NONE,
    axis=has.AN_INT,
    dtype=has.A_DTYPE,
    computes=True,
)
"""A Fourier transform of input 0 along `attrs["axis"]` with the number of points in input 2, by a
gufunc; `attrs["odd"]`, if given, serves odd numbers of points (real transforms, which return the
first half). The result is a new array whose axes are ordered in memory like those of input 3, the
array that input 0 may be a converted copy of."""
