"""What a call of a NumPy function or array method means to the graph: a table.

Only what is not one ufunc call needs a row: everything else is found by asking NumPy (a probe), and
what is left is an opaque node. Rows take the arguments as NumPy's own signature has them; a row
that does not know an argument gives None, and the call is opaque.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..jit.ir import graph as ir
from ..jit.ir.builder import CannotInfer
from ..jit.ir.ops import CAST, COPY, FILL, TRANSPOSE, WHERE
from ..jit.ir.types import captured_dtype
from .machine.breaks import NUMPY_REFUSED, GraphBreak
from .machine.live import concrete, look
from .machine.machine import Frame, Machine
from .machine.nodes import add, graph_value
from .machine.values import Array, Known, Scalar, Sequence, Symbolic

Row = Callable[..., "Symbolic | None"]
FUNCTIONS: dict[Any, Row] = {}
"""By callable: `row(machine, frame, *arguments, **keywords)`."""
METHODS: dict[str, Row] = {}
"""By name of the array method; the array is the first argument."""
EFFECTS = frozenset(
    [
        "byteswap",
        "dump",
        "fill",
        "itemset",
        "partition",
        "put",
        "resize",
        "setfield",
        "setflags",
        "sort",
        "tofile",
    ]
)
"""Array methods that change something."""
IMPURE_MODULES = ("numpy.random", "numpy.testing", "numpy.ctypeslib", "numpy.f2py")
IMPURE = frozenset(
    [
        "copyto",
        "fill_diagonal",
        "put",
        "put_along_axis",
        "place",
        "putmask",
        "save",
        "savez",
        "savez_compressed",
        "savetxt",
        "load",
        "loadtxt",
        "genfromtxt",
        "fromfile",
        "memmap",
        "seterr",
        "seterrcall",
        "setbufsize",
        "set_printoptions",
        "frompyfunc",
        "vectorize",
        "errstate",
        "printoptions",
        "nditer",
        "ndenumerate",
        "apply_along_axis",
        "apply_over_axes",
        "fromfunction",
        "fromiter",
        "piecewise",
        "show_config",
        "info",
        "geterr",
        "geterrcall",
        "empty",
        "empty_like",
    ]
)
"""NumPy functions that write, read files, call back, or depend on more than their arguments."""


def function_row(*callables: Any) -> Callable[[Row], Row]:
    """Registers a row for functions."""

    def register(row: Row) -> Row:
        for callable_ in callables:
            FUNCTIONS[callable_] = row
        return row

    return register


def method_row(name: str) -> Callable[[Row], Row]:
    """Registers a row for an array method."""

    def register(row: Row) -> Row:
        METHODS[name] = row
        return row

    return register


def is_pure(function: Any) -> bool:
    """Whether a callable belongs to NumPy or SciPy and depends on nothing but its arguments."""
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if isinstance(function, np.ufunc):
        return True
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return name != "at"
    if module.split(".")[0] not in ("numpy", "scipy") or module.startswith(IMPURE_MODULES):
        return False
    return name not in IMPURE and not isinstance(function, type)


# ---- elementwise -----------------------------------------------------------------------------


@function_row(np.where)
def where(machine: Machine, frame: Frame, *arguments: Symbolic) -> Symbolic | None:
    if len(arguments) != 3:
        return None
    values = tuple(graph_value(machine, value) for value in arguments)
    return add(machine, frame, WHERE, values, {}, "where")


@method_row("astype")
def astype(machine: Machine, frame: Frame, owner: Array, dtype: Symbolic) -> Symbolic | None:
    wanted = _dtype(machine, dtype)
    if wanted is None or not captured_dtype(wanted):
        return None
    return add(machine, frame, CAST, (owner.value,), {"dtype": wanted}, "astype")


@method_row("copy")
def copy(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    return add(machine, frame, COPY, (owner.value,), {"order": "C"}, "copy")


@function_row(np.copy)
def copy_function(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic | None:
    array = look(machine, value)
    if not isinstance(array, Array):
        return None
    return add(machine, frame, COPY, (array.value,), {"order": "K"}, "copy")


# ---- views -----------------------------------------------------------------------------------


@method_row("transpose")
def transpose(machine: Machine, frame: Frame, owner: Array, *axes: Symbolic) -> Symbolic | None:
    order = _integers(machine, axes)
    if order is None:
        return None
    ndim = owner.type.ndim
    wanted = tuple(range(ndim))[::-1] if not axes else tuple(axis % ndim for axis in order)
    if sorted(wanted) != list(range(ndim)):
        return None
    return view(machine, TRANSPOSE, owner, (), {"axes": wanted})


@function_row(np.transpose)
def transpose_function(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic | None:
    array = look(machine, value)
    return transpose(machine, frame, array) if isinstance(array, Array) else None


@method_row("reshape")
def reshape(machine: Machine, frame: Frame, owner: Array, *shape: Symbolic) -> Symbolic | None:
    return _reshape(machine, owner, shape)


@function_row(np.reshape)
def reshape_function(
    machine: Machine, frame: Frame, value: Symbolic, shape: Symbolic
) -> Symbolic | None:
    array = look(machine, value)
    return _reshape(machine, array, (shape,)) if isinstance(array, Array) else None


@method_row("ravel")
def ravel(machine: Machine, frame: Frame, owner: Array) -> Symbolic | None:
    return _reshape(machine, owner, (Known(-1),))


@function_row(np.ravel)
def ravel_function(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic | None:
    array = look(machine, value)
    return ravel(machine, frame, array) if isinstance(array, Array) else None


def _reshape(machine: Machine, owner: Array, shape: tuple[Symbolic, ...]) -> Symbolic | None:
    """A window where the memory is C contiguous; else NumPy decides whether to copy."""
    items = _shape(machine, shape)
    if items is None or not owner.type.layout.is_c:
        return None
    values = tuple(graph_value(machine, item) for item in items)
    try:
        value = machine.builder.reshape(owner.value, values)
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, f"reshape: {error}") from None
    if value is None:
        return None
    machine.share(value, owner.value)
    return Array(value)


def view(
    machine: Machine, op: Any, owner: Array, inputs: tuple[ir.Value, ...], attrs: dict[str, Any]
) -> Symbolic:
    """A window made by an op that needs nothing but its type rule."""
    value = machine.builder.add(op, (owner.value, *inputs), attrs)
    machine.share(value, owner.value)
    return Array(value)


# ---- creation --------------------------------------------------------------------------------


def _creator(fill: Any) -> Row:
    def create(
        machine: Machine, frame: Frame, shape: Symbolic, dtype: Symbolic | None = None
    ) -> Symbolic | None:
        wanted = np.dtype(float) if dtype is None else _dtype(machine, dtype)
        items = _shape(machine, (shape,))
        if items is None or wanted is None or not captured_dtype(wanted):
            return None
        return _fill(machine, frame, items, fill, wanted)

    return create


def _like(fill: Any) -> Row:
    def create(
        machine: Machine, frame: Frame, value: Symbolic, dtype: Symbolic | None = None
    ) -> Symbolic | None:
        array = look(machine, value)
        wanted = None
        if isinstance(array, Array) and array.type.layout.is_c:
            wanted = array.type.dtype if dtype is None else _dtype(machine, dtype)
        if wanted is None or not captured_dtype(wanted):
            return None
        assert isinstance(array, Array)
        items = [length(machine, array, axis) for axis in range(array.type.ndim)]
        return _fill(machine, frame, items, fill, wanted)

    return create


function_row(np.zeros)(_creator(0))
function_row(np.ones)(_creator(1))
function_row(np.empty)(_creator(None))
function_row(np.zeros_like)(_like(0))
function_row(np.ones_like)(_like(1))
function_row(np.empty_like)(_like(None))


@function_row(np.full)
def full(
    machine: Machine,
    frame: Frame,
    shape: Symbolic,
    value: Symbolic,
    dtype: Symbolic | None = None,
) -> Symbolic | None:
    items = _shape(machine, (shape,))
    known = look(machine, value)
    if items is None or not isinstance(known, Known):
        return None
    wanted = np.asarray(known.object).dtype if dtype is None else _dtype(machine, dtype)
    if wanted is None or not captured_dtype(wanted):
        return None
    return _fill(machine, frame, items, known.object, wanted)


def _fill(
    machine: Machine, frame: Frame, items: list[Symbolic], fill: Any, dtype: np.dtype[Any]
) -> Symbolic | None:
    values = tuple(graph_value(machine, item) for item in items)
    element = None if fill is None else np.full((), fill, dtype)[()]
    try:
        value = machine.builder.create(FILL, values, {"value": element, "dtype": dtype})
    except CannotInfer:
        return None
    machine.memory.fresh(value)
    return Array(value)


# ---- arguments -------------------------------------------------------------------------------


def length(machine: Machine, owner: Array, axis: int) -> Symbolic:
    """`owner.shape[axis]`."""
    dim = machine.builder.resolve(owner.type.dims[axis])
    if isinstance(dim, int):
        return Known(dim)
    return Scalar(machine.builder.length(owner.value, axis))


def _dtype(machine: Machine, value: Symbolic) -> np.dtype[Any] | None:
    known = look(machine, value)
    if not isinstance(known, Known):
        return None
    try:
        dtype: np.dtype[Any] = np.dtype(known.object)
    except TypeError:
        return None
    return dtype


def _shape(machine: Machine, arguments: tuple[Symbolic, ...]) -> list[Symbolic] | None:
    """The numbers of a shape given as one tuple or as several arguments."""
    items = [look(machine, value) for value in arguments]
    if len(items) == 1 and isinstance(items[0], Sequence):
        items = [look(machine, value) for value in items[0].items]
    if len(items) == 1 and isinstance(items[0], Known) and type(items[0].object) is tuple:
        items = [Known(item) for item in items[0].object]
    for item in items:
        number = isinstance(item, Known) and type(item.object) is int
        symbol = isinstance(item, Scalar) and item.type.python and item.type.dtype.char == "l"
        if not number and not symbol:
            return None
    return items


def _integers(machine: Machine, values: tuple[Symbolic, ...]) -> list[int] | None:
    items = _shape(machine, values) if values else []
    if items is None:
        return None
    known = [concrete(machine, item) for item in items]
    return [item.object for item in known if item is not None] if None not in known else None
