"""Lengths that a function computes: one item and none are met first, and then others.

The first kernel takes such a length for constant; the call that brings another makes the next one,
which holds for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, check_script

X = np.arange(1000.0)
LENGTHS = (0, 1, 2, 3, 1, 0, 7, 40)


def prefix(x: Any, n: int) -> Any:
    y = x[:n]
    return ((y * 2 + 1) * y - 3).sum()


def fresh(x: Any, n: int) -> Any:
    return (np.zeros(n) + x[0] + np.arange(n) * 2 + np.full(n, 2.0)).sum()


def product(x: Any, n: int) -> Any:
    return x[:n] @ x[:n] + 1


def suffix(x: Any, n: int) -> Any:
    return (x[len(x) - n :] * 2).sum()


def between(x: Any, n: int) -> Any:
    return x[n : 2 * n] * 2 + 1


def shown(x: Any, n: int) -> Any:
    return x[:n] * x[1 : n + 1], x[:n, None] + x[:3]


PROGRAMS = [prefix, fresh, product, suffix, between, shown]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("first", [0, 1])
def test_lengths_that_arguments_say(program: Any, first: int) -> None:
    """Two captures, and one call that finds out."""

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(X, n) for n in LENGTHS[first:]]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=2, bails=1, hits=len(LENGTHS[first:]) - 1)


def test_a_buffer_that_fills() -> None:
    """An attribute counts."""

    class Buffer:
        def __init__(self) -> None:
            self.items, self.n = np.zeros(50), 0

        def add(self, value: float) -> Any:
            self.items[self.n] = value
            self.n += 1
            filled = self.items[: self.n]
            return (filled * filled).sum()

    def script(jit: Decorator) -> Any:
        add, buffer = jit(Buffer.add), Buffer()
        return [add(buffer, k * 0.5) for k in range(40)]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=2, bails=1)


def columns(x: Any, y: Any) -> Any:
    total = np.zeros((4, 4))
    for k in range(x.shape[1]):
        column = x[:, k : k + 1] - y
        total += column @ column.T
    return total


def blocks(x: Any, w: Any) -> Any:
    size, height, width, _ = x.shape
    f = w.shape[0]
    out = np.zeros((size, height - f + 1, width - f + 1, w.shape[3]))
    for i in range(height - f + 1):
        for j in range(width - f + 1):
            window = x[:, i : i + f, j : j + f, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * w[np.newaxis], axis=(1, 2, 3))
    return out


def test_windows_between_bounds_that_go_together() -> None:
    """`k + 1` is one behind `k`: the window has one column, though nobody knows `k`."""
    rng = np.random.default_rng(0)
    x, y = np.asfortranarray(rng.random((4, 30))), rng.random((4, 1))
    images = rng.random((2, 6, 6, 3))
    weights = [rng.random((f, f, 3, 4)) for f in (3, 1, 2, 1, 3)]

    def script(jit: Decorator) -> Any:
        f, g = jit(columns), jit(blocks)
        return [*(f(x, y) for _ in range(3)), *(g(images, w) for w in weights)]

    for f, g in check_script(script, backends=["numba"]):
        assert_counts([f], captures=1, hits=3)
        assert_counts([g], captures=2, hits=5)


def neighbours(x: Any, k: int) -> Any:
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = x[i : i + k].sum() + x[i - 1 : i].sum() + x[i : i + len(found)].sum()
    return found


def test_windows_that_are_cut_off() -> None:
    """At the ends of an array they are shorter: the next kernel takes them as they come."""

    def script(jit: Decorator) -> Any:
        f = jit(neighbours)
        return [f(X[:20], k) for k in (3, 1, 5, 1)]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=2, bails=1, hits=3)


def stacked(n: int) -> Any:
    k, total, shapes = 1, 0.0, 0
    for _ in range(n):
        both = np.dstack((np.full((k, k), 0.1), np.ones((k, k))))
        total += both.sum() + np.stack([both[:, 0], both[0]], axis=-1).max()
        shapes += both.shape[0]
        k *= 2
    return total, shapes


def test_axes_of_one_item_in_the_first_iteration() -> None:
    """Arrays that are only written into may have their axes in any order."""

    def script(jit: Decorator) -> Any:
        f = jit(stacked)
        return [f(n) for n in (5, 1, 4)]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=1, bails=0, hits=3)
