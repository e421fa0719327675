"""Which arrays share memory, and copies that keep it, as well as strides, flags and alignment."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...jit import generators

Array = np.ndarray[Any, Any]
LINE = 64
"""Bytes: a copy begins at the same place of a cache line as what it was made of."""


def copied(values: Sequence[Any]) -> list[Any]:
    """The values, each array and generator among them as a copy; numbers are what they are."""
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
    """The addresses of the first byte, and of the one behind the last."""
    at = array.ctypes.data
    return np.lib.array_utils.byte_bounds(array) if array.size else (at, at)


def _copy_group(group: list[int], low: int, high: int, made: list[Any]) -> None:
    """Replaces arrays that lie between two addresses by arrays over a copy of those bytes."""
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
"""Of an array among others: the first of them in the same stretch of memory, how many bytes behind
the beginning of that stretch the array lies, and the first of them that is the same object."""


def places(values: Sequence[Any]) -> list[Place | None]:
    """Where each array lies, by others among the values; None for what is no array, or is empty."""
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
