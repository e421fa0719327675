"""Discrete Fourier transforms: NumPy's Python code around its inner loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.fft import _pocketfft as home

from ...capture.values.python_bodies import decomposes

_HOME: Any = home
pfu: Any = _HOME.pfu
_REAL = dict.fromkeys("?bhilqBHILQdD", np.float64) | dict.fromkeys("fF", np.float32)
"""Dtype used for the computation, by dtype character."""
_OTHER_WAY = {"backward": "forward", "ortho": "ortho", "forward": "backward"}
_COMPLEX = {np.float64: np.complex128, np.float32: np.complex64}


def transformed(ufunc: Any, a: Any, factor: Any, axis: Any, length: Any, dtype: Any) -> Any:
    """Apply `ufunc(a, factor)` along an axis, with this number of points, into a new array.

    The machine has a node for it, see handlers/transforms.py.
    """
    raise NotImplementedError


@decomposes(_HOME._raw_fft)
def raw_fft(  # noqa: PLR0913 (NumPy's signature)
    a: Any, n: Any, axis: Any, is_real: Any, is_forward: Any, norm: Any, out: Any = None
) -> Any:
    """Transform one axis into a new array."""
    if out is not None or type(n) is not int or type(axis) is not int:
        raise NotImplementedError
    if not -a.ndim <= axis < a.ndim or a.dtype.char not in _REAL:
        raise NotImplementedError
    if norm is not None and norm not in ("backward", "ortho", "forward"):
        raise NotImplementedError
    if is_real and is_forward and a.dtype.kind == "c":
        raise NotImplementedError
    real = _REAL[a.dtype.char]
    if not is_forward:
        norm = _OTHER_WAY[norm or "backward"]
    if norm is None or norm == "backward":
        factor = 1
    elif norm == "ortho":
        factor = np.reciprocal(np.sqrt(real(n)))
    else:
        factor = np.reciprocal(real(n))
    if not is_real:
        return transformed(pfu.fft if is_forward else pfu.ifft, a, factor, axis, n, _COMPLEX[real])
    if not is_forward:
        return transformed(pfu.irfft, a, factor, axis, n, real)
    return transformed(pfu.rfft_n_even, a, factor, axis, n, _COMPLEX[real])


@decomposes(_HOME._raw_fftnd)
def raw_fftnd(
    a: Any, s: Any = None, axes: Any = None, function: Any = None, norm: Any = None, out: Any = None
) -> Any:
    """Transform several axes, starting with the last."""
    if out is not None or function is None:
        raise NotImplementedError
    a = np.asarray(a)
    lengths, places = cook_nd_args(a, s, axes)
    for k in range(len(places) - 1, -1, -1):
        a = function(a, lengths[k], places[k], norm)
    return a


@decomposes(_HOME._cook_nd_args)
def cook_nd_args(a: Any, s: Any = None, axes: Any = None, invreal: Any = 0) -> Any:
    """Return the lengths and the axes as lists."""
    if axes is None and s is not None:
        raise NotImplementedError
    places = [*range(-a.ndim, 0)] if axes is None else [*axes]
    if s is None:
        lengths = [a.shape[k] for k in places]
        if invreal:
            lengths[-1] = (lengths[-1] - 1) * 2
        return lengths, places
    if len(s) != len(places) or None in s:
        raise NotImplementedError
    return [a.shape[places[k]] if s[k] == -1 else s[k] for k in range(len(places))], places
