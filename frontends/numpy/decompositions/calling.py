"""Functions of NumPy that call functions of the user's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...capture.values.python_bodies import decomposes


def refuse_what_warns(function: Any) -> None:
    """Raise for C functions that may warn, as they would at a line of NumPy's own.

    The machine tells what a function is, see handlers/bodies.py.
    """
    raise NotImplementedError


@decomposes(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Apply each function to the items for which its condition holds."""
    if not isinstance(condlist, (list, tuple)) or not isinstance(funclist, (list, tuple)):
        raise NotImplementedError
    if not condlist or len(condlist) not in (len(funclist), len(funclist) - 1) or not x.ndim:
        raise NotImplementedError
    conditions, others = [*condlist], np.zeros(x.shape, bool)
    for condition in condlist:
        if condition.dtype != bool or condition.shape != x.shape:
            raise NotImplementedError
        others = others | condition
    if len(funclist) > len(condlist):
        conditions.append(~others)
    made = np.zeros_like(x)
    for k in range(len(funclist)):
        condition, function = conditions[k], funclist[k]
        if callable(function):
            refuse_what_warns(function)
            chosen = x[condition]
            if chosen.size > 0:
                made[condition] = function(chosen, *args, **kw)
        else:
            made[condition] = function
    return made


@decomposes(np.fromfunction)
def fromfunction(function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """Apply the function to index arrays, one per axis."""
    if not isinstance(shape, tuple):
        raise NotImplementedError
    refuse_what_warns(function)
    places = np.indices(shape, dtype)
    return function(*[places[k] for k in range(len(shape))], **kwargs)


@decomposes(np.apply_along_axis)
def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply the function to each line along an axis; the first result gives shape and dtype."""
    if type(axis) is not int or not -arr.ndim <= axis < arr.ndim:
        raise NotImplementedError
    refuse_what_warns(func1d)
    axis %= arr.ndim
    lines = np.moveaxis(arr, axis, -1)
    first = np.asarray(func1d(lines[(*(0,) * (arr.ndim - 1), ...)], *args, **kwargs))
    if arr.ndim == 1 and first.ndim != 1:
        raise NotImplementedError  # a scalar, or it has the memory order of the first result
    made = np.zeros(lines.shape[:-1] + first.shape, first.dtype)
    for k, place in enumerate(np.ndindex(lines.shape[:-1])):
        if k > 0:
            made[(*place, ...)] = np.asarray(func1d(lines[(*place, ...)], *args, **kwargs))
        else:
            made[(*place, ...)] = first
    axes = [*range(axis), *range(arr.ndim - 1, made.ndim), *range(axis, arr.ndim - 1)]
    return np.transpose(made, axes)
