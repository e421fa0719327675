"""Rows of ops that search arrays for items, indices or counts, and of sorting permutations."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import AxisOrder, Kind, row

__all__ = ["ARGSORT", "COMPRESS", "COUNTS", "GATHER", "INTERP", "NONZERO", "SEARCH"]

_UNREAD = {"silent": "programs hardly ever leave its result unread"}

GATHER = row(
    *("gather", Kind.FIND, run.gather, "array, numeric+ -> numeric", typed.gathered),
    axes=has.PLACES,
    lacks={"silent": "an index may be out of bounds", "axis_order": "NumPy is asked on examples"},
    one_item=True,
)
"""Advanced indexing by int arrays. For each axis of input 0, `attrs["axes"]` has the position of
its index among the other inputs, or None if the axis stays. The indices broadcast against each
other, and their axes come first."""

COMPRESS = row(
    *("compress", Kind.FIND, run.compress, "array, mask -> array", typed.found),
    axis_order=AxisOrder.C,
    lacks={"silent": "the mask may have another shape"},
    one_item=True,
)
"""The items of input 0 where input 1, a mask of the same shape, is true, in C order. The length of
the result is known only at run time."""

NONZERO = row(
    *("nonzero", Kind.FIND, run.nonzero, "mask -> array", typed.found),
    axis_order=AxisOrder.C,
    lacks=_UNREAD,
    one_item=True,
)
"""Indices at which a 1-d mask is true: the only column of the (n, 1) index table."""

ARGSORT = row(
    *("argsort", Kind.FIND, run.argsort, "array -> array", typed.like_first),
    axis=has.AN_INT,
    axis_order=AxisOrder.C,
    lacks=_UNREAD,
)
"""The permutation that sorts each line along an axis, as `np.argsort`."""

SEARCH = row(
    *("search", Kind.FIND, run.search, "array, numeric -> numeric", typed.searched),
    side=has.A_SIDE,
    axis_order=AxisOrder.C,
    lacks=_UNREAD,
)
"""Positions at which items of input 1 would be inserted into input 0, a sorted 1-d array of the
same dtype."""

INTERP = row(
    "interp",
    Kind.FIND,
    run.interp,
    "numeric, array, array, number?, number? -> numeric",
    typed.like_first,
    outside=has.SIDES,
    axis_order=AxisOrder.C,
    lacks={"silent": "there may be no points"},
)
"""`np.interp` at the numbers of input 0: input 1 has the x coordinates, input 2 the values, further
inputs the results "left" or "right" of all points, as `attrs["outside"]` names them."""

COUNTS = row(
    *("counts", Kind.FIND, run.counts, "array, array? -> array", typed.found),
    least=has.A_COUNT,
    axis_order=AxisOrder.C,
    lacks={"silent": "an int may be negative"},
)
"""`np.bincount` of a 1-d int array, optionally weighted; the result has at least `attrs["least"]`
items."""
