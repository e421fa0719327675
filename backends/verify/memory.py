"""Copies arrays with their sharing, strides, flags and alignment, and compares how they share."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...jit import generators

Array = np.ndarray[Any, Any]
LINE = 64
"""Cache line size in bytes; copies keep the offset within a line."""


def copied(values: Sequence[Any]) -> list[Any]:
    """Return the values with arrays and generators copied."""
    made = [generators.copied(v) if type(v) in generators.KINDS else v for v in values]
    places = [k for k, value in enumerate(values) if isinstance(value, np.ndarray)]
    bounds = {k: _bounds(values[k]) for k in places}
    group: list[int] = []
    end = 0
    for k in sorted(places, key=bounds.__getitem__):
        if group and bounds[k][0] >= end:
            _copy_group(group, bounds[group[0]][0], end, made)
            group = []
        end = max(bounds[k][1], end) if group else bounds[k][1]
        group.append(k)
    if group:
        _copy_group(group, bounds[group[0]][0], end, made)
    return made


def _bounds(array: Array) -> tuple[int, int]:
    """Return the addresses of the first byte and behind the last byte."""
    at = array.ctypes.data
    return np.lib.array_utils.byte_bounds(array) if array.size else (at, at)


def _copy_group(group: list[int], low: int, high: int, made: list[Any]) -> None:
    """Replace arrays between two addresses by arrays over a copy of those bytes."""
    room = np.empty(high - low + LINE, np.uint8)
    start = (low - room.ctypes.data) % LINE
    ctypes.memmove(room.ctypes.data + start, low, high - low)
    views: dict[int, Array] = {}
    for k in group:
        array: Array = made[k]
        if id(array) not in views:
            offset = start + array.ctypes.data - low
            view: Array = np.ndarray(array.shape, array.dtype, room, offset, array.strides)
            view.flags.writeable = array.flags.writeable
            views[id(array)] = view
        made[k] = views[id(array)]


# ---- whose memory --------------------------------------------------------------------------------

Place = tuple[int, int, int]
"""Memory of an array relative to others: index of the first array in the same stretch of memory,
offset in bytes within that stretch, index of the first array that is the same object."""


def places(values: Sequence[Any]) -> list[Place | None]:
    """Return each array's place among the values; None for other values and empty arrays."""
    arrays = [k for k, one in enumerate(values) if isinstance(one, np.ndarray) and one.size]
    bounds = {k: _bounds(values[k]) for k in arrays}
    begins: dict[int, int] = {}
    start = end = 0
    for k in sorted(arrays, key=bounds.__getitem__):
        low, high = bounds[k]
        if low >= end:
            start = low
        end = max(end, high)
        begins[k] = start
    first = {begins[k]: k for k in reversed(arrays)}
    itself = {id(values[k]): k for k in reversed(arrays)}
    return [
        (first[begins[k]], bounds[k][0] - begins[k], itself[id(one)]) if k in bounds else None
        for k, one in enumerate(values)
    ]
