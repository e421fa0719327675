"""Functions that move numbers without computing any, so that they report no flags."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy._core._multiarray_umath import _array_converter

from ...capture.values.python_bodies import decomposes


class ArrayConverter:
    """Conversion of arguments as in NumPy's functions, for numbers and plain arrays."""

    def __init__(self, *given: Any) -> None:
        self.given = given
        self.arrays = tuple([np.asarray(one) for one in given])

    def __getitem__(self, key: int) -> Any:
        return self.arrays[key]

    def as_arrays(self, *, subok: Any = True) -> Any:
        """Return an array for each argument."""
        return self.arrays

    def result_type(self, *, ensure_inexact: bool) -> Any:
        """Return the common dtype, a floating point one if required."""
        return np.result_type(*self.given, 0.0) if ensure_inexact else np.result_type(*self.given)

    def wrap(self, arr: Any, *, to_scalar: Any = None) -> Any:
        """Return the result as it is, since all arguments are plain."""
        if arr.ndim == 0:
            raise NotImplementedError
        return arr


class Broadcast:
    """`np.broadcast` of arrays with one shape, or 0-d."""

    def __init__(self, *arrays: Any) -> None:
        self.ndim = max([one.ndim for one in arrays])
        wide = [one for one in arrays if one.ndim]
        self.shape = wide[0].shape if wide else ()
        _refuse_unlike(wide)


def _refuse_unlike(arrays: Any) -> None:
    alike = True
    for one in arrays:
        if one.ndim != arrays[0].ndim:
            raise NotImplementedError
        alike &= one.shape == arrays[0].shape
    if not alike:
        raise NotImplementedError


def decomposed_class(kind: type) -> type:
    """Return the replacement of a class, or the class itself, compared by identity."""
    if kind is _array_converter:
        return ArrayConverter
    return Broadcast if kind is np.broadcast else kind


MOST_GRIDS = 4
"""Maximum number of grids; with more, examples get large."""
MOST_PARTS = 16
"""Maximum number of parts; with more, graphs get large."""


@decomposes(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Exchange two views along each axis."""
    if isinstance(axis, (tuple, list)) and isinstance(shift, (tuple, list)) and len(axis) > 0:
        if len(axis) != len(shift):
            raise NotImplementedError
        for k in range(len(axis)):
            a = _rolled(a, shift[k], axis[k])
        return a
    if axis is None:
        return _rolled(a.ravel(), shift, 0).reshape(a.shape)
    return _rolled(a, shift, axis)


def _rolled(a: Any, shift: Any, axis: Any) -> Any:
    """Roll along one axis; a separate function, as recursive calls cannot be captured in loops."""
    if type(axis) is not int or not isinstance(shift, (int, np.integer)):
        raise NotImplementedError
    if not -a.ndim <= axis < a.ndim:
        raise NotImplementedError
    axis %= a.ndim
    length = a.shape[axis]
    if length == 0:
        raise NotImplementedError
    behind = int(shift) % length
    rest = length - behind
    before = (slice(None),) * axis
    made = np.empty_like(a)
    made[(*before, slice(behind, None))] = a[(*before, slice(None, rest))]
    made[(*before, slice(None, behind))] = a[(*before, slice(rest, None))]
    return made


_NOT_GIVEN = type(np._NoValue)
_HOME: Any = np.lib._function_base_impl


@decomposes(np.diff)
def diff(
    a: Any, n: Any = 1, axis: Any = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Any:
    """Subtract two views; `prepend` and `append` are joined first."""
    if type(n) is int and n == 0:
        return a  # which may be a list
    a = np.asarray(a)
    if type(n) is not int or n < 0 or type(axis) is not int or not -a.ndim <= axis < a.ndim:
        raise NotImplementedError
    axis %= a.ndim
    if not isinstance(prepend, _NOT_GIVEN):
        a = np.concatenate((_end(a, axis, prepend), a), axis)
    if not isinstance(append, _NOT_GIVEN):
        a = np.concatenate((a, _end(a, axis, append)), axis)
    before = (slice(None),) * axis
    for _ in range(n):
        later, sooner = a[(*before, slice(1, None))], a[(*before, slice(None, -1))]
        a = (_HOME.not_equal if a.dtype == np.bool else _HOME.subtract)(later, sooner)
    return a


def _end(a: Any, axis: int, given: Any) -> Any:
    if isinstance(given, np.ndarray):
        if given.ndim != a.ndim:
            raise NotImplementedError
        return given
    return np.full((*a.shape[:axis], 1, *a.shape[axis + 1 :]), given)


@decomposes(np.repeat, np.ndarray.repeat)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat items along a new axis, then view the result with merged axes."""
    if axis is None:
        a, axis = a.ravel(), 0
    if type(axis) is not int or type(repeats) is not int or not -a.ndim <= axis < a.ndim:
        raise NotImplementedError
    if repeats < 0:
        raise NotImplementedError
    axis %= a.ndim
    before, length, after = a.shape[:axis], a.shape[axis], a.shape[axis + 1 :]
    made = np.empty((*before, length * repeats, *after), a.dtype)
    apart = made.reshape((*before, length, repeats, *after))
    apart[...] = a[(*(slice(None),) * (axis + 1), None)]
    return made


@decomposes(np.eye)
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:  # noqa: N803 (NumPy's name)
    """Set every so many items of memory to one."""
    columns = N if M is None else M
    if type(N) is not int or type(columns) is not int or type(k) is not int:
        raise NotImplementedError
    if N < 1 or columns < 1 or not -N < k < columns:
        raise NotImplementedError
    made = np.zeros((N, columns), dtype)
    first = k if k >= 0 else -k * columns
    made.reshape(-1)[first : (columns - k) * columns : columns + 1] = 1
    return made


@decomposes(np.identity)
def identity(n: Any, dtype: Any = None) -> Any:
    """Return a square `eye`."""
    return eye(n, dtype=float if dtype is None else dtype)


@decomposes(np.broadcast_arrays)
def broadcast_arrays(*args: Any) -> Any:
    """Return the arrays, which must have equal shapes."""
    _refuse_unlike(args)
    return args


@decomposes(np.meshgrid)
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """Broadcast each array along its own axis."""
    count = len(xi)
    if sparse or not copy or indexing not in ("xy", "ij") or count > MOST_GRIDS:
        raise NotImplementedError
    shape = tuple(one.size for one in xi)
    if indexing == "xy" and count > 1:
        shape = (shape[1], shape[0], *shape[2:])
    grids = []
    for k, one in enumerate(xi):
        axis = 1 - k if indexing == "xy" and count > 1 and k < 2 else k
        made = np.empty(shape, one.dtype)
        made[...] = one.reshape((-1, *(1,) * (count - 1 - axis)))
        grids.append(made)
    return tuple(grids)


@decomposes(np.array_split)
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Return views, the first ones longer by one if the length is not divisible."""
    if type(axis) is not int or not -ary.ndim <= axis < ary.ndim:
        raise NotImplementedError
    axis %= ary.ndim
    length = ary.shape[axis]
    if type(indices_or_sections) is int:
        if not 0 < indices_or_sections <= MOST_PARTS:
            raise NotImplementedError
        each, more = length // indices_or_sections, length % indices_or_sections
        ends = [each * k + min(k, more) for k in range(indices_or_sections + 1)]
    elif isinstance(indices_or_sections, (list, tuple)):
        ends = [0, *indices_or_sections, length]
    else:
        raise NotImplementedError
    before = (slice(None),) * axis
    return [ary[(*before, slice(ends[k], ends[k + 1]))] for k in range(len(ends) - 1)]


@decomposes(np.split)
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Split into equal views, or at these indices."""
    if type(indices_or_sections) is int and ary.shape[axis] % indices_or_sections:
        raise NotImplementedError
    return array_split(ary, indices_or_sections, axis)


@decomposes(np.tile)
def tile(A: Any, reps: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Repeat items along new axes, then view the result with merged axes.

    NumPy repeats axis by axis, so its result is a view of lines of the last axis.
    """
    times = reps if isinstance(reps, tuple) else (reps,)
    if not all(type(one) is int for one in times):
        raise NotImplementedError
    shape = (1,) * (len(times) - A.ndim) + A.shape
    times = (1,) * (len(shape) - len(times)) + times
    if not A.ndim or all(one == 1 for one in times) or min(*times, *shape, 1) < 1:
        raise NotImplementedError
    last = max([k for k in range(len(times)) if times[k] != 1])
    line, count = 1, 1
    for k in range(len(shape)):
        line, count = line * (shape[k] if k >= last else 1), count * shape[k] * times[k]
    made = np.empty((count // line, line), A.dtype)
    apart: tuple[int, ...] = ()
    ones: tuple[int, ...] = ()
    for k in range(len(shape)):
        apart, ones = (*apart, times[k], shape[k]), (*ones, 1, shape[k])
    made.reshape(apart)[...] = A.reshape(ones)
    return made.reshape(tuple([shape[k] * times[k] for k in range(len(shape))]))


@decomposes(np.diag)
def diag(v: Any, k: Any = 0) -> Any:
    """Put a vector on a diagonal: every so many items of memory."""
    if v.ndim != 1 or type(k) is not int or v.shape[0] < 1:
        raise NotImplementedError
    side = v.shape[0] + abs(k)
    made = np.zeros((side, side), v.dtype)
    first = k if k >= 0 else -k * side
    made.reshape(-1)[first : first + (v.shape[0] - 1) * (side + 1) + 1 : side + 1] = v
    return made


@decomposes(np.tri)
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:  # noqa: N803 (NumPy's name)
    """Compare row and column indices."""
    columns = N if M is None else M
    if type(N) is not int or type(columns) is not int or type(k) is not int:
        raise NotImplementedError
    return (np.arange(N).reshape(-1, 1) >= np.arange(-k, columns - k)).astype(dtype, copy=False)


@decomposes(np.rot90)
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """Return a view of a matrix."""
    if type(k) is not int or m.ndim != 2 or axes != (0, 1):
        raise NotImplementedError
    turns = k % 4
    if turns == 0:
        return m[:]
    if turns == 1:
        return m[:, ::-1].T
    return m[::-1, ::-1] if turns == 2 else m.T[:, ::-1]


@decomposes(np.column_stack)
def column_stack(tup: Any) -> Any:
    """Join vectors as columns."""
    if not isinstance(tup, (tuple, list)) or not all(1 <= one.ndim <= 2 for one in tup):
        raise NotImplementedError
    columns = [one if one.ndim == 2 else one.reshape((-1, 1)) for one in tup]
    return np.concatenate(columns, 1)


@decomposes(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Surround an array with zeros, a constant, or its edge items."""
    if mode not in ("constant", "edge") or array.ndim == 0 or not array.flags.c_contiguous:
        raise NotImplementedError
    value = kwargs.pop("constant_values", 0) if mode == "constant" else 0
    if isinstance(value, (tuple, list, np.ndarray)) or len(kwargs) > 0:
        raise NotImplementedError  # NumPy converts arrays to Python numbers, which may not fit
    widths, axes = _widths(pad_width, array.ndim), range(array.ndim)
    shape = tuple([widths[k][0] + array.shape[k] + widths[k][1] for k in axes])
    inside = tuple([slice(widths[k][0], widths[k][0] + array.shape[k]) for k in axes])
    if mode == "constant":
        made = np.full(shape, value, array.dtype)
        made[inside] = array
        return made
    if array.size < 1:
        raise NotImplementedError
    made = np.empty(shape, array.dtype)
    made[inside] = array
    for k in axes:  # later axes also copy what earlier ones have filled
        low, end = widths[k][0], widths[k][0] + array.shape[k]
        before, behind = (slice(None),) * k, inside[k + 1 :]
        made[(*before, slice(0, low), *behind)] = made[(*before, slice(low, low + 1), *behind)]
        made[(*before, slice(end, None), *behind)] = made[(*before, slice(end - 1, end), *behind)]
    return made


def _widths(given: Any, ndim: int) -> Any:
    """Return (before, after) for each axis."""
    if type(given) is int:
        pairs = ((given, given),) * ndim
    elif not isinstance(given, tuple):
        raise NotImplementedError
    elif len(given) == 2 and type(given[0]) is int and type(given[1]) is int:
        pairs = ((given[0], given[1]),) * ndim
    elif len(given) == ndim and all(isinstance(one, tuple) and len(one) == 2 for one in given):
        pairs = given
    else:
        raise NotImplementedError
    for one in pairs:
        if type(one[0]) is not int or type(one[1]) is not int or min(one) < 0:
            raise NotImplementedError
    return pairs


@decomposes(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Apply conditions from the last to the first."""
    if len(condlist) != len(choicelist) or not condlist:
        raise NotImplementedError
    given = (*condlist, *choicelist, default)
    arrays = [one for one in given if isinstance(one, np.ndarray) and one.ndim]
    if not arrays or (isinstance(default, np.ndarray) and not default.ndim):
        raise NotImplementedError
    shape = arrays[0].shape
    _refuse_unlike([*arrays, *condlist])
    if not all(one.dtype == bool for one in condlist):
        raise NotImplementedError
    made = np.empty(shape, np.result_type(*choicelist, default))
    made[...] = default
    for k in range(len(condlist) - 1, -1, -1):
        np.copyto(made, choicelist[k], where=condlist[k])
    return made
