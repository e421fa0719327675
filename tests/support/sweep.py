"""One kernel, many sizes: eager and jitted compared bit by bit without a capture for each size."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from compare import differences, portrait

import framejit

Array = np.ndarray[Any, Any]


def sweep(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> dict[str, int]:
    """Compares the results of all calls; returns the jitted function's stats."""
    jitted = framejit.jit(function, backend="numba")
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for args in calls:
            different = differences(
                portrait(result=function(*args)), portrait(result=jitted(*args))
            )
            shapes = [getattr(arg, "shape", arg) for arg in args]
            assert not different, f"{shapes}\n" + "\n".join(different)
    stats: dict[str, int] = jitted.stats()
    return stats


def text_of(f: Any, *args: Any) -> str:
    """The text of a function's kernel."""
    jitted = framejit.jit(f, backend="numba")
    jitted(*args)
    text: str = jitted.inspect("numba")
    return text


def in_order(array: Array, order: tuple[int, ...]) -> Array:
    """A copy with the axes in this order of memory, slowest first."""
    packed = np.ascontiguousarray(array.transpose(order))
    return packed.transpose(np.argsort(order))


def every_other(array: Array) -> Array:
    """A copy with a gap of one item in every axis."""
    wide = np.zeros([2 * n for n in array.shape], array.dtype)
    window = wide[tuple(slice(0, 2 * n, 2) for n in array.shape)]
    window[...] = array
    return window


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Array:
    """Numbers of all sizes, some of them zero, infinite or not a number."""
    rng = np.random.default_rng([seed, *shape])
    if dtype in ("f2", "f4", "f8", "c8", "c16"):
        made = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, size=shape)
        made[rng.random(shape) < 0.02] = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan])
        return made.astype(dtype)
    if dtype == "?":
        return rng.random(shape) < 0.5
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, size=shape, endpoint=True, dtype=dtype)
