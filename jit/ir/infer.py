"""Types of results, by asking NumPy: the op runs on small examples of its inputs.

No promotion, broadcasting or memory order rule is written down here. An example has the dtype and
the layout class of the value it stands for; each symbolic dim gets its own small length, so that
the dims of the result can be told from their lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from .types import (
    PYTHON_SCALARS,
    ArrayType,
    Dim,
    Layout,
    ScalarType,
    Sym,
    Type,
    captured_dtype,
    fresh_layout_of,
)

FIRST_LENGTH = 5
"""Lengths of examples count up from here by two: no constant dim of interest is as odd."""


class Examples:
    """Examples of the inputs of one op, and the way back from a result to a type."""

    def __init__(self, group: Callable[[Sym], Any] = lambda sym: sym) -> None:
        self.lengths: dict[Sym, int] = {}
        self._group = group
        """Dims of one group get one length."""
        self._chosen: dict[Any, int] = {}
        self._next = count(FIRST_LENGTH, 2)

    def of(self, type_: Type, hint: Any = None) -> Any:
        """A value of that type: an array of ones in that layout, or a scalar one."""
        if isinstance(type_, ScalarType):
            one = type_.dtype.type(1) if hint is None else type_.dtype.type(hint)
            return one.item() if type_.python else one
        return self._array(type_)

    def _array(self, type_: ArrayType) -> np.ndarray[Any, Any]:
        lengths = [self._length(dim) for dim in type_.dims]
        layout = type_.layout
        array = _packed(lengths, layout, type_.dtype)
        if layout.packed:
            return array
        flips = tuple(slice(None, None, -1) if s < 0 else slice(None) for s in layout.signs)
        array = array[flips]
        for axis, sign in enumerate(layout.signs):
            if sign == 0:
                array = np.broadcast_to(array.take([0], axis), lengths)
        return array

    def _length(self, dim: Dim) -> int:
        if isinstance(dim, int):
            return dim
        if dim not in self.lengths:
            key = self._group(dim)
            if key not in self._chosen:
                self._chosen[key] = next(self._next)
            self.lengths[dim] = self._chosen[key]
        return self.lengths[dim]

    def type_of(self, result: Any, fresh: Callable[[], Sym]) -> Type | None:
        """The type of a result, or None for anything that a graph does not hold."""
        python = PYTHON_SCALARS.get(type(result))
        if python is not None:
            return python
        if isinstance(result, np.generic) and captured_dtype(result.dtype):
            return ScalarType(result.dtype, python=False)
        if type(result) is not np.ndarray or not captured_dtype(result.dtype):
            return None
        layout = fresh_layout_of(result)
        if layout is None:
            return None
        dims = {length: sym for sym, length in self.lengths.items()}
        named = tuple(n if n < 2 else dims.get(n) or fresh() for n in result.shape)
        return ArrayType(result.dtype, named, layout)


def _packed(lengths: Sequence[int], layout: Layout, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Ones in the memory order of the layout, with gaps where it has gaps."""
    room = list(lengths)
    if not layout.packed and lengths:
        room = [n + 1 for n in lengths]
        if not layout.unit:
            fastest = layout.order[-1]
            room[fastest] *= 2
    memory = np.ones([room[axis] for axis in layout.order], dtype)
    array = memory.transpose(np.argsort(layout.order)) if lengths else memory
    steps = [slice(0, n) for n in lengths]
    if not layout.packed and lengths and not layout.unit:
        fastest = layout.order[-1]
        steps[fastest] = slice(0, 2 * lengths[fastest], 2)
    return array[tuple(steps)] if not layout.packed else array


def hollow(type_: ArrayType, lengths: Sequence[int]) -> np.ndarray[Any, Any]:
    """An array of these lengths in that layout class, no memory behind it: look, do not read."""
    layout = type_.layout
    strides = [0] * len(lengths)
    step = type_.dtype.itemsize * (1 if layout.packed or layout.unit else 2)
    for axis in reversed(layout.order):
        strides[axis] = step * layout.signs[axis]
        if layout.signs[axis]:
            step *= max(lengths[axis], 1)
            step += 0 if layout.packed else type_.dtype.itemsize
    memory = np.empty(1, type_.dtype)
    return np.lib.stride_tricks.as_strided(memory, tuple(lengths), tuple(strides))
