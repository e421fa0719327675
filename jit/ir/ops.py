"""The op table: all operations of graphs, with their NumPy reference and the form of their nodes.

A row has everything known about an op: kind, reference (a function in `references.py`), inputs and
results, type rule (`type_rules.py`), attributes, effect and flags (the fields of `Op` in
`schema.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import references as run
from . import schema as has
from . import type_rules as typed
from .numpy_types import matches_numpy, matches_numpy_for_numbers
from .schema import OPS as OPS
from .schema import Effect, TypeRule, row
from .schema import Kind as Kind
from .schema import Op as Op
from .type_rules import freely


def _write(
    name: str, reference: Callable[..., Any], signature: str, types: TypeRule, /, **attrs: Any
) -> Op:
    """Add an op that writes into memory, usually of input 0; "visible" writes survive a bail."""
    attrs["visible"] = has.A_BOOL
    return row(name, Kind.STORE, reference, signature, types, effect=Effect.WRITE, **attrs)


def _change(
    name: str,
    reference: Callable[..., Any],
    signature: str,
    types: TypeRule,
    /,
    **attrs: Any,
) -> Op:
    """Add an op that changes the list that is input 0."""
    more = {"effect": Effect.LIST, "moves": True, **attrs}
    return row(name, Kind.STORE, reference, signature, types, **more)


def _call(
    name: str,
    signature: str,
    types: TypeRule = freely,
    /,
    effect: Effect | None = None,
    computes: bool = False,
    **attrs: Any,
) -> Op:
    """Add an op that calls the OpaqueCall `attrs["call"]`."""
    attrs["call"] = has.A_CALL
    more = {"effect": effect, "computes": computes, **attrs}
    return row(name, Kind.OPAQUE, run.call, signature, types, **more)


def _control(name: str, signature: str, effect: Effect | None = None, /, **more: Any) -> Op:
    """Add an op of control flow, which has no reference of its own."""
    return row(name, Kind.CONTROL, None, signature, freely, effect=effect, **more)


CONST = row(
    *("const", Kind.SCALAR, run.constant, "-> number", typed.constant),
    silent=True,
    value=has.A_NUMBER,
    of_numbers=True,
)
"""A scalar known at capture."""
DIM = row(
    "dim",
    Kind.SCALAR,
    run.length,
    "array -> number",
    typed.length,
    axis=has.AN_INT,
    reads=False,
    silent=True,
    of_numbers=True,
)
"""The length of one axis, as a Python int."""

UFUNC = row(
    "ufunc",
    Kind.ELEMENTWISE,
    run.ufunc,
    "numeric+ -> numeric",
    typed.elementwise,
    ufunc=has.A_UFUNC,
    swaps=has.A_MARK,
    small=has.A_MARK,
    computes=True,
)
"""Any NumPy or SciPy ufunc with one result, with broadcasting and NEP 50 promotion. With "swaps"
the operands are exchanged if the second has ELIDED_FROM bytes, as NumPy does; with "small" the
kernel bails if the result is that large."""
WHERE = row(
    "where", Kind.ELEMENTWISE, run.where, "numeric, numeric, numeric -> array", typed.elementwise
)
CAST = row(
    "cast",
    Kind.ELEMENTWISE,
    run.cast,
    "numeric -> numeric",
    typed.elementwise,
    dtype=has.A_DTYPE,
    within=has.optional(has.A_UFUNC_OR_NONE),
    computes=True,
)
"""A copy in another dtype, as `astype` makes it; warnings name the ufunc `attrs["within"]`."""
COPY = row(
    *("copy", Kind.ELEMENTWISE, run.copy, "array -> array", typed.elementwise),
    order=has.AN_ORDER,
    silent=True,
)

INDEX = row(
    "index", Kind.VIEW, run.index, "array, int* -> array", typed.indexed, index=has.AN_INDEX
)
"""A basic index that gives an array."""
ELEMENT = row(
    "element", Kind.SCALAR, run.element, "array, int* -> number", typed.element, index=has.AN_INDEX
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
RESHAPE = row("reshape", Kind.VIEW, run.reshape, "array, int* -> array", typed.reshaped)
"""Another shape over C-contiguous memory."""

GATHER = row(
    "gather", Kind.FIND, run.gather, "array, numeric+ -> numeric", typed.gathered, axes=has.PLACES
)
"""Advanced indexing by int arrays. For each axis of input 0, `attrs["axes"]` has the position of
its index among the other inputs, or None if the axis stays. The indices broadcast against each
other, and their axes come first."""

COMPRESS = row("compress", Kind.FIND, run.compress, "array, mask -> array", typed.found)
"""The items of input 0 where input 1, a mask of the same shape, is true, in C order. The length of
the result is known only at run time."""

NONZERO = row("nonzero", Kind.FIND, run.nonzero, "mask -> array", typed.found)
"""Indices at which a 1-d mask is true: the only column of the (n, 1) index table."""

ARGSORT = row(
    "argsort", Kind.FIND, run.argsort, "array -> array", typed.like_first, axis=has.AN_INT
)
"""The permutation that sorts each line along an axis, as `np.argsort`."""

SEARCH = row(
    "search", Kind.FIND, run.search, "array, numeric -> numeric", typed.searched, side=has.A_SIDE
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
)
"""`np.interp` at the numbers of input 0: input 1 has the x coordinates, input 2 the values, further
inputs the results "left" or "right" of all points, as `attrs["outside"]` names them."""

COUNTS = row(
    "counts", Kind.FIND, run.counts, "array, array? -> array", typed.found, least=has.A_COUNT
)
"""`np.bincount` of a 1-d int array, optionally weighted; the result has at least `attrs["least"]`
items."""

REDUCE = row(
    "reduce",
    Kind.REDUCE,
    run.reduce,
    "array -> numeric",
    typed.reduced,
    ufunc=has.A_UFUNC,
    axis=has.AXIS_OR_AXES,
    keepdims=has.A_BOOL,
    computes=True,
)
"""`ufunc.reduce` over one axis, several, or all (None)."""

ARG_REDUCE = row(
    "arg_reduce",
    Kind.REDUCE,
    run.arg_reduce,
    "array -> numeric",
    typed.reduced,
    function=has.A_FUNCTION,
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
    axis=has.AN_INT,
    computes=True,
)
"""`ufunc.accumulate` along one axis."""

GUFUNC = row(
    "gufunc",
    Kind.CORE,
    run.gufunc,
    "numeric+ -> numeric",
    matches_numpy,
    ufunc=has.A_UFUNC,
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
    nest=has.A_NEST,
    computes=True,
)
"""A generalised ufunc with several results, each of which is a result of the node."""

DOT = row("dot", Kind.CORE, run.dot, "array, array -> numeric", matches_numpy, computes=True)
"""`np.dot` of 1-d and 2-d arrays."""

TRANSFORM = row(
    "transform",
    Kind.CORE,
    run.transform,
    "array, numeric, int, array -> array",
    typed.transform,
    ufunc=has.A_UFUNC,
    odd=has.A_UFUNC_OR_NONE,
    axis=has.AN_INT,
    dtype=has.A_DTYPE,
    computes=True,
)
"""A Fourier transform of input 0 along `attrs["axis"]` with the number of points in input 2, by a
gufunc; `attrs["odd"]`, if given, serves odd numbers of points (real transforms, which return the
first half). The result is a new array whose axes are ordered in memory like those of input 3, the
array that input 0 may be a converted copy of."""

FILL = row(
    "fill",
    Kind.CREATE,
    run.fill,
    "int* -> array",
    typed.filled,
    value=has.AN_ELEMENT_OR_NONE,
    dtype=has.A_DTYPE,
    moves=True,
)
"""A new C-ordered array filled with one value; with None it is left uninitialised."""

ARANGE = row(
    "arange",
    Kind.CREATE,
    run.arange,
    "int, number, number -> array",
    typed.counted,
    dtype=has.A_DTYPE,
)
"""A new array of `n` numbers in equal steps; inputs 1 and 2 are the first two of them."""

STORE = _write("store", run.store, "array, numeric ->", typed.stored)
"""Writes input 1, broadcast and cast, into the memory of input 0."""

SORT = _write("sort", run.sort, "array ->", typed.along_axis, axis=has.AN_INT)
"""Sorts an array along an axis in place."""

PUT = _write("put", run.call, "passed+ ->", typed.written_somewhere, call=has.A_CALL, holds=True)
"""Calls a function that writes into some of its inputs, arrays or objects: `attrs["call"]` is an
OpaqueCall of `operator.setitem`, of a function with `out=`, or of a sorting method. If it raises,
part of the writes may have happened."""

SCATTER = _write(
    "scatter", run.scatter, "array, numeric, numeric+ ->", typed.scattered, axes=has.PLACES
)
"""Writes input 1, broadcast, into input 0 at the places that the other inputs give, as in GATHER.
If an index is out of bounds nothing is written."""

LIST = row("list", Kind.CREATE, run.new_list, "number* -> list", typed.new_list, moves=True)
"""A list of numbers of one type, which the list ops below change in place."""
APPEND = _change("append", run.append, "list, number ->", typed.put_in_list)
SET_ITEM = _change("set_item", run.set_item, "list, int, number ->", typed.put_in_list)
POP = _change("pop", run.pop, "list -> number", typed.item_of_list, first=has.A_BOOL)
"""Removes the last item, or with `attrs["first"]` the first one, and returns it."""
COUNT = row("count", Kind.SCALAR, run.count, "list -> number", typed.count_of_list, silent=True)
ITEM = row("item", Kind.SCALAR, run.item, "list, int -> number", typed.item_of_list)
LISTED = row(
    "listed",
    Kind.CREATE,
    run.listed,
    "list -> array",
    typed.listed,
    dtype=has.A_DTYPE,
    filled=has.A_BOOL,
)
"""The items of a list as a new array; with `attrs["filled"]` an empty list is an error."""

OPERATOR = row(
    "operator",
    Kind.SCALAR,
    run.operator,
    "number+ -> number",
    matches_numpy_for_numbers,
    function=has.A_FUNCTION,
    of_numbers=True,
    computes=True,
)
"""A function of the `operator` module on scalars: Python arithmetic if all inputs are Python
scalars, NumPy's scalar arithmetic if one is a NumPy scalar (its bits and warnings differ from the
ufunc's)."""

OPAQUE = _call("opaque", "passed* -> passed", owned=has.A_MARK, computes=True)
"""Calls a pure function outside the graph; `attrs["call"]` is an OpaqueCall."""

ITEMS = _call("items", "passed* -> passed*", typed.nested, nest=has.A_NEST, computes=True)
"""Calls a pure function that returns a tuple or list: each item is a result of the node."""

DRAW = _call(
    "draw", "object, passed* -> passed", visible=has.A_BOOL, owned=has.A_MARK, effect=Effect.DRAW
)
"""Calls a method of input 0, a random generator, and changes its state."""

MAKE = _call("make", "passed* -> object", effect=Effect.DRAW)
"""Calls a constructor of a random generator; each run makes another object."""

IF = _control("if", "bool -> numeric*", Effect.REGION, blocks=2)
"""Runs the first block if input 0 is true, else the second. A block that control leaves at its end
gives the results of the node."""
FOR = _control(
    "for",
    "int, int, int, numeric* -> numeric*",
    Effect.REGION,
    ended=has.optional(has.AN_INT),
    blocks=1,
    loops=True,
)
"""`for i in range(start, stop, step)`. Inputs are these numbers and the initial state; the block's
parameters are i and the state. Results are the state after the last iteration (the initial one if
the range is empty) and the values that BREAK hands over. A loop with a BREAK has one more result
that says how it ended: `attrs["ended"]` if the range was exhausted."""
LOOP = _control("loop", "numeric* -> numeric*", Effect.REGION, blocks=1, loops=True)
"""A loop that only BREAK ends. Inputs are the initial state, the block's parameters are the state,
results are the values that BREAK hands over."""
HALTED = _control(
    "halted",
    "int* -> bool, int",
    Effect.HALT,
    locals_after=has.LOCALS_AFTER,
    within=has.optional(has.INSTRUCTIONS),
)
"""Tests if the preceding loop was halted between two iterations; the second result is, for a FOR,
the number of the next one. The kernel may halt a loop only if this node follows it: a FOR then ends
as if its range did, a LOOP as if it broke and handed over its state as its last results.

Eager continues at the loop's header without the locals that the loop does not hand on.
`attrs["locals_after"]` says which iterations, repeated there, assign all of them: any single one;
any in which the inner loops `within` (the instructions where they begin) iterate too; or none
surely. Inputs, if any, record which locals iterations have assigned (see `assigned.py`): then eager
has to repeat iterations until no input is BEFORE."""
CONTINUE = _control("continue", "numeric* ->", Effect.JUMP, ends=True)
"""Ends a block: continue the innermost loop with the inputs as its state."""
BREAK = _control("break", "numeric* ->", Effect.JUMP, ends=True)
"""Ends a block: leave the innermost loop with the inputs as results. If the loop can end in several
ways, the last input says in which."""
BAIL = _control("bail", "->", Effect.BAIL, ends=True)
"""Ends a block: eager continues from the last checkpoint."""
UNDEFINED = _control("undefined", "-> numeric", silent=True)
"""A value that nothing reads, for a block that has to produce one."""
UNDO = _control("undo", "stateful ->", Effect.UNDO, on_top=True, holds=True)
"""Records writes to the memory of input 0 from here on, so that a bail before the next checkpoint
undoes them."""
DISJOINT = _control("disjoint", "array, array ->", Effect.COMPARE)
"""Bails if the memory of the two inputs overlaps. Only passes insert it."""
CHECKPOINT = _control(
    "checkpoint", "any* ->", Effect.CHECKPOINT, exit=has.A_COUNT, on_top=True, holds=True
)
"""From here on the segment can be left through `attrs["exit"]`. The state is consistent, and
earlier effects must not be repeated."""
LEAVE = _control("leave", "any* ->", Effect.LEAVE, exit=has.A_COUNT, ends=True, holds=True)
"""Leaves the segment through `attrs["exit"]`."""

ENDS = frozenset(op for op in OPS.values() if op.ends)
"""Ops that end the block they stand in."""
