"""The table of rows for NumPy functions and array methods.

Only calls that are not a single ufunc call need a row: those are found by probing, and the rest
become opaque nodes. Rows have the parameters of NumPy's signature; a row that cannot handle an
argument returns None, and the call is opaque.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...jit.filters import filtered
from ...jit.ir import graph as ir
from ...jit.ir.ops import CAST, COPY, TRANSPOSE, WHERE
from ...jit.ir.types import Layout, captured_dtype
from ..capture.arrays.inner_lists import view_of
from ..capture.arrays.nodes import add, opaque_call, ufunc_call
from ..capture.objects.listed import known_items, listed
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.invocation import Invocation
from ..capture.state.live import concrete, realise
from ..capture.state.machine import Machine
from ..capture.values.breaks import NOT_PLAIN, GraphBreak
from ..capture.values.folding import folded
from ..capture.values.inner_lists import InnerList
from ..capture.values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple

Row = Callable[..., "Symbolic | None"]
FUNCTIONS: dict[Any, Row] = {}
"""Rows by callable: `row(machine, frame, *arguments, **keywords)`."""
METHODS: dict[str, Row] = {}
"""Rows by name of the array method; the array is the first argument."""
COMPUTED_WITH: dict[Row, frozenset[str]] = {}
"""For each row, its optional parameters that accept numbers known only at run time; numbers for its
other optional parameters are guarded, and passed as constants."""


NONE = Known(None)
FALSE, TRUE = Known(False), Known(True)
"""Default values of arguments."""


def function_row(*callables: Any, computed_with: Iterable[str] = ()) -> Callable[[Row], Row]:
    """Register a row for functions; `computed_with` as in COMPUTED_WITH."""

    def register(row: Row) -> Row:
        COMPUTED_WITH[row] = frozenset(computed_with)
        for callable_ in callables:
            FUNCTIONS[callable_] = row
        return row

    return register


def method_row(name: str) -> Callable[[Row], Row]:
    """Register a row for an array method."""

    def register(row: Row) -> Row:
        COMPUTED_WITH.setdefault(row, frozenset())
        METHODS[name] = row
        return row

    return register


def call_row(row: Row, call: Invocation) -> Symbolic | None:
    """Apply a row to a call; None if the row lacks a parameter.

    Parameters have NumPy's names.
    """
    code = row.__code__
    names = code.co_varnames[2 : code.co_argcount]  # after the machine and the frame
    only_named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    arguments, keywords = call.arguments, call.keywords
    if len(arguments) > len(names) and not code.co_flags & inspect.CO_VARARGS:
        return None
    free, needed = names[len(arguments) :] + only_named, len(names) - len(row.__defaults__ or ())
    if any(name not in free for name in keywords):
        return None
    if any(name not in keywords for name in names[len(arguments) : needed]):
        return None
    operands = COMPUTED_WITH[row].union(names[:needed])
    given = {**dict(zip(names, arguments, strict=False)), **keywords}
    options = {
        name: _option(call.machine, value) for name, value in given.items() if name not in operands
    }
    known = {name: value for name, value in options.items() if value is not None}
    if len(known) < len(options):
        return None
    first = tuple(known.get(name, given[name]) for name in names[: len(arguments)])
    rest = {name: known.get(name, given[name]) for name in keywords}
    return row(call.machine, call.frame, *first, *arguments[len(names) :], **rest)


def _option(machine: Machine, value: Symbolic) -> Symbolic | None:
    """Return an option of a call as a constant; None if it could be anything."""
    number = realise(machine, value)
    return concrete(machine, number) if isinstance(number, Scalar) else value


def as_operand(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic:
    """Return an operand as a ufunc or operator takes it, with lists and tuples as arrays."""
    if isinstance(value, InnerList) and (view := view_of(machine, value)) is not None:
        return view
    known = isinstance(value, Known) and type(value.object) is tuple
    if not known and not isinstance(value, List | Tuple):
        return value
    if (array := listed(machine, value)) is not None:
        return array
    made = call_row(FUNCTIONS[np.asarray], Invocation(machine, frame, (value,), {}))
    return made or opaque_call(machine, frame, np.asarray, (value,), {})


@method_row("__array_namespace__")
def namespace(
    machine: Machine, frame: Frame, owner: Array | Scalar, *, api_version: Symbolic = NONE
) -> Symbolic | None:
    """Return the module whose functions take arrays like this one: NumPy itself."""
    version = concrete(machine, api_version)
    if version is None:
        return None
    return Known(folded(np.empty(0).__array_namespace__, api_version=version.object))


@method_row("__array_wrap__")
def array_wrap(
    machine: Machine,
    frame: Frame,
    owner: Array,
    array: Symbolic,
    context: Symbolic = NONE,
    return_scalar: Symbolic = FALSE,
) -> Symbolic | None:
    """Return a plain array for a plain array."""
    made, as_number = realise(machine, array), realise(machine, return_scalar)
    plain = isinstance(made, Array) and isinstance(as_number, Known) and as_number.object is False
    return made if plain else None


# ---- elementwise -----------------------------------------------------------------------------


@function_row(np.where)
def where(machine: Machine, frame: Frame, *arguments: Symbolic) -> Symbolic | None:
    if len(arguments) != 3:
        return None
    operands = (as_operand(machine, frame, realise(machine, value)) for value in arguments)
    values = tuple(graph_value(machine, value) for value in operands)
    return add(machine, frame, WHERE, values, {}, "where")


@method_row("astype")
def astype(
    machine: Machine, frame: Frame, owner: Array, dtype: Symbolic, *, copy: Symbolic = TRUE
) -> Symbolic | None:
    wanted, copies = dtype_of(machine, dtype), flag(machine, copy)
    if wanted is None or not captured_dtype(wanted) or copies is None:
        return None
    if not copies and wanted == owner.type.dtype:
        return owner
    return add(machine, frame, CAST, (owner.value,), {"dtype": wanted}, "astype")


C_ORDER, OWN_ORDER = Known("C"), Known("K")


@method_row("copy")
def copy(
    machine: Machine, frame: Frame, owner: Array, order: Symbolic = C_ORDER
) -> Symbolic | None:
    known = realise(machine, order)
    wanted = known.object if isinstance(known, Known) else None
    if wanted not in ("C", "K"):
        return None
    return add(machine, frame, COPY, (owner.value,), {"order": wanted}, "copy")


@function_row(np.copy)
def copy_function(
    machine: Machine, frame: Frame, a: Symbolic, order: Symbolic = OWN_ORDER
) -> Symbolic | None:
    array = realise(machine, a)
    return copy(machine, frame, array, order) if isinstance(array, Array) else None


@method_row("conj")
@method_row("conjugate")
def conjugate(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    """Return the conjugate; for real numbers the array itself."""
    if owner.type.dtype.kind != "c":
        return owner
    return ufunc_call(machine, frame, np.conjugate, (owner,))


@method_row("flatten")
def flatten(machine: Machine, frame: Frame, owner: Array) -> Symbolic | None:
    return copy(machine, frame, owner) if owner.type.ndim == 1 else None


@method_row("byteswap")
def byteswap(
    machine: Machine, frame: Frame, owner: Array, inplace: Symbolic = FALSE
) -> Symbolic | None:
    if flag(machine, inplace) is not False:
        return None
    return opaque_call(machine, frame, np.ndarray.byteswap, (owner,), {})


# ---- views -----------------------------------------------------------------------------------


@method_row("reshape")
def reshape(machine: Machine, frame: Frame, owner: Array, *shape: Symbolic) -> Symbolic | None:
    return _reshape(machine, owner, shape)


@function_row(np.reshape)
def reshape_function(
    machine: Machine, frame: Frame, a: Symbolic, shape: Symbolic
) -> Symbolic | None:
    array = realise(machine, a)
    return _reshape(machine, array, (shape,)) if isinstance(array, Array) else None


IN_C = Known("C")
"""Default order."""


@method_row("ravel")
def ravel(machine: Machine, frame: Frame, owner: Array, order: Symbolic = IN_C) -> Symbolic | None:
    """Return a flat view or copy; for memory order, transposed arrays are transposed first."""
    known = realise(machine, order)
    if not isinstance(known, Known) or known.object not in ("C", "K", "A"):
        return None
    layout = owner.type.layout
    if (
        known.object != "C"
        and owner.type.ndim
        and layout == Layout.contiguous(owner.type.ndim, "F")
    ):
        turned = view(machine, TRANSPOSE, owner, (), {"axes": layout.order})
        assert isinstance(turned, Array)
        owner = turned
    return _reshape(machine, owner, (Known(-1),))


@function_row(np.ravel)
def ravel_function(
    machine: Machine, frame: Frame, a: Symbolic, order: Symbolic = IN_C
) -> Symbolic | None:
    array = realise(machine, a)
    return ravel(machine, frame, array, order) if isinstance(array, Array) else None


def _reshape(machine: Machine, owner: Array, shape: tuple[Symbolic, ...]) -> Symbolic | None:
    """Return a view if memory is C-contiguous; None otherwise, as NumPy decides about copying."""
    items = shape_of(machine, shape)
    if items is None or not owner.type.layout.is_c:
        return None
    values = tuple(graph_value(machine, item) for item in items)
    value = machine.builder.reshape(owner.value, values)
    if value is None:
        return None
    machine.share(value, owner.value)
    return Array(value)


def view(
    machine: Machine, op: Any, owner: Array, inputs: tuple[ir.Value, ...], attrs: dict[str, Any]
) -> Symbolic:
    """Return a view by an op that only needs its type rule.

    Raises:
        GraphBreak: the memory order of its axes would depend on strides.
    """
    if op is TRANSPOSE and not owner.type.layout.nested:
        raise GraphBreak(NOT_PLAIN, "other axes first in memory of which axes overlap")
    value = machine.builder.add(op, (owner.value, *inputs), attrs)
    machine.share(value, owner.value)
    return Array(value)


# ---- arguments -------------------------------------------------------------------------------


def is_none(machine: Machine, value: Symbolic) -> bool:
    known = realise(machine, value)
    return isinstance(known, Known) and known.object is None


def flag(machine: Machine, value: Symbolic) -> bool | None:
    """Return a flag that NumPy converts to bool, such as `copy`; None for other objects."""
    known = realise(machine, value)
    is_number = isinstance(known, Known) and type(known.object) in (bool, int, np.bool)
    return bool(known.object) if isinstance(known, Known) and is_number else None


def is_a_bool(machine: Machine, value: Symbolic) -> bool:
    """True for True or False, which some functions require for a flag."""
    known = realise(machine, value)
    return isinstance(known, Known) and type(known.object) is bool


def length(machine: Machine, owner: Array, axis: int) -> Symbolic:
    """Return `owner.shape[axis]`."""
    dim = machine.builder.resolve(owner.type.dims[axis])
    if isinstance(dim, int):
        return Known(dim)
    return Scalar(machine.builder.length(owner.value, axis))


def is_c(machine: Machine, order: Symbolic, *others: Known) -> bool:
    """True if an order is "C", or one of the others, which mean the same here."""
    known = realise(machine, order)
    names = [one.object for one in (C_ORDER, *others)]
    return isinstance(known, Known) and type(known.object) is str and known.object in names


def is_cpu(machine: Machine, device: Symbolic) -> bool:
    """True if a `device=` is the only one, the CPU."""
    known = realise(machine, device)
    return isinstance(known, Known) and (
        known.object is None or (type(known.object) is str and known.object == "cpu")
    )


def dtype_of(machine: Machine, value: Symbolic) -> np.dtype[Any] | None:
    known = realise(machine, value)
    if not isinstance(known, Known):
        return None
    given = known.object
    try:
        is_class = isinstance(given, type) and issubclass(given, np.dtype)
        with filtered("error", DeprecationWarning):  # eager issues it at the user's line
            dtype: np.dtype[Any] = given() if is_class else np.dtype(given)
    except (TypeError, DeprecationWarning):
        return None
    return dtype


def shape_of(machine: Machine, arguments: tuple[Symbolic, ...]) -> list[Symbolic] | None:
    """Return the numbers of a shape, given as one tuple or as several arguments."""
    items = [realise(machine, value) for value in arguments]
    parts = known_items(machine, items[0]) if len(items) == 1 else None
    if parts is not None:
        items = [realise(machine, value) for value in parts]
    if len(items) == 1 and isinstance(items[0], Known) and type(items[0].object) is tuple:
        items = [Known(item) for item in items[0].object]
    for item in items:
        number = isinstance(item, Known) and type(item.object) is int
        symbol = isinstance(item, Scalar) and item.type.python and item.type.dtype.char == "l"
        if not number and not symbol:
            return None
    return items
