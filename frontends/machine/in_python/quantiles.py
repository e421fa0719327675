"""Medians, percentiles and quantiles.

Which of several zeros or NaNs an item is that stands at its place depends on how lines are
partitioned; every other item is what it is after any sort. Short lines without these are sorted,
which takes no call; all others are partitioned by NumPy, by the places that it takes itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .table import in_place_of

FEW = 256
"""Items of a line that is sorted; of more NumPy's partition is faster, though it is a call."""
MOST = 9
"""Of more quantiles graphs get large."""
FLOATS, INTS = "fd", "bBhHiIlLqQ"
"""Characters of dtypes; others are computed in another one, or have no differences."""


def refuse_others(a: Any, axis: Any, out: Any, overwrite_input: Any, keepdims: Any) -> None:
    """What is called as before."""
    if out is not None or overwrite_input or type(keepdims) is not bool:
        raise NotImplementedError
    if axis is not None and (type(axis) is not int or not -a.ndim <= axis < a.ndim or a.ndim > 2):
        raise NotImplementedError
    if a.ndim < 1 or a.size < 1 or a.dtype.char not in FLOATS + INTS:
        raise NotImplementedError


def lines_of(a: Any, axis: Any) -> Any:
    """An array, and the axis along which it has the lines."""
    if axis is not None:
        return a, axis % a.ndim
    return (a if a.ndim == 1 else a.ravel()), 0


def kept(made: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    """The result, with the axes that it had."""
    if not keepdims:
        return made
    if a.ndim == 1 or axis is None:
        return np.asarray(made)[(..., *(None,) * a.ndim)]
    return made[..., None, :] if axis % 2 == 0 else made[..., None]


# ---- medians -------------------------------------------------------------------------------------


@in_place_of(np.median)
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """The mean of the one or two items in the middle."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    return kept(middle(*lines_of(a, axis)), a, axis, keepdims)


@in_place_of(np.nanmedian)
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """The median of what is no NaN, in a line."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_lines(a, axis)
    return kept(middle(numbers_of(a), 0, True), a, axis, keepdims)


def refuse_lines(a: Any, axis: Any) -> None:
    """Of lines in a table NumPy makes masked arrays, or goes through them one by one."""
    if axis is not None and a.ndim > 1:
        raise NotImplementedError


def numbers_of(a: Any) -> Any:
    """What is no NaN, in a line; NumPy fills the gaps from its end."""
    line, _ = lines_of(a, None)
    if line.dtype.char in INTS:
        return line
    holes = np.isnan(line)
    places = np.nonzero(holes)[0]
    count = line.size - places.size
    if count < 1:
        raise NotImplementedError
    behind = line[count:][~holes[count:]]
    made = line.copy()
    made[places[: behind.size]] = behind
    return made[:count]


def middle(lines: Any, axis: Any, fresh: Any = False) -> Any:
    """The median along an axis."""
    before, count = (slice(None),) * axis, lines.shape[axis]
    half = count // 2
    if count <= FEW and not (lines != lines).any():
        return mean_of_middle(np.sort(lines, axis), before, count)
    if lines.dtype.char in INTS:
        part = partitioned(lines, [half - 1 + count % 2, half], axis, fresh)
        return mean_of_middle(part, before, count)
    if count % 2 == 1:
        part = partitioned(lines, [half, -1], axis, fresh)
    else:
        part = partitioned(lines, [half - 1, half, -1], axis, fresh)
    return unless_nan(mean_of_middle(part, before, count), part[(*before, -1)])


def partitioned(lines: Any, kth: Any, axis: Any, fresh: Any) -> Any:
    """By NumPy, in a copy where lines are not `fresh`."""
    if not fresh:
        return np.partition(lines, kth, axis)
    lines.partition(kth, axis)
    return lines


def unless_nan(made: Any, last: Any) -> Any:
    """What stands last where that is NaN."""
    if last.ndim == 0 and made.ndim == 0:
        return last if np.isnan(last) else made
    np.copyto(made, last, where=np.isnan(last))
    return made


def mean_of_middle(part: Any, before: Any, count: Any) -> Any:
    """Of floats in their dtype, of ints in float64; NumPy begins with a zero, which is positive."""
    half = count // 2
    low, high = part[(*before, half - 1 + count % 2)], part[(*before, half)]
    kind = part.dtype.type if part.dtype.char in FLOATS else np.float64
    if part.ndim == 1:
        low, high = kind(low), kind(high)
    else:
        low, high = low.astype(kind), high.astype(kind)
    return high + kind(0) if count % 2 == 1 else (low + high + kind(0)) / 2


# ---- quantiles -----------------------------------------------------------------------------------


@in_place_of(np.quantile)
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Parts of one."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    return kept(quantiles(shares_of(q, 1), *lines_of(a, axis)), a, axis, keepdims)


@in_place_of(np.percentile)
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Parts of a hundred."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    return kept(quantiles(shares_of(q, 100), *lines_of(a, axis)), a, axis, keepdims)


@in_place_of(np.nanquantile)
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Those of what is no NaN, in a line."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    refuse_lines(a, axis)
    return kept(quantiles(shares_of(q, 1), numbers_of(a), 0, True), a, axis, keepdims)


@in_place_of(np.nanpercentile)
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Likewise."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    refuse_lines(a, axis)
    return kept(quantiles(shares_of(q, 100), numbers_of(a), 0, True), a, axis, keepdims)


def refuse_methods(method: Any, weights: Any) -> None:
    """Other ways to interpolate."""
    if method != "linear" or weights is not None:
        raise NotImplementedError


def shares_of(q: Any, whole: Any) -> Any:
    """Parts of one: a number or a list."""
    if isinstance(q, (tuple, list)):
        if not 0 < len(q) <= MOST:
            raise NotImplementedError
        return [share_of(one, whole) for one in q]
    return share_of(q, whole)


def share_of(q: Any, whole: Any) -> Any:
    """A float from 0 to 1; ints that are no percentages give NumPy items of the array."""
    if type(q) not in ((float, np.float64) if whole == 1 else (int, float, np.float64)):
        raise NotImplementedError
    share = q / whole
    if not 0 <= share <= 1:
        raise NotImplementedError
    return share


def quantiles(shares: Any, lines: Any, axis: Any, fresh: Any = False) -> Any:
    """One in the dtype of the array, where it is a number of Python's; a row for each of a list."""
    one = not isinstance(shares, list)
    if one and type(shares) is not float and lines.dtype.char == "f":
        raise NotImplementedError  # NaN is in another dtype than numbers
    before, count = (slice(None),) * axis, lines.shape[axis]
    if one:
        places = [place_of(count, shares)]
    else:
        places = [place_of(count, np.float64(share)) for share in shares]
    if count <= FEW and not has_twins(lines):
        return rows_of(np.sort(lines, axis), before, places, one)
    part = partitioned(lines, kth_of(places), axis, fresh)
    made = rows_of(part, before, places, one)
    return made if lines.dtype.char in INTS else unless_nan(made, part[(*before, -1)])


def has_twins(lines: Any) -> Any:
    """Whether there is more than one zero or NaN."""
    if lines.dtype.char in INTS:
        return False
    return ((lines != lines) | ((lines == 0) & np.signbit(lines))).any()


def rows_of(part: Any, before: Any, places: Any, one: Any) -> Any:
    """What stands at one place, or an array in C order."""
    if one:
        return interpolated(part, before, places[0])
    rest = () if part.ndim == 1 else (part.shape[1 - len(before)],)
    made = np.empty((len(places), *rest))
    for k in range(len(places)):
        made[k] = interpolated(part, before, places[k])
    return made


def place_of(count: Any, share: Any) -> Any:
    """Before which item a quantile is, and how far behind it; the last one is -1 for NumPy."""
    virtual = (count - 1) * share
    first = -1 if virtual >= count - 1 else int(virtual)
    return first, virtual - first


def kth_of(places: Any) -> Any:
    """What NumPy partitions by."""
    kth = [0, -1]
    for first, _ in places:
        kth.append(first)
        kth.append(-1 if first < 0 else first + 1)
    return np.unique(np.array(kth))


def interpolated(part: Any, before: Any, place: Any) -> Any:
    """From the nearer one of two items; all that NumPy computes may be reported."""
    first, share = place
    low, high = part[(*before, first)], part[(*before, -1 if first < 0 else first + 1)]
    rise = high - low
    made, rest = low + rise * share, rise * (1 - share)
    return high - rest if share >= 0.5 else made
