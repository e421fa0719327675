"""`np.array([x, y])`, which is filled item by item, and `np.asarray(x)` of an array."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from ....jit.ir.ops import CAST
from ....jit.ir.types import ObjectsType, captured_dtype, is_graph_number
from ...numpy import numpy_calls
from ...numpy.creation import UNWRITTEN, fill_array, full
from ...numpy.numpy_calls import dtype_of, flag, function_row, is_a_bool, length
from ..arrays.nodes import add
from ..arrays.stores import assign
from ..arrays.windows import read
from ..objects.grown import Columns, Growing, as_array, as_numpy_makes_it, grown_of
from ..objects.handed_over import arrays, dtype_of_array, row_length
from ..objects.listed import known_items, listed
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.either_number import as_numpy, is_either_number
from ..values.slices import Slice
from ..values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple
from .joins import MAX_JOINED, agree, filled

MAX_DISPLAYED = 64
"""Maximum number of items; longer displays are left to NumPy."""
MAX_NESTED = 2
"""Maximum nesting of lists around arrays; a list may contain itself."""
_NONE, _TRUE, _ZERO = Known(None), Known(True), Known(0)


@function_row(np.array)
def array(  # noqa: PLR0913 (NumPy's signature)
    machine: Machine,
    frame: Frame,
    object: Symbolic,  # noqa: A002 (NumPy's name)
    dtype: Symbolic = _NONE,
    *,
    copy: Symbolic = _TRUE,
    order: Symbolic = _NONE,
    subok: Symbolic = _TRUE,
    ndmin: Symbolic = _ZERO,
) -> Symbolic | None:
    plain, least = realise(machine, object), realise(machine, ndmin)
    axes = least.object if isinstance(least, Known) else None
    if type(axes) is not int or axes > (plain.type.ndim if isinstance(plain, Array) else 0):
        return None
    if not is_a_bool(machine, subok):
        return None
    if isinstance(plain, Array):
        return _as_array(machine, frame, plain, dtype, copy, order)
    if not _is(machine, order, (None,)):
        return None
    if not flag(machine, copy) and not _is(machine, copy, (None,)):
        return None
    if (numbers := listed(machine, plain)) is not None:
        return _of_listed(machine, frame, numbers, dtype)
    if isinstance(plain, Scalar) or (isinstance(plain, Known) and is_graph_number(plain.object)):
        return full(machine, frame, Tuple(()), plain, dtype)
    return _display(machine, frame, object, dtype)


@function_row(np.asarray, np.asanyarray)
def asarray(
    machine: Machine,
    frame: Frame,
    a: Symbolic,
    dtype: Symbolic = _NONE,
    order: Symbolic = _NONE,
    *,
    copy: Symbolic = _NONE,
) -> Symbolic | None:
    return array(machine, frame, a, dtype, copy=copy, order=order)


def _is(machine: Machine, value: Symbolic, allowed: tuple[Any, ...]) -> bool:
    known = realise(machine, value)
    return isinstance(known, Known) and any(known.object is one for one in allowed)


def _as_array(
    machine: Machine, frame: Frame, plain: Array, dtype: Symbolic, copy: Symbolic, order: Symbolic
) -> Symbolic | None:
    """Return the array itself if it need not be copied."""
    known = realise(machine, order)
    wanted = known.object if isinstance(known, Known) else ""
    if wanted not in (None, "K") and not (wanted in ("A", "C") and plain.type.layout.is_c):
        return None
    copies, if_needed = flag(machine, copy), _is(machine, copy, (None,))
    if copies is None and not if_needed:
        return None  # NumPy has an enum for it
    same = _of_dtype(machine, frame, plain, dtype)
    if copies:
        return numpy_calls.copy_function(machine, frame, plain) if same is plain else same
    return same if same is plain or if_needed else None


def _of_listed(machine: Machine, frame: Frame, numbers: Array, dtype: Symbolic) -> Symbolic | None:
    """Return an array of a list's numbers; None if NumPy would convert them one by one."""
    same = _of_dtype(machine, frame, numbers, dtype)
    if same is numbers:
        return numpy_calls.copy_function(machine, frame, numbers)
    return same if isinstance(same, Array) and same.type.dtype == np.float64 else None


@function_row(np.ascontiguousarray)
def ascontiguousarray(machine: Machine, frame: Frame, a: Symbolic) -> Symbolic | None:
    plain = realise(machine, a)
    contiguous = isinstance(plain, Array) and plain.type.layout.is_c and plain.type.ndim > 0
    return plain if contiguous else None


@function_row(np.asfortranarray)
def asfortranarray(machine: Machine, frame: Frame, a: Symbolic) -> Symbolic | None:
    """Return a 1-d contiguous array itself, as it has either order."""
    plain = realise(machine, a)
    line = isinstance(plain, Array) and plain.type.layout.is_c and plain.type.ndim == 1
    return plain if line else None


def _of_dtype(machine: Machine, frame: Frame, plain: Array, dtype: Symbolic) -> Symbolic | None:
    """Return the array itself, or a copy in another dtype."""
    known = realise(machine, dtype)
    if isinstance(known, Known) and known.object is None:
        return plain
    wanted = dtype_of(machine, known)
    if wanted is None or not captured_dtype(wanted):
        return None
    if wanted.char == plain.type.char:
        return plain
    if wanted == plain.type.dtype:
        return None  # a view with the other of the two 64-bit int dtypes
    return add(machine, frame, CAST, (plain.value,), {"dtype": wanted}, "array")


def _display(machine: Machine, frame: Frame, items: Symbolic, dtype: Symbolic) -> Symbolic | None:
    grown = grown_of(machine, realise(machine, items))
    if isinstance(grown, Columns):
        return _of_columns(machine, frame, grown, dtype)
    if grown is not None:
        return _of_list(machine, grown, dtype)
    rows = _rows(machine, items)
    if rows is None:
        return _of_arrays(machine, frame, items, dtype)
    numbers = [number for row in rows for number in row]
    known = realise(machine, dtype)
    given = isinstance(known, Known) and known.object is None
    wanted = _common(numbers) if given else dtype_of(machine, dtype)
    if wanted is None or not captured_dtype(wanted) or wanted.kind not in "biuf":
        return None
    flat = len(rows) == 1 and not _nested(machine, items)
    lengths = (len(rows[0]),) if flat else (len(rows), len(rows[0]))
    made = fill_array(machine, frame, list(map(Known, lengths)), UNWRITTEN, wanted)
    if not isinstance(made, Array):
        return None
    for k, number in enumerate(numbers):
        place = divmod(k, len(rows[0]))
        index = Known(k) if flat else Tuple(tuple(map(Known, place)))
        target = read(machine, made, index, whole=True)
        assert isinstance(target, Array)
        assign(machine, frame, target, number)
    return made


def _of_arrays(machine: Machine, frame: Frame, items: Symbolic, dtype: Symbolic) -> Symbolic | None:
    """Return an array of arrays with equal shapes, given in nested lists."""
    places = list(islice(_places(machine, items), MAX_JOINED + 1))
    parts = [one for _, one in places if isinstance(one, Array) and one.type.ndim > 0]
    if not parts or len(parts) < len(places) or len(parts) > MAX_JOINED:
        return None
    outer = [last + 1 for last in places[-1][0]]
    if [place for place, _ in places] != list(np.ndindex(*outer)):
        return None
    if any(part.type.ndim != parts[0].type.ndim for part in parts) or not agree(machine, parts):
        return None
    known, common = realise(machine, dtype), np.result_type(*(part.type.dtype for part in parts))
    given = isinstance(known, Known) and known.object is None
    wanted = common if given else dtype_of(machine, dtype)
    if wanted is None or not np.can_cast(common, wanted):
        return None
    inner = [length(machine, parts[0], axis) for axis in range(parts[0].type.ndim)]
    keys = [tuple(map(Known, place)) for place, _ in places]
    return filled(machine, frame, parts, [*map(Known, outer), *inner], keys, wanted)


def _places(
    machine: Machine, items: Symbolic, above: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Symbolic]]:
    """Yield (index, item) for the items of nested lists."""
    for k, item in enumerate(_items(machine, items) or ()):
        if not _items(machine, item) or len(above) == MAX_NESTED:
            yield (*above, k), realise(machine, item)
        else:
            yield from _places(machine, item, (*above, k))


def _of_list(machine: Machine, grown: Growing, dtype: Symbolic) -> Symbolic | None:
    if isinstance(grown.type, ObjectsType):
        return None
    known = realise(machine, dtype)
    if not isinstance(known, Known) or known.object is not None:
        if dtype_of(machine, dtype) != grown.item.dtype:
            return None
        return as_array(machine, grown)
    return as_numpy_makes_it(machine, grown)


def _of_columns(machine: Machine, frame: Frame, grown: Columns, dtype: Symbolic) -> Symbolic | None:
    """Return the array for a list of tuples, or of numbers of several kinds."""
    rows = row_length(grown)
    known = realise(machine, dtype)
    wanted = None if rows is None else dtype_of_array(grown)
    if isinstance(known, Known) and known.object is not None:
        wanted = wanted if dtype_of(machine, dtype) == wanted else None
    if wanted is None or not rows:
        return None if wanted is None else arrays(machine, grown)[0]
    columns = arrays(machine, grown)
    for column in columns[1:]:
        machine.builder.unify(columns[0].type.dims[0], column.type.dims[0])
    keys = [(Slice((_NONE, _NONE, _NONE)), Known(k)) for k in range(rows)]
    lengths = [length(machine, columns[0], 0), Known(rows)]
    return filled(machine, frame, columns, lengths, keys, wanted)


def _rows(machine: Machine, value: Symbolic) -> list[list[Symbolic]] | None:
    """Return the rows of numbers of a display; None for other arguments."""
    items = _items(machine, value)
    if items is None:
        return None
    rows = [_items(machine, item) for item in items]
    found = [items] if all(row is None for row in rows) else rows
    if any(row is None or not row or len(row) != len(found[0] or ()) for row in found):
        return None
    numbers = [[realise(machine, as_numpy(one)) for one in row or ()] for row in found]
    flat = [number for row in numbers for number in row]
    return numbers if len(flat) <= MAX_DISPLAYED and all(map(_is_number, flat)) else None


def _nested(machine: Machine, value: Symbolic) -> bool:
    items = _items(machine, value)
    return items is not None and _items(machine, items[0]) is not None


def _items(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...] | None:
    value = machine.one_of(value) or value
    value = value if is_either_number(value) else realise(machine, value)
    if isinstance(value, Known) and type(value.object) is tuple:
        return tuple(map(Known, value.object))
    return known_items(machine, value) if isinstance(value, List | Tuple) else None


def _is_number(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) in (bool, int, float) or isinstance(value.object, np.number)
    return isinstance(value, Scalar) and value.type.dtype.kind in "biuf"


def _common(numbers: list[Symbolic]) -> np.dtype[Any] | None:
    """Return the dtype that NumPy finds for all of them."""
    examples = [
        one.object if isinstance(one, Known) else _example(one)
        for one in numbers
        if isinstance(one, Known | Scalar)
    ]
    return np.array(examples).dtype


def _example(number: Scalar) -> Any:
    if number.type.python:
        return {"b": False, "i": 0, "f": 0.0}[number.type.dtype.kind]
    return number.type.dtype.type(0)
