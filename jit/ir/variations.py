"""Fills examples with particular numbers, because results of some functions depend on the values.

Examples start as ones. Other values show if lengths or dtypes of a result depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

import numpy as np


def varied(value: Any) -> Any:
    """Return an example with other numbers, to see if result lengths depend on them."""
    if isinstance(value, list):
        return list(map(varied, value))
    if isinstance(value, np.ndarray):
        value = value.copy(order="K")
        value.flat = np.arange(value.size) % 7
    return value


def regular(value: Any) -> Any:
    """Return an example in which square matrices are symmetric and positive definite."""
    if isinstance(value, np.ndarray) and value.ndim > 1 and value.dtype.kind in "biufc":
        is_bool = value.dtype.kind == "b"
        value = np.zeros_like(value) if is_bool else value.copy(order="K")
        diagonal = range(min(value.shape[-2:]))
        value[..., diagonal, diagonal] = True if is_bool else 11
    return value


def irregular(value: Any) -> Any:
    """Return an example of unrelated numbers."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        value = value.copy(order="K")
        value.flat = np.sin(np.arange(1.0, value.size + 1) ** 2)
    return value


def unit(value: Any) -> Any:
    """Return an example with real eigenvalues and roots: a unit matrix, or zeros after a one."""
    if isinstance(value, np.ndarray) and value.ndim and value.size and value.dtype.kind in "fc":
        value = np.zeros_like(value)
        diagonal = range(min(value.shape[-2:]))
        value[(..., diagonal, diagonal) if value.ndim > 1 else 0] = 1
    return value


def skewed(value: Any) -> Any:
    """Return an example with complex eigenvalues, and with numbers of either sign."""
    if isinstance(value, np.ndarray) and value.ndim and value.size and value.dtype.kind in "fc":
        value = np.ones_like(value)
        below = np.tril(np.ones(value.shape[-2:], bool), -1) if value.ndim > 1 else 0
        value[..., below] = -1
        if value.dtype.kind == "c":
            value *= 1 + 1j
    return value


def unlike_one_another(values: Iterable[Any]) -> list[Any]:
    """Return examples whose numbers are all distinct, as far as their dtypes allow."""
    place = count(1)
    return [_numbered(value, place) for value in values]


def _numbered(value: Any, place: Any) -> Any:
    if isinstance(value, list):
        return [_numbered(item, place) for item in value]
    if isinstance(value, np.ndarray):
        value = value.copy(order="K")
        value.flat = [_number(value.dtype, next(place)) for _ in range(value.size)]
        return value
    if isinstance(value, np.generic):
        return value.dtype.type(_number(value.dtype, next(place)))
    if isinstance(value, float | complex):
        return type(value)(_number(np.dtype(type(value)), next(place)))
    return value


def _number(dtype: np.dtype[Any], place: int) -> Any:
    if dtype.kind in "fc":
        return np.sin(float(place) ** 2)
    return place * place % 3 == 0 if dtype.kind == "b" else place * place % 101
