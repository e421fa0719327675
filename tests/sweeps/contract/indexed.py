"""Inputs for indices: an array `x` in some layouts and dtypes, and indices for it by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from contract import Input, given

Array = np.ndarray[Any, Any]

PLAIN: dict[str, Any] = {
    "n": np.array([2, 0, -1]),
    "m": np.array([1, 1]),
    "e": np.array([], int),
    "z": np.array(1),
    "w": np.int64(-1),
    "i": -1,
    "nn": np.array([[0, 1], [2, 1]]),
    "s": slice(1, None, 2),
}
OF_LINE: dict[str, Any] = {
    "k": 3,
    "u": np.array([0, 1], "u1"),
    "b": np.array([True, False, True, True, False]),
    "l": [0, 2],
    "t": (1, 2),
    **PLAIN,
}
OF_TABLE: dict[str, Any] = {
    "k": 2,
    "r": np.array([True, False, True]),
    "c": np.array([True, False, True, True]),
    "o": slice(None),
    "mask": np.arange(12).reshape(3, 4) % 3 == 0,
    **PLAIN,
}


def layouts(x: Array) -> dict[str, Array]:
    """An array in some layouts, and in other dtypes."""
    wide = np.zeros([2 * n for n in x.shape])
    window = wide[tuple(slice(None, None, 2) for _ in x.shape)]
    window[...] = x
    fixed = x.copy()
    fixed.flags.writeable = False
    made = {"C": x, "F": np.asfortranarray(x), "reversed": x.copy()[::-1], "gaps": window}
    return {**made, "read-only": fixed, **{dtype: x.astype(dtype) for dtype in ("?", "c16")}}


def inputs_of(x: Array, indices: dict[str, Any]) -> dict[str, Input]:
    """Return inputs by the name of their layout."""
    return {name: given(name, x=array, **indices) for name, array in layouts(x).items()}


LINES = inputs_of(np.arange(5.0), OF_LINE)
del LINES["F"]  # along one axis it is the same
TABLES = inputs_of(np.arange(12.0).reshape(3, 4), OF_TABLE)
