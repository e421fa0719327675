"""THE op table: everything that a graph may do, and what NumPy does for it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..frozen import dataclass

Attrs = Mapping[str, Any]


class Kind(enum.Enum):
    """How a backend goes about an op."""

    ELEMENTWISE = enum.auto()
    """One result element from one element of each input, after broadcasting."""
    VIEW = enum.auto()
    """No data moves: another window on the memory of input 0."""
    REDUCE = enum.auto()
    """Axes of input 0 disappear."""
    SCAN = enum.auto()
    """Each result element from those of input 0 before it along an axis."""
    CORE = enum.auto()
    """The core axes of all inputs together make those of the result; the others broadcast."""
    FIND = enum.auto()
    """Items, places or counts, found by going through the inputs."""
    CREATE = enum.auto()
    """A fresh array from scalars."""
    SCALAR = enum.auto()
    """Scalars in, scalar out."""
    OPAQUE = enum.auto()
    """The real function is called."""
    STORE = enum.auto()
    """Input 1 is written into the memory of input 0."""
    CONTROL = enum.auto()
    """Regions, checkpoints and exits."""


@dataclass(frozen=True, slots=True)
class Op:
    """One row of the table."""

    name: str
    kind: Kind
    reference: Callable[..., Any] | None
    """`reference(attrs, *inputs)` evaluates the op with NumPy: the meaning of the op, the numpy
    backend, and (on small examples) the type rule."""
    effect: bool = False
    """Something outside the graph can see that it ran."""


OPS: dict[str, Op] = {}


def _listed(attrs: Any, made: list[Any]) -> Any:
    if attrs["filled"] and not made:
        raise ValueError("of no item NumPy makes an array of another dtype")
    return np.array(made, attrs["dtype"])


ELIDED_FROM = 1 << 18
"""Bytes of a temporary array from which on NumPy's operators compute into it."""


def _ufunc(attrs: Any, *inputs: Any) -> Any:
    if "swaps" in attrs and inputs[1].nbytes >= ELIDED_FROM:
        return attrs["ufunc"](*reversed(inputs))
    return attrs["ufunc"](*inputs)


def _op(
    name: str, kind: Kind, reference: Callable[..., Any] | None = None, *, effect: bool = False
) -> Op:
    op = OPS[name] = Op(name, kind, reference, effect)
    return op


def _arange(n: int, first: float, second: float, *, dtype: np.dtype[Any]) -> Any:
    """As NumPy fills it: from the difference of the first two, times the place, silently."""
    made = np.arange(n).astype(dtype)
    begin, after = np.full(2, (first, second), dtype)
    with np.errstate(all="ignore"):
        made *= after - begin
        made += begin
    made[:1], made[1:2] = begin, after
    return made


def _key(axes: Sequence[int | None], indices: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(slice(None) if place is None else indices[place] for place in axes)


def _gather(attrs: Any, x: Any, *indices: Any) -> Any:
    """The axes that indices make come first: so they lie in the memory of what NumPy gives."""
    axes: tuple[int | None, ...] = attrs["axes"]
    made = x[_key(axes, indices)]
    first, count = moved_axes(axes), made.ndim - axes.count(None)
    if not first:
        return made
    order = [*range(first, first + count), *range(first), *range(first + count, made.ndim)]
    return made.transpose(order)


def moved_axes(axes: Sequence[int | None]) -> int:
    """How many axes stand before those that indices make; none where a slice parts the indices."""
    taken = [axis for axis, place in enumerate(axes) if place is not None]
    apart = taken[-1] - taken[0] >= len(taken)
    return 0 if apart else taken[0]


def _transform(attrs: Any, array: Any, factor: Any, points: int, like: Any) -> Any:
    axis, ufunc, length = attrs["axis"], attrs["ufunc"], points
    if points < 1:
        raise ValueError("a transform of no points")
    if attrs["odd"] is not None:
        length, ufunc = points // 2 + 1, attrs["odd"] if points % 2 else ufunc
    shape = (*like.shape[:axis], length, *like.shape[axis + 1 :])
    out = np.empty_like(like, shape=shape, dtype=attrs["dtype"])
    return ufunc(array, factor, axes=[(axis,), (), (axis,)], out=out)


def _counts(attrs: Any, x: Any, weights: Any = None) -> Any:
    return np.bincount(x, weights, attrs["least"])


def _interp(attrs: Any, x: Any, points: Any, values: Any, *outside: Any) -> Any:
    return np.interp(x, points, values, **dict(zip(attrs["outside"], outside, strict=True)))


CONST = _op("const", Kind.SCALAR, lambda attrs: attrs["value"])
"""A scalar known at capture."""
DIM = _op("dim", Kind.SCALAR, lambda attrs, x: x.shape[attrs["axis"]])
"""The length of one axis, as a Python int."""

UFUNC = _op("ufunc", Kind.ELEMENTWISE, _ufunc)
"""Any NumPy or SciPy ufunc of one result, with broadcasting and NEP 50 promotion. One that "swaps"
takes its two operands the other way round where the second has ELIDED_FROM bytes; a kernel bails
where the result of one that is to be "small" has as many."""
WHERE = _op("where", Kind.ELEMENTWISE, lambda attrs, c, x, y: np.where(c, x, y))
CAST = _op("cast", Kind.ELEMENTWISE, lambda attrs, x: x.astype(attrs["dtype"]))
"""A copy in another dtype, as `astype` makes it."""
COPY = _op("copy", Kind.ELEMENTWISE, lambda attrs, x: x.copy(order=attrs["order"]))

INDEX = _op("index", Kind.VIEW, lambda attrs, x, *numbers: x[attrs["index"].python(numbers)])
"""A basic index that gives an array."""
ELEMENT = _op(
    "element", Kind.SCALAR, lambda attrs, x, *numbers: x[attrs["index"].python(numbers)[:-1]]
)
"""A basic index that gives a NumPy scalar."""
TRANSPOSE = _op("transpose", Kind.VIEW, lambda attrs, x: x.transpose(attrs["axes"]))
PART = _op("part", Kind.VIEW, lambda attrs, x: getattr(x, attrs["name"]))
"""The real or the imaginary parts of complex numbers."""
RESHAPE = _op("reshape", Kind.VIEW, lambda attrs, x, *dims: x.reshape(dims))
"""Other dims over memory that is C contiguous."""

GATHER = _op("gather", Kind.FIND, _gather)
"""Items where ints say: `attrs["axes"]` has for each axis of input 0 which of the other inputs is
its index, or None where the axis stays. Indices broadcast; the axes that they make come first."""

COMPRESS = _op("compress", Kind.FIND, lambda attrs, x, mask: x[mask])
"""The items of input 0 where input 1, bools of the same dims, is true, in C order; how many there
are only running tells."""

NONZERO = _op("nonzero", Kind.FIND, lambda attrs, mask: np.nonzero(mask)[0])
"""The places where a line of bools is true: the only column of a table."""

ARGSORT = _op("argsort", Kind.FIND, lambda attrs, x: np.argsort(x, axis=attrs["axis"]))
"""The places of the items of each line along an axis, in their order."""

SEARCH = _op(
    "search", Kind.FIND, lambda attrs, x, value: np.searchsorted(x, value, side=attrs["side"])
)
"""Where items of input 1 would stand in input 0, a sorted line of the same dtype."""

INTERP = _op("interp", Kind.FIND, _interp)
"""What a line through points has at the numbers of input 0: input 1 tells where the points are,
input 2 what stands there, the others what is to be "left" or "right" of all of them, as
`attrs["outside"]` names them."""

COUNTS = _op("counts", Kind.FIND, _counts)
"""How often each natural number is in a line of ints, or what its weights sum up to; the result has
`attrs["least"]` items at least."""

REDUCE = _op(
    "reduce",
    Kind.REDUCE,
    lambda attrs, x: attrs["ufunc"].reduce(x, axis=attrs["axis"], keepdims=attrs["keepdims"]),
)
"""`ufunc.reduce` over one axis, several, or all (None)."""

ARG_REDUCE = _op(
    "arg_reduce", Kind.REDUCE, lambda attrs, x: attrs["function"](x, axis=attrs["axis"])
)
"""`np.argmax` or `np.argmin` along one axis: where the first of the largest items, or NaN, is."""

ACCUMULATE = _op(
    "accumulate",
    Kind.SCAN,
    lambda attrs, x: attrs["ufunc"].accumulate(x, axis=attrs["axis"]),
)
"""`ufunc.accumulate` along one axis."""

GUFUNC = _op("gufunc", Kind.CORE, lambda attrs, *inputs: attrs["ufunc"](*inputs))
"""A generalised ufunc of one result: matmul and its kin."""

GUFUNC_ITEMS = _op("gufunc_items", Kind.CORE, lambda attrs, *inputs: attrs["ufunc"](*inputs))
"""The same for one of several results, each of which is a result of the node."""

DOT = _op("dot", Kind.CORE, lambda attrs, x, y: np.dot(x, y))
"""`np.dot` of lines and tables."""

TRANSFORM = _op("transform", Kind.CORE, _transform)
"""A Fourier transform of input 0 along `attrs["axis"]`, of as many points as input 2 says, by a
gufunc; by `attrs["odd"]`, where there is one, of an odd number of them: these two give the first
half. The result is a fresh array; the order of its axes is that of input 3, of which input 0 may be
a copy in another dtype."""

FILL = _op(
    "fill",
    Kind.CREATE,
    lambda attrs, *dims: (
        np.empty(dims, attrs["dtype"])
        if attrs["value"] is None
        else np.full(dims, attrs["value"], attrs["dtype"])
    ),
)
"""A fresh C-ordered array of one value; None leaves the memory as it comes."""

ARANGE = _op("arange", Kind.CREATE, lambda attrs, *given: _arange(*given, dtype=attrs["dtype"]))
"""A fresh array of `n` numbers from inputs 1 and 2, the first two of them, on in equal steps."""

STORE = _op("store", Kind.STORE, lambda attrs, x, value: x.__setitem__(..., value), effect=True)
"""Writes input 1, broadcast and cast, into the memory of input 0."""

SORT = _op("sort", Kind.STORE, lambda attrs, x: x.sort(axis=attrs["axis"]), effect=True)
"""Sorts the lines of an array along an axis, where they stand."""

PUT = _op("put", Kind.STORE, lambda attrs, *inputs: attrs["call"](*inputs), effect=True)
"""Writes into the memory of input 0 where arrays of bools or ints say; `attrs["call"]` is an
OpaqueCall of `operator.setitem`, and nothing is written when it raises."""

SCATTER = _op(
    "scatter",
    Kind.STORE,
    lambda attrs, x, value, *indices: x.__setitem__(_key(attrs["axes"], indices), value),
    effect=True,
)
"""Writes input 1, broadcast, into input 0 where the other inputs say, as in GATHER. Nothing is
written where an index is wrong."""

LIST = _op("list", Kind.CREATE, lambda attrs, *items: list(items))
"""A list of numbers of one type, which the ops below change and read where they stand."""
APPEND = _op("append", Kind.STORE, lambda attrs, made, item: made.append(item), effect=True)
SET_ITEM = _op(
    "set_item", Kind.STORE, lambda attrs, made, *pair: made.__setitem__(*pair), effect=True
)
POP = _op("pop", Kind.STORE, lambda attrs, made: made.pop(), effect=True)
"""The last item, which is in the list no more."""
COUNT = _op("count", Kind.SCALAR, lambda attrs, made: len(made))
ITEM = _op("item", Kind.SCALAR, lambda attrs, made, index: made[index])
LISTED = _op("listed", Kind.CREATE, lambda attrs, made: _listed(attrs, made))
"""The items as a fresh array; with `attrs["filled"]` there has to be one."""

OPERATOR = _op("operator", Kind.SCALAR, lambda attrs, *inputs: attrs["function"](*inputs))
"""A function of the `operator` module on scalars: Python arithmetic where all inputs are Python
scalars, NumPy's scalar arithmetic where one is a NumPy scalar (other bits, other warnings than the
ufunc)."""

OPAQUE = _op("opaque", Kind.OPAQUE, lambda attrs, *inputs: attrs["call"](*inputs))
"""A pure function outside the graph; `attrs["call"]` is an OpaqueCall."""

ITEMS = _op("items", Kind.OPAQUE, lambda attrs, *inputs: attrs["call"](*inputs))
"""The same for a function that gives a tuple or list: each item is a result of the node."""

DRAW = _op("draw", Kind.OPAQUE, lambda attrs, *inputs: attrs["call"](*inputs), effect=True)
"""The same for a method of input 0, a generator of random numbers, whose state it changes."""

MAKE = _op("make", Kind.OPAQUE, lambda attrs, *inputs: attrs["call"](*inputs), effect=True)
"""A call that makes a generator of random numbers: each run of the node makes another object."""

IF = _op("if", Kind.CONTROL, effect=True)
"""Runs one of two blocks: the first where input 0, a bool, is true. A block that goes on gives the
results of the node."""
FOR = _op("for", Kind.CONTROL, effect=True)
"""`for i in range(start, stop, step)`: inputs are the three numbers and the state at the start, the
parameters of the block are i and the state. Results are the state behind the last turn, which is
that at the start where the range is empty, and what BREAK hands over. A loop that has a BREAK has
one more result, where it ended: `attrs["ended"]` where the range did."""
LOOP = _op("loop", Kind.CONTROL, effect=True)
"""A loop that only BREAK ends: inputs are the state at the start, the parameters of the block are
the state, results are what BREAK hands over."""
CONTINUE = _op("continue", Kind.CONTROL, effect=True)
"""Ends a block: the next turn of the innermost loop, with the inputs as its state."""
BREAK = _op("break", Kind.CONTROL, effect=True)
"""Ends a block: the innermost loop is left with the inputs; where a loop has several ways out, the
last of them says which it is."""
BAIL = _op("bail", Kind.CONTROL, effect=True)
"""Ends a block: eager goes on from the last checkpoint."""
UNDEFINED = _op("undefined", Kind.CONTROL)
"""A value that nobody reads, where a block has to give one."""
UNDO = _op("undo", Kind.CONTROL, effect=True)
"""What is written into the memory of input 0 from here on is taken back when the segment bails,
until the next checkpoint."""
DISJOINT = _op("disjoint", Kind.CONTROL, effect=True)
"""The segment bails where the memory of the two inputs overlaps; passes put it into graphs."""
CHECKPOINT = _op("checkpoint", Kind.CONTROL, effect=True)
"""From here on the segment can be left through `attrs["exit"]`: the state is consistent, and what
has happened before must not happen again."""
LEAVE = _op("leave", Kind.CONTROL, effect=True)
"""The segment ends through `attrs["exit"]`."""

ENDS = frozenset({CONTINUE, BREAK, BAIL, LEAVE})
"""Ops that end the block they stand in."""
