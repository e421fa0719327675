"""Arrays of which axes overlap in memory: `sliding_window_view`, `as_strided`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from oracle import assert_counts, check

WINDOWS: dict[str, Callable[[Any], Any]] = {
    "sliding": lambda b: sliding_window_view(b, 3),
    "every other": lambda b: sliding_window_view(b, 3)[::2],
    "turned": lambda b: sliding_window_view(b, 5).T,
    "from the end": lambda b: sliding_window_view(b[::-1], 5),
    "of two axes": lambda b: sliding_window_view(b.reshape(5, 8), (2, 3)),
    "more than half": lambda b: as_strided(b, (4, 8), (16, 8)),
    "columns": lambda b: as_strided(b, (3, 4), (8, 16)),
    "of opposite directions": lambda b: as_strided(b[20:], (3, 4), (8, -8)),
    "of three axes": lambda b: as_strided(b, (3, 4, 2), (8, 16, 8)),
    "of one item": lambda b: sliding_window_view(b, 1),
    "of all": lambda b: sliding_window_view(b, 40),
}


ADDRESS = "args[0].base.__array_interface__['data'][0]", "value"
"""The address of the test's memory, which differs in each run."""


def reading(v: Any, c: Any) -> Any:
    a = (v * 2 + c, v.T + 1, v[1:] * 2, v.copy(order="K"), np.zeros_like(v) + v)
    b = (v.mean(axis=1), v.sum(axis=0) * 2, v.sum() + v, v.max(axis=-1) - v.min(axis=-1))
    return a, b, np.where(v > 0, v, c.T.copy().T) + np.exp(v), np.cumsum(v, axis=0)


def with_steps(v: Any, c: Any) -> Any:
    w = v[:, ::4]
    return w * 2, c[:, ::4] + w


def writing(v: Any, c: Any) -> Any:
    v += c
    v[1:] = v[:-1] * 2
    np.multiply(v, c, out=v)
    return v + 1


@pytest.mark.parametrize("name", WINDOWS)
def test_windows(name: str) -> None:
    """The results lie in memory as those of NumPy."""

    def arguments(function: Any) -> Any:
        v = WINDOWS[name](np.linspace(-2.0, 3.0, 40))
        if function is writing and not v.flags.writeable:
            v = v.copy()
        return function, (v, np.linspace(1.0, 2.0, v.size).reshape(v.shape))

    backends = ("numba", "numpy") if name in ("sliding", "more than half") else ("numpy",)
    for function in (reading, with_steps, writing):
        check(setup=partial(arguments, function), backends=backends, ignore=[ADDRESS])


def moving(x: Any) -> Any:
    windows = sliding_window_view(x * 2, 3)
    return windows.mean(axis=-1) + 1, (windows - 1).max(axis=1)


def test_windows_made_here() -> None:
    assert_counts(check(moving, np.arange(10.0)), segments=1, breaks=0)


def test_a_capture_is_for_windows_that_overlap() -> None:
    """The same dtype, shape and order of axes, in memory where steps change that order or not."""

    def by_fours(v: Any) -> Any:
        return v[:, ::4] * 2

    def arguments() -> Any:
        memory = np.arange(64.0)
        return memory.reshape(4, 16)[:, :8], as_strided(memory, (4, 8), (16, 8))

    def both(apart: Any, overlapping: Any) -> Any:
        return by_fours(apart), by_fours(overlapping), by_fours(apart)

    check(setup=lambda: (both, arguments()), backends=("numpy",))


def added(v: Any, c: Any) -> Any:
    v += c
    return v * 2


def assigned(v: Any, c: Any) -> Any:
    v[...] = c * 2 + v
    return v + 1


def assigned_by_rows(v: Any, c: Any) -> Any:
    for i in range(len(v)):
        v[i] = c[i] - v[i] * 3
    return v + 1


def picked(v: Any, c: Any) -> Any:
    v[:] = np.where(c > 1.5, v, c)
    return v.sum()


def squared(v: Any, c: Any) -> Any:
    v *= v
    np.add(v, c, out=v)
    return v


@pytest.mark.parametrize("program", [added, assigned, assigned_by_rows, picked, squared])
@pytest.mark.parametrize(
    ("shape", "strides"),
    [((6, 5), (8, 0)), ((6, 5), (0, 8)), ((6, 5), (0, 0)), ((6, 1), (0, 8)), ((6, 5), (8, 8))],
)
def test_axes_without_a_step_are_written_to(
    program: Any, shape: tuple[int, ...], strides: tuple[int, ...]
) -> None:
    """All of the value is computed before its last item stays in memory."""

    def arguments() -> Any:
        c = np.linspace(1.0, 2.0, shape[0] * shape[1]).reshape(shape)
        return program, (as_strided(np.linspace(-2.0, 3.0, 40), shape, strides), c)

    check(setup=arguments, ignore=[ADDRESS])
