"""NumPy references of ops: functions of attributes and inputs that define what each op computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def listed(attrs: Any, made: list[Any]) -> Any:
    """Return a list of numbers as an array."""
    if attrs["filled"] and not made:
        raise ValueError("NumPy gives the array of an empty list another dtype")
    return np.array(made, attrs["dtype"])


ELIDED_FROM = 1 << 18
"""Bytes from which on NumPy's operators reuse a temporary operand as their output."""


def ufunc(attrs: Any, *inputs: Any) -> Any:
    """Apply the ufunc, with operands swapped where NumPy would reuse the second as output."""
    if "swaps" in attrs and inputs[1].nbytes >= ELIDED_FROM:
        return attrs["ufunc"](*reversed(inputs))
    return attrs["ufunc"](*inputs)


def arange(attrs: Any, n: int, first: float, second: float) -> Any:
    """Fill a range as NumPy does: first + i * (second - first), without warnings."""
    dtype = attrs["dtype"]
    made = np.arange(n).astype(dtype)
    begin, after = np.full(2, (first, second), dtype)
    with np.errstate(all="ignore"):
        made *= after - begin
        made += begin
    made[:1], made[1:2] = begin, after
    return made


def key(axes: Sequence[int | None], indices: Sequence[Any]) -> tuple[Any, ...]:
    """Return the index with arrays for some axes and full slices for the others."""
    return tuple(slice(None) if place is None else indices[place] for place in axes)


def gather(attrs: Any, x: Any, *indices: Any) -> Any:
    """Index with arrays; their axes come first, which is also how NumPy lays out the memory."""
    axes: tuple[int | None, ...] = attrs["axes"]
    made = x[key(axes, indices)]
    first, count = moved_axes(axes), made.ndim - axes.count(None)
    if not first:
        return made
    order = [*range(first, first + count), *range(first), *range(first + count, made.ndim)]
    return made.transpose(order)


def moved_axes(axes: Sequence[int | None]) -> int:
    """Return the number of axes before the indexed ones, or 0 if a slice separates these."""
    taken = [axis for axis, place in enumerate(axes) if place is not None]
    are_separated = taken[-1] - taken[0] >= len(taken)
    return 0 if are_separated else taken[0]


def transform(attrs: Any, array: Any, factor: Any, points: int, like: Any) -> Any:
    """Compute a Fourier transform along an axis, see TRANSFORM."""
    axis, ufunc, length = attrs["axis"], attrs["ufunc"], points
    if points < 1:
        raise ValueError("a transform of no points")
    if attrs["odd"] is not None:
        length, ufunc = points // 2 + 1, attrs["odd"] if points % 2 else ufunc
    shape = (*like.shape[:axis], length, *like.shape[axis + 1 :])
    out = np.empty_like(like, shape=shape, dtype=attrs["dtype"])
    return ufunc(array, factor, axes=[(axis,), (), (axis,)], out=out)


def counts(attrs: Any, x: Any, weights: Any = None) -> Any:
    """Return `np.bincount`."""
    return np.bincount(x, weights, attrs["least"])


def interp(attrs: Any, x: Any, points: Any, values: Any, *outside: Any) -> Any:
    """Return `np.interp`; `outside` has the values for left and right that the attribute names."""
    return np.interp(x, points, values, **dict(zip(attrs["outside"], outside, strict=True)))


def fill(attrs: Any, *dims: int) -> Any:
    """Return a filled array; None leaves its memory uninitialised."""
    if attrs["value"] is None:
        return np.empty(dims, attrs["dtype"])
    return np.full(dims, attrs["value"], attrs["dtype"])


def scatter(attrs: Any, x: Any, value: Any, *indices: Any) -> None:
    """Assign to the places that index arrays select."""
    x[key(attrs["axes"], indices)] = value


def element(attrs: Any, x: Any, *numbers: int) -> Any:
    """Return one element as a NumPy scalar."""
    return x[attrs["index"].python(numbers)[:-1]]


def reduce(attrs: Any, x: Any) -> Any:
    """Return `ufunc.reduce` over axes."""
    return attrs["ufunc"].reduce(x, axis=attrs["axis"], keepdims=attrs["keepdims"])


def call(attrs: Any, *inputs: Any) -> Any:
    """Make an opaque call."""
    return attrs["call"](*inputs)


def operator(attrs: Any, *inputs: Any) -> Any:
    """Apply a function of the `operator` module."""
    return attrs["function"](*inputs)


def where(attrs: Any, condition: Any, one: Any, other: Any) -> Any:
    """Return `np.where`."""
    return np.where(condition, one, other)


def cast(attrs: Any, x: Any) -> Any:
    """Return a copy in another dtype."""
    return x.astype(attrs["dtype"])


def copy(attrs: Any, x: Any) -> Any:
    """Return a copy with the given memory order."""
    return x.copy(order=attrs["order"])


def index(attrs: Any, x: Any, *numbers: int) -> Any:
    """Return a view by a basic index; an array even if it has no axes."""
    return x[attrs["index"].python(numbers)]


def transpose(attrs: Any, x: Any) -> Any:
    """Return the array with its axes permuted."""
    return x.transpose(attrs["axes"])


def part(attrs: Any, x: Any) -> Any:
    """Return the real or imaginary part."""
    return getattr(x, attrs["name"])


def argsort(attrs: Any, x: Any) -> Any:
    """Return `np.argsort` along an axis."""
    return np.argsort(x, axis=attrs["axis"])


def search(attrs: Any, x: Any, value: Any) -> Any:
    """Return `np.searchsorted`."""
    return np.searchsorted(x, value, side=attrs["side"])


def arg_reduce(attrs: Any, x: Any) -> Any:
    """Return `np.argmax` or `np.argmin` along an axis."""
    return attrs["function"](x, axis=attrs["axis"])


def accumulate(attrs: Any, x: Any) -> Any:
    """Return `ufunc.accumulate` along an axis."""
    return attrs["ufunc"].accumulate(x, axis=attrs["axis"])


def gufunc(attrs: Any, *inputs: Any) -> Any:
    """Apply a generalised ufunc."""
    return attrs["ufunc"](*inputs)


def store(attrs: Any, x: Any, value: Any) -> None:
    """Assign to the whole array."""
    x[...] = value


def sort(attrs: Any, x: Any) -> None:
    """Sort in place along an axis."""
    x.sort(axis=attrs["axis"])


def set_item(attrs: Any, made: list[Any], place: int, item: Any) -> None:
    """Assign to an item of a list."""
    made[place] = item


def constant(attrs: Any) -> Any:
    """Return the constant."""
    return attrs["value"]


def length(attrs: Any, x: Any) -> Any:
    """Return the length of an axis."""
    return x.shape[attrs["axis"]]


def reshape(attrs: Any, x: Any, *dims: int) -> Any:
    """Return the array in another shape."""
    return x.reshape(dims)


def compress(attrs: Any, x: Any, mask: Any) -> Any:
    """Return the items where a mask is true."""
    return x[mask]


def nonzero(attrs: Any, x: Any) -> Any:
    """Return the indices at which a 1-d mask is true."""
    return np.nonzero(x)[0]


def dot(attrs: Any, x: Any, y: Any) -> Any:
    """Return `np.dot`."""
    return np.dot(x, y)


def new_list(attrs: Any, *items: Any) -> list[Any]:
    """Return a new list of the inputs."""
    return list(items)


def list_of(attrs: Any, numbers: Any) -> list[Any]:
    """Return a new list of an array's numbers."""
    made: list[Any] = numbers.tolist() if attrs["python"] else list(numbers)
    return made


def append(attrs: Any, made: list[Any], item: Any) -> None:
    """Append an item to a list."""
    made.append(item)


def pop(attrs: Any, made: list[Any]) -> Any:
    """Remove and return the last item of a list, or the first one."""
    return made.pop(0 if attrs["first"] else -1)


def count(attrs: Any, made: list[Any]) -> int:
    """Return the length of a list."""
    return len(made)


def item(attrs: Any, made: list[Any], index: int) -> Any:
    """Return an item of a list."""
    return made[index]
