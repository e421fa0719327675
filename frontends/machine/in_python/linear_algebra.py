"""What the functions of `np.linalg` ask about their arguments before they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import _linalg as home

from .table import in_place_of

_HOME: Any = home


@in_place_of(_HOME._assert_stacked_square)
def assert_stacked_square(*arrays: Any) -> None:
    """Of one array, without a loop: CPython 3.11 leaves one over a tuple in a way of its own."""
    if len(arrays) != 1 or arrays[0].ndim < 2:
        raise NotImplementedError
    if arrays[0].shape[-2] != arrays[0].shape[-1]:
        raise NotImplementedError


@in_place_of(_HOME._assert_finite)
def assert_finite(*arrays: Any) -> None:
    """Likewise."""
    if len(arrays) != 1:
        raise NotImplementedError
    if not np.isfinite(arrays[0]).all():
        raise NotImplementedError


@in_place_of(_HOME._is_empty_2d)
def is_empty_2d(arr: Any) -> Any:
    """Whether one of the last two axes has no items."""
    items = 1
    for length in arr.shape[-2:]:
        items *= length
    return items == 0
