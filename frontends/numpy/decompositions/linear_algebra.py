"""Argument checks that functions of `np.linalg` make before they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import _linalg as home

from ...capture.values.python_bodies import decomposes

_HOME: Any = home


@decomposes(_HOME._assert_stacked_square)
def assert_stacked_square(*arrays: Any) -> None:
    """Check one array without a loop; CPython 3.11 leaves loops over tuples in an unusual way."""
    if len(arrays) != 1 or arrays[0].ndim < 2:
        raise NotImplementedError
    if arrays[0].shape[-2] != arrays[0].shape[-1]:
        raise NotImplementedError


@decomposes(_HOME._assert_finite)
def assert_finite(*arrays: Any) -> None:
    """Check that one array is finite, without a loop."""
    if len(arrays) != 1:
        raise NotImplementedError
    if not np.isfinite(arrays[0]).all():
        raise NotImplementedError


@decomposes(_HOME._is_empty_2d)
def is_empty_2d(arr: Any) -> Any:
    """Return True if one of the last two axes is empty."""
    items = 1
    for length in arr.shape[-2:]:
        items *= length
    return items == 0
