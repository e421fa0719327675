"""Copies of arguments that keep memory order, gaps, shared memory, identity and flags."""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np
from compare import parts

_SHARED = (types.ModuleType, np.ufunc, np.dtype)
"""Kinds of object that a copy holds as they are."""


def deep_copy(state: Any) -> Any:
    """A copy of a structure of containers, arrays, generators and user objects.

    Arrays that share memory share it in the copy; views keep their base, their strides and their
    read-only flag; an object that stands at two places still does.
    """
    copier = _Copier()
    copier.walk(state)
    copied = copy.deepcopy(state, copier.memo)
    for array in copier.locked:
        array.flags.writeable = False
    return copied


class _Copier:
    def __init__(self) -> None:
        self.memo: dict[int, Any] = {}
        """The memo of copy.deepcopy: the copy of each original, by id."""
        self.locked: list[np.ndarray[Any, Any]] = []
        """Copies that become read-only when all views of them are made."""
        self._visited: dict[int, Any] = {}

    def walk(self, object_: Any) -> None:
        """Copies all arrays that an object reaches, and marks what is not to be copied."""
        if id(object_) in self._visited:
            return
        self._visited[id(object_)] = object_
        if isinstance(object_, _SHARED) or hasattr(object_, "__wrapped__"):
            self.memo[id(object_)] = object_
            return
        for _, part in parts(object_):
            self.walk(part)
        if isinstance(object_, np.ndarray):
            self._array(object_)

    def _array(self, source: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if id(source) in self.memo:
            known: np.ndarray[Any, Any] = self.memo[id(source)]
            return known
        base = source.base
        if base is not None and not isinstance(base, np.ndarray):
            base = self._behind(base)
        made = self._owner(source) if base is None else _view(base, self._array(base), source)
        if type(source) is not np.ndarray:
            made = made.view(type(source))
            vars(made).update(copy.deepcopy(vars(source), self.memo))
        if not source.flags.writeable:
            self.locked.append(made)
        self.memo[id(source)] = made
        return made

    def _behind(self, base: Any) -> np.ndarray[Any, Any] | None:
        """An array over the memory that a base which is not an array gives access to."""
        if id(base) not in self._visited or not isinstance(self._visited[id(base)], np.ndarray):
            inner = getattr(base, "base", None)  # of as_strided's own holder
            if isinstance(inner, np.ndarray):
                return inner
            try:
                array = np.frombuffer(base, np.uint8)
            except (TypeError, ValueError):
                return None
            owner = array.copy()
            self.memo[id(array)] = owner
            self._visited[id(base)] = array
        behind: np.ndarray[Any, Any] = self._visited[id(base)]
        return behind

    def _owner(self, source: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        made = np.empty_like(source, order="K", subok=False)
        if made.strides != source.strides:
            low, high = np.lib.array_utils.byte_bounds(source)
            room = np.zeros(high - low, np.uint8)
            start = source.ctypes.data - low
            made = np.ndarray(source.shape, source.dtype, room, start, source.strides)
        if source.dtype.hasobject:
            made[...] = copy.deepcopy(np.array(source, subok=False), self.memo)
        else:
            made[...] = np.asarray(source)
        return made


def _view(
    base: np.ndarray[Any, Any], copied: np.ndarray[Any, Any], source: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """The view of a copied base that `source` is of the base."""
    plain = copied.view(np.ndarray)
    order = sorted(range(plain.ndim), key=lambda axis: -abs(plain.strides[axis]))
    memory = plain.transpose(order)
    if not memory.flags.c_contiguous:
        return np.array(source, order="K", subok=False)
    offset = source.ctypes.data - base.ctypes.data if source.size else 0
    return np.ndarray(source.shape, source.dtype, memory, offset, source.strides)
