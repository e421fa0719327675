"""Variables that are bound to several arrays in turn: who sees a write, and what a bail undoes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check, check_script
from samples import captured


def in_two_buffers(u: Any, n: int) -> Any:
    v = u * 0
    for _ in range(n):
        v[1:-1] = (u[:-2] + u[2:]) * 0.5
        u, v = v, u
    return u, v


@pytest.mark.parametrize("scale", [1.0, 1e308])
def test_two_buffers(scale: float) -> None:
    """One of them is the caller's; a warning leads to a bail when some iterations are over."""
    u = np.arange(8.0) * min(scale, 1e307)
    check(in_two_buffers, u * (scale / 1e307 if scale > 1 else 1), 5)


def test_two_buffers_are_one_segment() -> None:
    """No break is needed: a bail restores the caller's array."""
    captured(in_two_buffers, np.arange(8.0), 5)


def in_turns(a: Any, b: Any, n: int) -> Any:
    for k in range(n):
        a, b, c = b, a, a
        c[k % 4] = k
        b += 1
    return a, b


@pytest.mark.parametrize("scale", [1.0, 1e307])
def test_two_arrays_of_the_caller(scale: float) -> None:
    """The segment made neither of the two."""
    check(in_turns, np.arange(4.0) * scale, np.arange(4.0) * scale * 2, 5)


def on_one_of_two_ways(a: Any, c: int) -> Any:
    x = a if c > 0 else a + 1
    x[0] = 7
    x += 1
    return x, 1 // (c - 2)


@pytest.mark.parametrize("c", [1, 2, -1])
def test_a_write_behind_a_branch(c: int) -> None:
    """The array is the caller's on one way and fresh on the other."""
    check(on_one_of_two_ways, np.arange(3.0), c)


def with_an_end(u: Any, n: int) -> Any:
    v = u * 0
    for k in range(n):
        v[k] = u[k] + 1
        u, v = v, u
    return u


def test_an_index_out_of_range_in_the_middle() -> None:
    """Writes before the exception stay."""

    def script(jit: Any) -> Any:
        f, made = jit(with_an_end), []
        for n in (3, 9, 2, 9):
            u = np.arange(4.0)
            try:
                made.append((f(u, n), u))
            except IndexError as error:
                made.append((str(error), u))
        return made

    check_script(script)


G = np.zeros(4)


def a_global_one(n: int) -> Any:
    x = np.zeros(4)
    for k in range(n):
        x[k % 4] += 1
        x = G
    return x


def test_an_array_that_is_met_within_the_loop() -> None:
    """The loop writes to the array one iteration after it first reads the global."""

    def script(jit: Any) -> Any:
        G[...] = 0
        f = jit(a_global_one)
        return [f(5).copy() for _ in range(3)], G.copy()

    check_script(script)
