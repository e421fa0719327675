"""Functions that compute; if a flag is raised, eager has to report it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy._core import _multiarray_umath, multiarray

from ...capture.values.python_bodies import decomposes

BLOCK = 4096
"""Items processed at once, so that intermediate results stay in the cache."""
MANY = 1 << 16
"""Above this many ints, NumPy's hash table is faster than sorting."""


@decomposes(np.trace, np.ndarray.trace)
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Sum every so many items of memory; those of views are copied first."""
    if a.ndim != 2 or (offset, axis1, axis2) != (0, 0, 1):
        raise NotImplementedError
    if type(offset) is not int or type(axis1) is not int or type(axis2) is not int:
        raise NotImplementedError  # NumPy rejects some equal values: 0.0, False
    rows, columns = a.shape
    if rows < 1 or columns < 1:
        raise NotImplementedError
    count = rows if rows < columns else columns
    if a.flags.c_contiguous:
        return a.reshape(-1)[: (count - 1) * (columns + 1) + 1 : columns + 1].sum()
    places = np.arange(count)
    return a[places, places].sum()


@decomposes(np.kron)
def kron(a: Any, b: Any) -> Any:
    """Multiply along axes of their own, then view the result with merged axes."""
    if a.ndim != b.ndim or not 1 <= a.ndim <= 2 or a.size < 1 or b.size < 1:
        raise NotImplementedError
    if not a.flags.c_contiguous or not b.flags.c_contiguous:
        raise NotImplementedError
    if a.ndim == 1:
        return (a.reshape(-1, 1) * b.reshape(1, -1)).reshape(a.size * b.size)
    apart = a.reshape(a.shape[0], 1, a.shape[1], 1) * b.reshape(1, b.shape[0], 1, b.shape[1])
    return apart.reshape(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])


@decomposes(multiarray._monotonicity)
def monotonicity(x: Any) -> Any:
    """Return 1 for nondecreasing, -1 for nonincreasing numbers, else 0."""
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


@decomposes(np.unique)
def unique(ar: Any) -> Any:
    """Sort ints and keep those that differ from their predecessor."""
    if ar.dtype.kind not in "iub":
        raise NotImplementedError
    if ar.size < 2:
        raise NotImplementedError
    if ar.size > MANY:  # the hash table returns items in arbitrary order
        return np.sort(_multiarray_umath._unique_hash(ar.ravel(), equal_nan=True))
    line = np.sort(ar.ravel())
    first = np.ones(line.shape, bool)
    first[1:] = line[1:] != line[:-1]
    return line[first]


@decomposes(np.histogram)
def histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002 (NumPy's name)
    density: Any = None,
) -> Any:
    """Count float64 numbers in equal bins.

    A computed bin is corrected by comparing with its edges.
    """
    if type(bins) is not int or a.dtype != np.float64 or bins < 1 or a.size < 1:
        raise NotImplementedError
    line = a.ravel()
    first, last = (line.min(), line.max()) if range is None else range
    if range is not None and not (_is_plain(first) and _is_plain(last)):
        raise NotImplementedError
    if not (np.isfinite(first) and np.isfinite(last)):
        raise NotImplementedError
    if not first < last:
        raise NotImplementedError
    edges = np.linspace(first, last, bins + 1, endpoint=True, dtype=np.float64)
    if (edges[:-1] >= edges[1:]).any():
        raise NotImplementedError
    counts = np.zeros(bins + 1, np.intp)  # the last one counts those outside
    for k in _range(0, line.size, BLOCK):
        part = line[k : k + BLOCK]
        inside = (part >= first) & (part <= last)
        part = np.where(inside, part, first)
        places = ((part - first) / (last - first) * bins).astype(np.intp)
        places -= places == bins
        places -= part < edges[places]
        places += (part >= edges[places + 1]) & (places != bins - 1)
        places = np.where(inside, places, bins)
        for j in _range(len(places)):
            counts[places[j]] += 1
    counts = counts[:bins].copy()
    if density:
        return counts / np.diff(edges) / counts.sum(), edges
    return counts, edges


_range = range


def _is_plain(number: Any) -> bool:
    return type(number) is float or type(number) is int


@decomposes(np.isreal)
def isreal(x: Any) -> Any:
    """Return ones for real numbers; NumPy computes imaginary parts for that."""
    if x.ndim < 1 or x.dtype.kind not in "biuf":
        raise NotImplementedError
    return np.ones_like(x, dtype=bool)


# ---- windows of signals --------------------------------------------------------------------------


def _angles(M: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Return the angles of a window of `M` items, from -pi to pi."""
    if type(M) is not int or M < 2:
        raise NotImplementedError
    return np.pi * np.arange(1 - M, M, 2) / (M - 1)


@decomposes(np.hanning)
def hanning(M: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Compute the Hann window for an int, whose half is exact."""
    return 0.5 + 0.5 * np.cos(_angles(M))


@decomposes(np.hamming)
def hamming(M: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Compute the Hamming window for an int."""
    return 0.54 + 0.46 * np.cos(_angles(M))


@decomposes(np.blackman)
def blackman(M: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Compute the Blackman window for an int; doubling an angle is exact too."""
    angles = _angles(M)
    return 0.42 + 0.5 * np.cos(angles) + 0.08 * np.cos(2.0 * angles)


@decomposes(np.bartlett)
def bartlett(M: Any) -> Any:  # noqa: N803 (NumPy's name)
    """Compute the Bartlett window for an int."""
    if type(M) is not int or M < 2:
        raise NotImplementedError
    places = np.arange(1 - M, M, 2)
    shares = places / (M - 1)
    return np.where(places <= 0, 1 + shares, 1 - shares)
