"""References of ops: functions of attributes and inputs that compute them with NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def listed(attrs: Any, made: list[Any]) -> Any:
    """The array of a list of numbers."""
    if attrs["filled"] and not made:
        raise ValueError("of no item NumPy makes an array of another dtype")
    return np.array(made, attrs["dtype"])


ELIDED_FROM = 1 << 18
"""Bytes of a temporary array from which on NumPy's operators compute into it."""


def ufunc(attrs: Any, *inputs: Any) -> Any:
    """The ufunc; its operands change places where NumPy would compute into the second one."""
    if "swaps" in attrs and inputs[1].nbytes >= ELIDED_FROM:
        return attrs["ufunc"](*reversed(inputs))
    return attrs["ufunc"](*inputs)


def arange(attrs: Any, n: int, first: float, second: float) -> Any:
    """As NumPy fills it: from the difference of the first two, times the place, silently."""
    dtype = attrs["dtype"]
    made = np.arange(n).astype(dtype)
    begin, after = np.full(2, (first, second), dtype)
    with np.errstate(all="ignore"):
        made *= after - begin
        made += begin
    made[:1], made[1:2] = begin, after
    return made


def key(axes: Sequence[int | None], indices: Sequence[Any]) -> tuple[Any, ...]:
    """The index that has an array for some axes, and takes all of the others."""
    return tuple(slice(None) if place is None else indices[place] for place in axes)


def gather(attrs: Any, x: Any, *indices: Any) -> Any:
    """The axes that indices make come first: so they lie in the memory of what NumPy gives."""
    axes: tuple[int | None, ...] = attrs["axes"]
    made = x[key(axes, indices)]
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


def transform(attrs: Any, array: Any, factor: Any, points: int, like: Any) -> Any:
    """A Fourier transform along an axis, see TRANSFORM."""
    axis, ufunc, length = attrs["axis"], attrs["ufunc"], points
    if points < 1:
        raise ValueError("a transform of no points")
    if attrs["odd"] is not None:
        length, ufunc = points // 2 + 1, attrs["odd"] if points % 2 else ufunc
    shape = (*like.shape[:axis], length, *like.shape[axis + 1 :])
    out = np.empty_like(like, shape=shape, dtype=attrs["dtype"])
    return ufunc(array, factor, axes=[(axis,), (), (axis,)], out=out)


def counts(attrs: Any, x: Any, weights: Any = None) -> Any:
    """How often each natural number comes, or what its weights sum up to."""
    return np.bincount(x, weights, attrs["least"])


def interp(attrs: Any, x: Any, points: Any, values: Any, *outside: Any) -> Any:
    """A line through points; the numbers outside of it are named."""
    return np.interp(x, points, values, **dict(zip(attrs["outside"], outside, strict=True)))


def fill(attrs: Any, *dims: int) -> Any:
    """An array of one value; None leaves the memory as it comes."""
    if attrs["value"] is None:
        return np.empty(dims, attrs["dtype"])
    return np.full(dims, attrs["value"], attrs["dtype"])


def scatter(attrs: Any, x: Any, value: Any, *indices: Any) -> None:
    """An assignment where arrays say."""
    x[key(attrs["axes"], indices)] = value


def element(attrs: Any, x: Any, *numbers: int) -> Any:
    """A number of an array."""
    return x[attrs["index"].python(numbers)[:-1]]


def reduce(attrs: Any, x: Any) -> Any:
    """A reduction over axes."""
    return attrs["ufunc"].reduce(x, axis=attrs["axis"], keepdims=attrs["keepdims"])


def call(attrs: Any, *inputs: Any) -> Any:
    """An opaque call."""
    return attrs["call"](*inputs)


def operator(attrs: Any, *inputs: Any) -> Any:
    """A function of numbers."""
    return attrs["function"](*inputs)


def where(attrs: Any, condition: Any, one: Any, other: Any) -> Any:
    """A selection item by item."""
    return np.where(condition, one, other)


def cast(attrs: Any, x: Any) -> Any:
    """A copy in another dtype."""
    return x.astype(attrs["dtype"])


def copy(attrs: Any, x: Any) -> Any:
    """A copy in some order of axes."""
    return x.copy(order=attrs["order"])


def index(attrs: Any, x: Any, *numbers: int) -> Any:
    """A window; an array even where it has no axes."""
    return x[attrs["index"].python(numbers)]


def transpose(attrs: Any, x: Any) -> Any:
    """The axes in another order."""
    return x.transpose(attrs["axes"])


def part(attrs: Any, x: Any) -> Any:
    """The real or the imaginary parts."""
    return getattr(x, attrs["name"])


def argsort(attrs: Any, x: Any) -> Any:
    """The places of items in their order."""
    return np.argsort(x, axis=attrs["axis"])


def search(attrs: Any, x: Any, value: Any) -> Any:
    """Where items would stand in a sorted line."""
    return np.searchsorted(x, value, side=attrs["side"])


def arg_reduce(attrs: Any, x: Any) -> Any:
    """Where the largest or smallest items are."""
    return attrs["function"](x, axis=attrs["axis"])


def accumulate(attrs: Any, x: Any) -> Any:
    """Running reductions."""
    return attrs["ufunc"].accumulate(x, axis=attrs["axis"])


def gufunc(attrs: Any, *inputs: Any) -> Any:
    """A generalised ufunc."""
    return attrs["ufunc"](*inputs)


def store(attrs: Any, x: Any, value: Any) -> None:
    """An assignment to all of an array."""
    x[...] = value


def sort(attrs: Any, x: Any) -> None:
    """A sort where the items stand."""
    x.sort(axis=attrs["axis"])


def set_item(attrs: Any, made: list[Any], place: int, item: Any) -> None:
    """An assignment to an item of a list."""
    made[place] = item


def constant(attrs: Any) -> Any:
    """A number."""
    return attrs["value"]


def length(attrs: Any, x: Any) -> Any:
    """The length of an axis."""
    return x.shape[attrs["axis"]]


def reshape(attrs: Any, x: Any, *dims: int) -> Any:
    """Other dims."""
    return x.reshape(dims)


def compress(attrs: Any, x: Any, mask: Any) -> Any:
    """The items where a mask is true."""
    return x[mask]


def nonzero(attrs: Any, x: Any) -> Any:
    """The places where a line of bools is true."""
    return np.nonzero(x)[0]


def dot(attrs: Any, x: Any, y: Any) -> Any:
    """A product of lines or tables."""
    return np.dot(x, y)


def new_list(attrs: Any, *items: Any) -> list[Any]:
    """A list."""
    return list(items)


def append(attrs: Any, made: list[Any], item: Any) -> None:
    """One more item of a list."""
    made.append(item)


def pop(attrs: Any, made: list[Any]) -> Any:
    """The last item of a list, which is in it no more."""
    return made.pop()


def count(attrs: Any, made: list[Any]) -> int:
    """How many items a list has."""
    return len(made)


def item(attrs: Any, made: list[Any], index: int) -> Any:
    """An item of a list."""
    return made[index]
