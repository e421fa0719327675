"""Functions that consist of one product of vectors or matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...capture.values.python_bodies import decomposes


@decomposes(np.vdot)
def vdot(a: Any, b: Any) -> Any:
    """Multiply all items in C order; no flags are reported.

    For complex numbers `vecdot` has other bits if strides are negative, or infinities meet.
    """
    if a.dtype != b.dtype or a.dtype.kind not in "iuf":
        raise NotImplementedError
    with np.errstate(all="ignore"):
        return np.vecdot(_line(a), _line(b))


def _line(a: Any) -> Any:
    """Return the items as a vector without copying, as NumPy takes any stride."""
    if a.ndim == 1:
        return a
    if a.ndim < 1 or not a.flags.c_contiguous:
        raise NotImplementedError
    return a.reshape(a.size)


@decomposes(np.outer)
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Multiply all pairs of items, without copying the vectors."""
    if out is not None:
        raise NotImplementedError
    a, b = np.asarray(a), np.asarray(b)
    rows, columns = a if a.ndim == 1 else a.ravel(), b if b.ndim == 1 else b.ravel()
    return rows[:, None] * columns[None, :]


@decomposes(np.tensordot)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Move summed axes last in one matrix and first in the other."""
    if type(axes) is int:
        left, right = [*range(a.ndim - axes, a.ndim)], [*range(axes)]
    else:
        left, right = _places(axes[0], a.ndim), _places(axes[1], b.ndim)
    if len(left) != len(right) or not (_are_axes(left, a.ndim) and _are_axes(right, b.ndim)):
        raise NotImplementedError
    fits = True
    for k, axis in enumerate(left):
        fits &= a.shape[axis] == b.shape[right[k]]
    if not fits:
        raise NotImplementedError
    rows = [k for k in range(a.ndim) if k not in left]
    columns = [k for k in range(b.ndim) if k not in right]
    lengths = [a.shape[k] for k in rows], [b.shape[k] for k in columns]
    items = math.prod([a.shape[k] for k in left])
    one = a.transpose(rows + left).reshape(math.prod(lengths[0]), items)
    other = b.transpose(right + columns).reshape(items, math.prod(lengths[1]))
    return np.dot(one, other).reshape(lengths[0] + lengths[1])


def _places(axes: Any, ndim: Any) -> Any:
    """Return a tuple of axis numbers."""
    given = [axes] if type(axes) is int else [*axes]
    return [axis + ndim if axis < 0 else axis for axis in given]


def _are_axes(places: Any, ndim: Any) -> Any:
    """True if these are valid axes, each named once."""
    wrong = [k for k, axis in enumerate(places) if not 0 <= axis < ndim or axis in places[:k]]
    return len(wrong) == 0


@decomposes(np.cov)
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """Compute covariances of unweighted observations."""
    if dtype is not None or m.ndim not in (1, 2) or (y is not None and y.ndim not in (1, 2)):
        raise NotImplementedError
    if y is None:
        lines = _lines(m, rowvar or m.ndim == 1, np.result_type(m, np.float64))
    else:
        wanted = np.result_type(m, y, np.float64)
        others = _lines(y, rowvar or y.ndim == 1 or y.shape[0] == 1, wanted)
        lines = np.concatenate((_lines(m, rowvar or m.ndim == 1, wanted), others), axis=0)
    if ddof is None:
        ddof = 1 if bias == 0 else 0  # None is not 0
    count = lines.shape[1] - ddof
    if lines.shape[0] < 1 or count <= 0:
        raise NotImplementedError
    lines = lines - lines.mean(axis=1)[:, None]
    return (np.dot(lines, lines.T.conj()) * np.true_divide(1, count)).squeeze()


def _lines(m: Any, in_lines: Any, dtype: Any) -> Any:
    """Return a copy as a matrix, with a row per variable."""
    table = m.astype(dtype)
    if table.ndim == 1:
        return table.reshape(1, table.size)
    return table if in_lines else table.T


@decomposes(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """Divide the covariances by both deviations."""
    found = np.cov(x, y, rowvar)
    if found.dtype.kind == "c":
        raise NotImplementedError
    if found.ndim == 0:
        return found / found
    count = found.shape[0]
    deviations = np.sqrt(found.reshape(count * count)[:: count + 1])
    return np.clip(found / deviations[:, None] / deviations[None, :], -1, 1)
