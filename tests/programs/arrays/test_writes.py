"""Writes to arrays: overlaps in memory, order, and no write is done twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def line(size: int = 50) -> Any:
    return np.linspace(0.5, 3, size)


def test_slice_writes() -> None:
    def f(a: Any, b: Any) -> Any:
        a[1:-1] = a[:-2] + a[2:] * b
        return a * 2

    check(f, line(), 0.5, calls=3)


def test_overlapping_operands() -> None:
    """The value is computed completely before the first item of the target is written."""

    def f(a: Any) -> Any:
        a[1:] = a[:-1]
        a[:-2] += a[2:]
        a[::-1] *= a
        return a

    check(f, line(), calls=3)


def test_arguments_that_share_memory() -> None:
    def f(a: Any, b: Any) -> Any:
        a += b
        b *= 2
        a[1:] = b[:-1]
        return a + b

    both = line()
    check(f, both, both, calls=3)
    check(f, both[:-1], both[1:], calls=3)
    check(f, both[::2], both[1::2], calls=3)
    check(f, both, both[::-1], calls=3)


def test_in_place_casts() -> None:
    def f(a: Any, b: Any) -> Any:
        a += b
        a[2:5] = b[:3] * 2
        a[0] = 3
        return a

    for dtype in ("f4", "i4", "u1"):
        check(f, np.arange(6).astype(dtype), np.arange(6).astype("f8"), calls=2)
        check(f, np.arange(6).astype("f8"), np.arange(6).astype(dtype), calls=2)


def test_read_only_and_broadcast_targets() -> None:
    def f(a: Any) -> Any:
        b = a * 2
        a[1:] = b[1:]
        return b

    frozen = line()
    frozen.flags.writeable = False
    check(f, frozen, calls=3)
    check(f, np.broadcast_to(line(1), 5), calls=3)


def test_index_error_after_a_write() -> None:
    """Items written before stay written, and the error is raised at the user's line."""

    def f(a: Any, k: Any) -> Any:
        a[2:] = a[2:] * 2
        b = a + 1
        a[k] = 3.0
        return a * b

    check(f, line(), 5, calls=3)
    check(f, line(), 500, calls=3)


def test_divide_by_zero_after_a_write() -> None:
    """A write before the bail is not repeated when eager continues after it."""

    def f(a: Any) -> Any:
        a[1:] = a[1:] * 2 + 1
        b = 1 / (a - a)
        a += 1
        return a, b * a

    check(f, line(), calls=4)


def test_random_numbers_between() -> None:
    """The generator advances once, although what follows bails."""

    def f(rng: Any, x: Any) -> Any:
        y = x * 2 + 1
        noise = rng.normal(size=3)
        z = y[:3] * noise + 1
        return z / (z - z), noise

    check(f, np.random.default_rng(7), line(), calls=4)


def test_global_random_state_between() -> None:
    def f(x: Any) -> Any:
        y = x * 2 + 1
        y += np.random.random(y.shape)
        return y / 0

    check(f, line(5), calls=3)


def test_fresh_arrays() -> None:
    """An array that the function makes may be written to before anybody sees it."""

    def f(x: Any) -> Any:
        n = len(x)
        out = np.zeros(n)
        out[1:] = x[1:] - x[:-1]
        out[0] = x[0]
        out *= 2
        view = out[::2]
        view += 1
        return out, view

    check(f, line(), calls=3)


def test_error_state_of_partial_work() -> None:
    """The effects of all statements before the one that raises are there."""

    def f(a: Any, b: Any) -> Any:
        a += 1
        b[1:] = a[:-1]
        a[:] = b.reshape(7, -1)
        return a

    check(f, line(), line(), calls=3)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "c16"])
def test_two_dimensions(dtype: str) -> None:
    def f(u: Any) -> Any:
        u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * 2
        u[0] = u[1]
        u[:, 0] = u[:, 1]
        return u

    check(f, np.arange(48).reshape(6, 8).astype(dtype), calls=3)
    check(f, np.arange(48).reshape(6, 8).astype(dtype, order="F"), calls=3)
