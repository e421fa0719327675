"""THE op table: all that a graph may do, what NumPy does for it, and what its nodes are like.

A row has all that is known of an op: its kind, the reference that computes it, the inputs and
results of its nodes, how their types follow from each other, its attributes, its effect. The words
for that are in `schema.py`, `references.py` and `type_rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import references as run
from . import schema as has
from . import type_rules as typed
from .asking import asked, asked_for_numbers
from .schema import OPS as OPS
from .schema import Effect, TypeRule, row
from .schema import Kind as Kind
from .schema import Op as Op
from .type_rules import freely


def _write(
    name: str, reference: Callable[..., Any], signature: str, types: TypeRule, /, **attrs: Any
) -> Op:
    """An op that writes into memory, mostly of input 0; "visible" writes stay at a bail."""
    attrs["visible"] = has.A_BOOL
    return row(name, Kind.STORE, reference, signature, types, effect=Effect.WRITE, **attrs)


def _call(
    name: str,
    signature: str,
    types: TypeRule = freely,
    /,
    effect: Effect | None = None,
    **attrs: Any,
) -> Op:
    """An op that calls the OpaqueCall `attrs["call"]`."""
    attrs["call"] = has.A_CALL
    return row(name, Kind.OPAQUE, run.call, signature, types, effect=effect, **attrs)


def _control(name: str, signature: str, effect: Effect | None = None, /, **more: Any) -> Op:
    """An op that runs nothing by itself."""
    return row(name, Kind.CONTROL, None, signature, freely, effect=effect, **more)


CONST = row(
    "const",
    Kind.SCALAR,
    run.constant,
    "-> number",
    typed.constant,
    value=has.A_NUMBER,
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
)
"""The length of one axis, as a Python int."""

UFUNC = row(
    "ufunc",
    Kind.ELEMENTWISE,
    run.ufunc,
    "numeric+ -> numeric",
    typed.elementwise,
    ufunc=has.A_UFUNC,
    swaps=has.NOTED,
    small=has.NOTED,
)
"""Any NumPy or SciPy ufunc of one result, with broadcasting and NEP 50 promotion. One that "swaps"
takes its two operands the other way round where the second has ELIDED_FROM bytes; a kernel bails
where the result of one that is to be "small" has as many."""
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
)
"""A copy in another dtype, as `astype` makes it; warnings name the ufunc `attrs["within"]`."""
COPY = row(
    "copy", Kind.ELEMENTWISE, run.copy, "array -> array", typed.elementwise, order=has.AN_ORDER
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
    "transpose", Kind.VIEW, run.transpose, "array -> array", typed.transposed, axes=has.AXES
)
PART = row("part", Kind.VIEW, run.part, "array -> array", typed.like_first, name=has.A_PART)
"""The real or the imaginary parts of complex numbers."""
RESHAPE = row(
    "reshape",
    Kind.VIEW,
    run.reshape,
    "array, int* -> array",
    typed.reshaped,
)
"""Other dims over memory that is C contiguous."""

GATHER = row(
    "gather", Kind.FIND, run.gather, "array, numeric+ -> numeric", typed.gathered, axes=has.PLACES
)
"""Items where ints say: `attrs["axes"]` has for each axis of input 0 which of the other inputs is
its index, or None where the axis stays. Indices broadcast; the axes that they make come first."""

COMPRESS = row("compress", Kind.FIND, run.compress, "array, mask -> array", typed.found)
"""The items of input 0 where input 1, bools of the same dims, is true, in C order; how many there
are only running tells."""

NONZERO = row("nonzero", Kind.FIND, run.nonzero, "mask -> array", typed.found)
"""The places where a line of bools is true: the only column of a table."""

ARGSORT = row(
    "argsort", Kind.FIND, run.argsort, "array -> array", typed.like_first, axis=has.AN_INT
)
"""The places of the items of each line along an axis, in their order."""

SEARCH = row(
    "search", Kind.FIND, run.search, "array, numeric -> numeric", typed.searched, side=has.A_SIDE
)
"""Where items of input 1 would stand in input 0, a sorted line of the same dtype."""

INTERP = row(
    "interp",
    Kind.FIND,
    run.interp,
    "numeric, array, array, number?, number? -> numeric",
    typed.like_first,
    outside=has.SIDES,
)
"""What a line through points has at the numbers of input 0: input 1 tells where the points are,
input 2 what stands there, the others what is to be "left" or "right" of all of them, as
`attrs["outside"]` names them."""

COUNTS = row(
    "counts", Kind.FIND, run.counts, "array, array? -> array", typed.found, least=has.A_COUNT
)
"""How often each natural number is in a line of ints, or what its weights sum up to; the result has
`attrs["least"]` items at least."""

REDUCE = row(
    "reduce",
    Kind.REDUCE,
    run.reduce,
    "array -> numeric",
    typed.reduced,
    ufunc=has.A_UFUNC,
    axis=has.AXIS_OR_AXES,
    keepdims=has.A_BOOL,
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
"""`np.argmax` or `np.argmin` along one axis: where the first of the largest items, or NaN, is."""

ACCUMULATE = row(
    "accumulate",
    Kind.SCAN,
    run.accumulate,
    "array -> array",
    typed.like_first,
    ufunc=has.A_UFUNC,
    axis=has.AN_INT,
)
"""`ufunc.accumulate` along one axis."""

GUFUNC = row("gufunc", Kind.CORE, run.gufunc, "numeric+ -> numeric", asked, ufunc=has.A_UFUNC)
"""A generalised ufunc of one result: matmul and its kin."""

GUFUNC_ITEMS = row(
    "gufunc_items",
    Kind.CORE,
    run.gufunc,
    "numeric+ -> numeric+",
    typed.nested_and_asked,
    ufunc=has.A_UFUNC,
    nest=has.A_NEST,
)
"""The same for one of several results, each of which is a result of the node."""

DOT = row("dot", Kind.CORE, run.dot, "array, array -> numeric", asked)
"""`np.dot` of lines and tables."""

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
)
"""A Fourier transform of input 0 along `attrs["axis"]`, of as many points as input 2 says, by a
gufunc; by `attrs["odd"]`, where there is one, of an odd number of them: these two give the first
half. The result is a fresh array; the order of its axes is that of input 3, of which input 0 may be
a copy in another dtype."""

FILL = row(
    "fill",
    Kind.CREATE,
    run.fill,
    "int* -> array",
    typed.filled,
    value=has.AN_ELEMENT_OR_NONE,
    dtype=has.A_DTYPE,
)
"""A fresh C-ordered array of one value; None leaves the memory as it comes."""

ARANGE = row(
    "arange",
    Kind.CREATE,
    run.arange,
    "int, number, number -> array",
    typed.counted,
    dtype=has.A_DTYPE,
)
"""A fresh array of `n` numbers from inputs 1 and 2, the first two of them, on in equal steps."""

STORE = _write("store", run.store, "array, numeric ->", typed.stored)
"""Writes input 1, broadcast and cast, into the memory of input 0."""

SORT = _write("sort", run.sort, "array ->", typed.along_axis, axis=has.AN_INT)
"""Sorts the lines of an array along an axis, where they stand."""

PUT = _write("put", run.call, "passed+ ->", typed.written_somewhere, call=has.A_CALL)
"""Calls what writes into the memory of arrays or objects among its inputs, whichever these are:
`attrs["call"]` is an OpaqueCall of `operator.setitem`, of a function with `out=`, of a method that
sorts. Some of it may be written when it raises."""

SCATTER = _write(
    "scatter", run.scatter, "array, numeric, numeric+ ->", typed.scattered, axes=has.PLACES
)
"""Writes input 1, broadcast, into input 0 where the other inputs say, as in GATHER. Nothing is
written where an index is wrong."""

LIST = row("list", Kind.CREATE, run.new_list, "number* -> list", typed.new_list)
"""A list of numbers of one type, which the ops below change and read where they stand."""
APPEND = row(
    "append",
    Kind.STORE,
    run.append,
    "list, number ->",
    typed.put_in_list,
    effect=Effect.LIST,
)
SET_ITEM = row(
    "set_item",
    Kind.STORE,
    run.set_item,
    "list, int, number ->",
    typed.put_in_list,
    effect=Effect.LIST,
)
POP = row(
    "pop",
    Kind.STORE,
    run.pop,
    "list -> number",
    typed.item_of_list,
    effect=Effect.LIST,
)
"""The last item, which is in the list no more."""
COUNT = row("count", Kind.SCALAR, run.count, "list -> number", typed.count_of_list)
ITEM = row(
    "item",
    Kind.SCALAR,
    run.item,
    "list, int -> number",
    typed.item_of_list,
)
LISTED = row(
    "listed",
    Kind.CREATE,
    run.listed,
    "list -> array",
    typed.listed,
    dtype=has.A_DTYPE,
    filled=has.A_BOOL,
)
"""The items as a fresh array; with `attrs["filled"]` there has to be one."""

OPERATOR = row(
    "operator",
    Kind.SCALAR,
    run.operator,
    "number+ -> number",
    asked_for_numbers,
    function=has.A_FUNCTION,
)
"""A function of the `operator` module on scalars: Python arithmetic where all inputs are Python
scalars, NumPy's scalar arithmetic where one is a NumPy scalar (other bits, other warnings than the
ufunc)."""

OPAQUE = _call("opaque", "passed* -> passed", owned=has.NOTED)
"""A pure function outside the graph; `attrs["call"]` is an OpaqueCall."""

ITEMS = _call("items", "passed* -> passed*", typed.nested, nest=has.A_NEST)
"""The same for a function that gives a tuple or list: each item is a result of the node."""

DRAW = _call(
    "draw", "object, passed* -> passed", visible=has.A_BOOL, owned=has.NOTED, effect=Effect.DRAW
)
"""The same for a method of input 0, a generator of random numbers, whose state it changes."""

MAKE = _call("make", "passed* -> object", effect=Effect.DRAW)
"""A call that makes a generator of random numbers: each run of the node makes another object."""

IF = _control("if", "bool -> numeric*", Effect.REGION, blocks=2)
"""Runs one of two blocks: the first where input 0, a bool, is true. A block that goes on gives the
results of the node."""
FOR = _control(
    "for",
    "int, int, int, numeric* -> numeric*",
    Effect.REGION,
    ended=has.optional(has.AN_INT),
    blocks=1,
)
"""`for i in range(start, stop, step)`: inputs are the three numbers and the state at the start, the
parameters of the block are i and the state. Results are the state behind the last turn, which is
that at the start where the range is empty, and what BREAK hands over. A loop that has a BREAK has
one more result, where it ended: `attrs["ended"]` where the range did."""
LOOP = _control("loop", "numeric* -> numeric*", Effect.REGION, blocks=1)
"""A loop that only BREAK ends: inputs are the state at the start, the parameters of the block are
the state, results are what BREAK hands over."""
HALTED = _control(
    "halted",
    "int* -> bool, int",
    Effect.HALT,
    whole_by=has.TURNS,
    within=has.optional(has.INSTRUCTIONS),
)
"""Whether the loop before was halted between two turns, and for a FOR the number of the next one. A
loop may be halted if this stands behind it: a FOR as if its range ended there, a LOOP as if it
broke and handed over its state, which its last results are then. `attrs["whole_by"]`: behind what
eager that goes on there has all locals that it would have had: one more turn, one in which the
loops `within` (the instructions that they begin with) make turns, or none. With inputs, turns
behind which none of them is BEFORE: results of the loop that say of locals whether turns have
assigned them, see assigned.py."""
CONTINUE = _control("continue", "numeric* ->", Effect.JUMP, ends=True)
"""Ends a block: the next turn of the innermost loop, with the inputs as its state."""
BREAK = _control("break", "numeric* ->", Effect.JUMP, ends=True)
"""Ends a block: the innermost loop is left with the inputs; where a loop has several ways out, the
last of them says which it is."""
BAIL = _control("bail", "->", Effect.BAIL, ends=True)
"""Ends a block: eager goes on from the last checkpoint."""
UNDEFINED = _control("undefined", "-> numeric")
"""A value that nobody reads, where a block has to give one."""
UNDO = _control("undo", "stateful ->", Effect.UNDO, on_top=True)
"""What is written into the memory of input 0 from here on is taken back when the segment bails,
until the next checkpoint."""
DISJOINT = _control("disjoint", "array, array ->", Effect.COMPARE)
"""The segment bails where the memory of the two inputs overlaps; passes put it into graphs."""
CHECKPOINT = _control("checkpoint", "any* ->", Effect.CHECKPOINT, exit=has.A_COUNT, on_top=True)
"""From here on the segment can be left through `attrs["exit"]`: the state is consistent, and what
has happened before must not happen again."""
LEAVE = _control("leave", "any* ->", Effect.LEAVE, exit=has.A_COUNT, ends=True)
"""The segment ends through `attrs["exit"]`."""

ENDS = frozenset(op for op in OPS.values() if op.ends)
"""Ops that end the block they stand in."""
