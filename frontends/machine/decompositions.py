"""NumPy's functions in plain NumPy that can be followed, where their own Python cannot.

What they give and refuse is NumPy's: an argument for which that is not sure raises here, and the
function itself is called. They move numbers and compute none, so that nothing can be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np


class ArrayConverter:
    """What NumPy's functions make of their arguments, for numbers and plain arrays."""

    def __init__(self, *given: Any) -> None:
        self.given = given
        self.arrays = tuple([np.asarray(one) for one in given])

    def __getitem__(self, key: int) -> Any:
        return self.arrays[key]

    def as_arrays(self, *, subok: Any = True) -> Any:
        """An array for each argument."""
        return self.arrays

    def result_type(self, *, ensure_inexact: bool) -> Any:
        """The dtype of them all, one of floating point numbers if that is asked for."""
        return np.result_type(*self.given, 0.0) if ensure_inexact else np.result_type(*self.given)

    def wrap(self, arr: Any) -> Any:
        """The result as one of them: an array is what it is, of numbers or not."""
        if arr.ndim == 0:
            raise NotImplementedError
        return arr


MOST_GRIDS = 4
"""Of more, examples get large."""
OURS: dict[Any, FunctionType] = {}
"""By the function, or the method of an array, whose place they take."""


def _in_place_of(*functions: Any) -> Callable[[Any], Any]:
    def register(ours: Any) -> Any:
        for function in functions:
            OURS[function] = ours
        return ours

    return register


@_in_place_of(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Two windows change places."""
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    if type(axis) is not int or not isinstance(shift, int) or not -a.ndim <= axis < a.ndim:
        raise NotImplementedError
    axis %= a.ndim
    length = a.shape[axis]
    if length == 0:
        raise NotImplementedError
    behind = shift % length
    before = (slice(None),) * axis
    made = np.empty_like(a)
    made[(*before, slice(behind, None))] = a[(*before, slice(None, length - behind))]
    made[(*before, slice(None, behind))] = a[(*before, slice(length - behind, None))]
    return made


@_in_place_of(np.repeat, np.ndarray.repeat)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """The items along an axis of their own, of which a window has other axes."""
    if axis is None:
        a, axis = a.ravel(), 0
    if type(axis) is not int or not isinstance(repeats, int) or not -a.ndim <= axis < a.ndim:
        raise NotImplementedError
    if repeats < 0:
        raise NotImplementedError
    axis %= a.ndim
    before, length, after = a.shape[:axis], a.shape[axis], a.shape[axis + 1 :]
    made = np.empty((*before, length * repeats, *after), a.dtype)
    apart = made.reshape((*before, length, repeats, *after))
    apart[...] = a[(*(slice(None),) * (axis + 1), None)]
    return made


@_in_place_of(np.eye)
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:  # noqa: N803
    """Ones at every so many items of the memory."""
    columns = N if M is None else M
    if not isinstance(N, int) or not isinstance(columns, int) or type(k) is not int:
        raise NotImplementedError
    if N < 1 or columns < 1 or not -N < k < columns:
        raise NotImplementedError
    made = np.zeros((N, columns), dtype)
    first = k if k >= 0 else -k * columns
    made.reshape(-1)[first : (columns - k) * columns : columns + 1] = 1
    return made


@_in_place_of(np.identity)
def identity(n: Any, dtype: Any = None) -> Any:
    """A square `eye`."""
    return eye(n, dtype=float if dtype is None else dtype)


@_in_place_of(np.broadcast_arrays)
def broadcast_arrays(*args: Any) -> Any:
    """Of one shape they are what they are."""
    alike = True
    for one in args:
        alike &= one.shape == args[0].shape
    if not alike:
        raise NotImplementedError
    return args


@_in_place_of(np.meshgrid)
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """Each along its own axis."""
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
