"""Medians, percentiles and quantiles.

Which of several zeros or NaNs ends up at a position depends on the partition algorithm; all other
items are the same after any sort. Short lines without duplicates of these are sorted, which needs
no call; others are partitioned by NumPy, at the positions that it uses itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...capture.values.python_bodies import decomposes

FEW = 256
"""Maximum length of lines that are sorted; beyond it NumPy's partition is faster despite the call.
"""
MOST = 9
"""Maximum number of quantiles; with more, graphs get large."""
FLOATS, INTS = "fd", "bBhHiIlLqQ"
"""Dtype characters; other dtypes are computed in another one, or have no differences."""


def refuse_others(a: Any, axis: Any, out: Any, overwrite_input: Any, keepdims: Any) -> None:
    """Reject arguments for which the function is called."""
    if out is not None or overwrite_input or type(keepdims) is not bool:
        raise NotImplementedError
    if axis is not None and (type(axis) is not int or not -a.ndim <= axis < a.ndim or a.ndim > 2):
        raise NotImplementedError
    if a.ndim < 1 or a.size < 1 or a.dtype.char not in FLOATS + INTS:
        raise NotImplementedError


def lines_of(a: Any, axis: Any) -> Any:
    """Return (array, axis of its lines)."""
    if axis is not None:
        return a, axis % a.ndim
    return (a if a.ndim == 1 else a.ravel()), 0


def kept(made: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    """Return the result with the reduced axes kept if required."""
    if not keepdims:
        return made
    if a.ndim == 1 or axis is None:
        return np.asarray(made)[(..., *(None,) * a.ndim)]
    return made[..., None, :] if axis % 2 == 0 else made[..., None]


# ---- medians -------------------------------------------------------------------------------------


@decomposes(np.median)
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """Return the mean of the one or two middle items."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    return kept(middle(*lines_of(a, axis)), a, axis, keepdims)


@decomposes(np.nanmedian)
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """Return the median of all numbers other than NaN, for a flattened array."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_lines(a, axis)
    return kept(middle(numbers_of(a), 0, True), a, axis, keepdims)


def refuse_lines(a: Any, axis: Any) -> None:
    """Reject lines of a matrix, for which NumPy uses masked arrays or loops."""
    if axis is not None and a.ndim > 1:
        raise NotImplementedError


def numbers_of(a: Any) -> Any:
    """Return the numbers without NaNs, whose gaps NumPy fills from the end."""
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
    """Return the median along an axis."""
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
    """Partition with NumPy, in a copy unless the lines are `fresh`."""
    if not fresh:
        return np.partition(lines, kth, axis)
    lines.partition(kth, axis)
    return lines


def unless_nan(made: Any, last: Any) -> Any:
    """Return `made`, or the last item of a line if that is NaN."""
    if last.ndim == 0 and made.ndim == 0:
        return last if np.isnan(last) else made
    np.copyto(made, last, where=np.isnan(last))
    return made


def mean_of_middle(part: Any, before: Any, count: Any) -> Any:
    """Average in the float's dtype, or float64 for ints; NumPy starts from +0.0."""
    half = count // 2
    low, high = part[(*before, half - 1 + count % 2)], part[(*before, half)]
    kind = part.dtype.type if part.dtype.char in FLOATS else np.float64
    if part.ndim == 1:
        low, high = kind(low), kind(high)
    else:
        low, high = low.astype(kind), high.astype(kind)
    return high + kind(0) if count % 2 == 1 else (low + high + kind(0)) / 2


# ---- quantiles -----------------------------------------------------------------------------------


@decomposes(np.quantile)
def quantile(  # noqa: PLR0913 (NumPy's signature)
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
    """Return quantiles for fractions of one."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    return kept(quantiles(shares_of(q, 1), *lines_of(a, axis)), a, axis, keepdims)


@decomposes(np.percentile)
def percentile(  # noqa: PLR0913 (NumPy's signature)
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
    """Return quantiles for percentages."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    return kept(quantiles(shares_of(q, 100), *lines_of(a, axis)), a, axis, keepdims)


@decomposes(np.nanquantile)
def nanquantile(  # noqa: PLR0913 (NumPy's signature)
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
    """Return quantiles of all numbers other than NaN, for a flattened array."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    refuse_lines(a, axis)
    return kept(quantiles(shares_of(q, 1), numbers_of(a), 0, True), a, axis, keepdims)


@decomposes(np.nanpercentile)
def nanpercentile(  # noqa: PLR0913 (NumPy's signature)
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
    """Return percentiles of all numbers other than NaN, for a flattened array."""
    refuse_others(a, axis, out, overwrite_input, keepdims)
    refuse_methods(method, weights)
    refuse_lines(a, axis)
    return kept(quantiles(shares_of(q, 100), numbers_of(a), 0, True), a, axis, keepdims)


def refuse_methods(method: Any, weights: Any) -> None:
    """Reject other interpolation methods and weights."""
    if method != "linear" or weights is not None:
        raise NotImplementedError


def shares_of(q: Any, whole: Any) -> Any:
    """Return fractions of one: a number or a list."""
    if isinstance(q, (tuple, list)):
        if not 0 < len(q) <= MOST:
            raise NotImplementedError
        return [share_of(one, whole) for one in q]
    return share_of(q, whole)


def share_of(q: Any, whole: Any) -> Any:
    """Return a float between 0 and 1; for invalid int percentages NumPy returns items."""
    if type(q) not in ((float, np.float64) if whole == 1 else (int, float, np.float64)):
        raise NotImplementedError
    share = q / whole
    if not 0 <= share <= 1:
        raise NotImplementedError
    return share


def quantiles(shares: Any, lines: Any, axis: Any, fresh: Any = False) -> Any:
    """Return a quantile in the array's dtype for a Python float, or a row for each in a list."""
    one = not isinstance(shares, list)
    if one and type(shares) is not float and lines.dtype.char == "f":
        raise NotImplementedError  # NaN has another dtype than numbers
    before, count = (slice(None),) * axis, lines.shape[axis]
    if one:
        places = [place_of(count, shares)]
    else:
        places = [place_of(count, np.float64(share)) for share in shares]
    if count <= FEW and not has_nan_or_negative_zero(lines):
        return rows_of(np.sort(lines, axis), before, places, one)
    part = partitioned(lines, kth_of(places), axis, fresh)
    made = rows_of(part, before, places, one)
    return made if lines.dtype.char in INTS else unless_nan(made, part[(*before, -1)])


def has_nan_or_negative_zero(lines: Any) -> Any:
    """True if an item is NaN or -0.0: where it goes among its equals depends on the algorithm."""
    if lines.dtype.char in INTS:
        return False
    return ((lines != lines) | ((lines == 0) & np.signbit(lines))).any()


def rows_of(part: Any, before: Any, places: Any, one: Any) -> Any:
    """Return the value at one position, or a C-ordered array for several."""
    if one:
        return interpolated(part, before, places[0])
    rest = () if part.ndim == 1 else (part.shape[1 - len(before)],)
    made = np.empty((len(places), *rest))
    for k in range(len(places)):
        made[k] = interpolated(part, before, places[k])
    return made


def place_of(count: Any, share: Any) -> Any:
    """Return (index before a quantile, fraction); NumPy writes the last index as -1."""
    virtual = (count - 1) * share
    first = -1 if virtual >= count - 1 else int(virtual)
    return first, virtual - first


def kth_of(places: Any) -> Any:
    """Return the positions at which NumPy partitions."""
    kth = [0, -1]
    for first, _ in places:
        kth.append(first)
        kth.append(-1 if first < 0 else first + 1)
    return np.unique(np.array(kth))


def interpolated(part: Any, before: Any, place: Any) -> Any:
    """Interpolate from the nearer of two items, in operations whose flags NumPy reports."""
    first, share = place
    low, high = part[(*before, first)], part[(*before, -1 if first < 0 else first + 1)]
    rise = high - low
    made, rest = low + rise * share, rise * (1 - share)
    return high - rest if share >= 0.5 else made
