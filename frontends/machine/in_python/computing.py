"""Functions that compute: what is reported of their numbers, eager is to report."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy._core import multiarray

from .table import in_place_of


@in_place_of(np.trace, np.ndarray.trace)
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Every so many items of the memory, added up."""
    if a.ndim != 2 or not a.flags.c_contiguous or (offset, axis1, axis2) != (0, 0, 1):
        raise NotImplementedError
    rows, columns = a.shape
    if rows < 1 or columns < 1:
        raise NotImplementedError
    count = rows if rows < columns else columns
    return a.reshape(-1)[: (count - 1) * (columns + 1) + 1 : columns + 1].sum()


@in_place_of(np.kron)
def kron(a: Any, b: Any) -> Any:
    """Products under axes of their own, of which a window has others."""
    if a.ndim != b.ndim or not 1 <= a.ndim <= 2 or a.size < 1 or b.size < 1:
        raise NotImplementedError
    if not a.flags.c_contiguous or not b.flags.c_contiguous:
        raise NotImplementedError
    if a.ndim == 1:
        return (a.reshape(-1, 1) * b.reshape(1, -1)).reshape(a.size * b.size)
    apart = a.reshape(a.shape[0], 1, a.shape[1], 1) * b.reshape(1, b.shape[0], 1, b.shape[1])
    return apart.reshape(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])


@in_place_of(multiarray._monotonicity)
def monotonicity(x: Any) -> Any:
    """1 where numbers rise or stay, -1 where they fall or stay, 0 else."""
    if not isinstance(x, np.ndarray) or x.ndim != 1:
        raise NotImplementedError
    line = x.astype(float)
    if line.size < 2:
        return 1
    if np.isnan(line).any():
        raise NotImplementedError
    if not (line[1:] < line[:-1]).any():
        return 1
    return 0 if (line[1:] > line[:-1]).any() else -1


@in_place_of(np.unique)
def unique(ar: Any) -> Any:
    """Of ints: those that differ from the one before, when they are sorted."""
    if ar.dtype.kind not in "iub":
        raise NotImplementedError
    line = np.sort(ar.ravel())
    if line.size < 2:
        raise NotImplementedError
    first = np.ones(line.shape, bool)
    first[1:] = line[1:] != line[:-1]
    return line[first]


@in_place_of(np.histogram)
def histogram(a: Any, bins: Any = 10) -> Any:
    """Of float64, in bins of one width: where a number would be, corrected by the edges."""
    if not isinstance(bins, int) or a.dtype != np.float64 or bins < 1 or a.size < 1:
        raise NotImplementedError
    line = a.ravel()
    first, last = line.min(), line.max()
    if not (np.isfinite(first) and np.isfinite(last)):
        raise NotImplementedError
    if first == last:
        raise NotImplementedError
    edges = np.linspace(first, last, bins + 1, endpoint=True, dtype=np.float64)
    if (edges[:-1] >= edges[1:]).any():
        raise NotImplementedError
    places = ((line - first) / (last - first) * bins).astype(np.intp)
    places -= places == bins
    places -= line < edges[places]
    places += (line >= edges[places + 1]) & (places != bins - 1)
    return np.bincount(places, minlength=bins), edges


@in_place_of(multiarray.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Of float64, between points that rise; nothing is reported, and NaN is what it was."""
    if type(x) is not np.ndarray or not x.ndim or not x.flags.c_contiguous:
        raise NotImplementedError
    if left is not None or right is not None or xp.ndim != 1 or xp.shape != fp.shape:
        raise NotImplementedError
    if xp.size < 2 or not x.dtype == xp.dtype == fp.dtype == np.float64:
        raise NotImplementedError
    with np.errstate(all="ignore"):
        if not (xp[1:] >= xp[:-1]).all():
            raise NotImplementedError
        at = np.searchsorted(xp, x, side="right") - 1
        at = np.minimum(np.maximum(at, 0), xp.size - 2)
        low, high, begin, end = xp[at], xp[at + 1], fp[at], fp[at + 1]
        slope = (end - begin) / (high - low)
        made = slope * (x - low) + begin
        made = np.where(np.isnan(made), slope * (x - high) + end, made)
        made = np.where(np.isnan(made) & (begin == end), begin, made)
        made = np.where(low == x, begin, made)
        made = np.where(x >= xp[-1], fp[-1], made)
        made = np.where(x < xp[0], fp[0], made)
        return np.where(np.isnan(x), x, made)
