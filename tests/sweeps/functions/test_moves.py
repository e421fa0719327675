"""Functions that put arrays together or move their items, in loops too: none of them is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import check_whole

from framejit import jit

X = np.random.default_rng(5).normal(size=12)
TABLE = X.reshape(4, 3)


def check_fused(function: Any, *args: Any) -> None:
    """The same answers, and nothing is called but NumPy's inner loops."""
    check(function, *args)
    jitted = jit(function)
    jitted(*args)
    assert "opaque" not in jitted.inspect("graph")


def carried_round(u: Any, n: int) -> Any:
    for _ in range(n):
        u = u - 0.1 * (np.roll(u, -1) - np.roll(u, 1))
    return u


def carried_round_axes(u: Any, n: int) -> Any:
    for _ in range(n):
        both = np.roll(u, (1, -1), (0, 1))
        u = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, axis=1) + both + u)
    return u


def rolled_by_numbers_of_numpy(f: Any) -> Any:
    shifts = np.array([0, 1, 0, -1])
    for k in range(4):
        f[k] = np.roll(f[k], shifts[k], axis=0)
    return f


def test_rolls_in_loops() -> None:
    for u in (X, X[:1], X[::2], X.astype("f4"), np.arange(7)):
        check_whole(carried_round, (u, 3))
    for table in (TABLE, TABLE.T, TABLE[:, ::2], TABLE[:1], TABLE[:, :1]):
        check_whole(carried_round_axes, (table, 3))
    check_fused(carried_round, X, 2)
    check_fused(carried_round_axes, TABLE, 2)
    check_fused(rolled_by_numbers_of_numpy, TABLE.copy())


def rate(s: Any) -> Any:
    x, y, z = s
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 2.5 * z])


def runge_kutta(s: Any, h: float, n: int) -> Any:
    for _ in range(n):
        a = rate(s)
        b = rate(s + 0.5 * h * a)
        s = s + h * (a + 2 * b)
    return s


def displays(x: Any, y: Any) -> Any:
    mixed = np.array([x, y.astype(np.float32)]), np.array((x, y), dtype=np.float64)
    nested = np.array([[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]])
    return mixed, nested, np.array([x.reshape(2, -1).T, y.reshape(2, -1).T]) * 2


def unlike(x: Any) -> Any:
    return np.array([x, x[:-1]]) * 2


def test_arrays_of_arrays() -> None:
    check_whole(runge_kutta, (TABLE[:3], 0.01, 4))
    check_fused(runge_kutta, TABLE[:3].copy(), 0.01, 4)
    check_fused(displays, X, X * 2)
    check(displays, X[::-1], X)
    check(displays, X.astype("f4"), X)
    check(displays, np.arange(4), X[:4])
    check(unlike, X)
    check(unlike, X[:1])


def with_lists(x: Any) -> Any:
    before, behind = np.concatenate(([0.0], x)), np.concatenate((x, (1, 2)))
    return before, behind, np.append(x, [1.5]), np.hstack(([True], x > 0))


def shortest(costs: Any) -> Any:
    best = costs[0].copy()
    for k in range(1, len(costs)):
        left = np.concatenate(([np.inf], best[:-1]))
        right = np.concatenate((best[1:], [np.inf]))
        best = costs[k] + np.minimum(np.minimum(left, best), right)
    return best.min()


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1"])
def test_lists_of_numbers_beside_arrays(dtype: str) -> None:
    check_fused(with_lists, (X * 10).astype(dtype))
    check(with_lists, X[:0].astype(dtype))
    check(shortest, (TABLE * 10).astype(dtype))


def joined(x: Any, y: Any) -> Any:
    along = np.concatenate((x, y), 1), np.concatenate((x, y), axis=0), np.stack((x, y), 2)
    return along, np.stack((x, y)), np.stack((x, y), 1), np.vstack((x, y)), np.array([x, y])


def test_joins_of_windows() -> None:
    """The result lies in memory as NumPy's does."""
    wide = np.arange(64.0).reshape(8, 8)
    windows = [wide[:1, :1], wide[:, :1][:1], wide.T[:1, :1], wide[:2, :2], wide[::-1, 3:6:2][:2]]
    windows += [wide.T[:2, :2], wide[:2, ::-4], wide[:2, :1], wide.T[:2, :1], wide[:1, :2]]
    windows += [wide.T[:1, :2], np.broadcast_to(wide[0, :2], (2, 2)), wide[:0, :2], wide[:2, :0]]
    for one in windows:
        check(joined, one, one)
        for other in windows:
            if one.shape == other.shape:  # in another order, which the graph tells
                check(joined, one, other, backends=["numpy"])


def differences(x: Any) -> Any:
    first = np.diff(x, prepend=0.0), np.diff(x, axis=0, append=x[:1]), np.diff(x, n=2, axis=-2)
    return first, np.diff(x > 0), np.diff(x, n=0), np.diff(x, prepend=x[:, :2], append=2)


def refused_differences(x: Any) -> Any:
    return np.diff(x, n=-1)


def test_differences_with_ends() -> None:
    check_fused(differences, TABLE.copy())
    for table in (TABLE.T, TABLE[:1], TABLE[:0], TABLE.astype("f4"), (TABLE * 9).astype("i2")):
        check(differences, table)
    check(refused_differences, TABLE)


def chosen(x: Any, y: Any) -> Any:
    conditions = [x > 1, y > 0]
    return np.select(conditions, [x, 2 * y], default=x - y), np.select(conditions, [x, 1], x[0])


def test_a_choice_with_an_array_for_the_rest() -> None:
    check(chosen, X, X[::-1])
    check(chosen, X.astype("f4"), X)


def shares(x: Any, y: Any) -> Any:
    right = (x > 0) == (y > 0)
    small = x.astype(np.int16)
    of_axes = small.mean(axis=0), small.std(axis=1, keepdims=True), right.mean(axis=-1)
    return (
        right.mean(),
        np.average(right),
        right.sum(dtype=float),
        of_axes,
        right[:0].sum(dtype=float),
    )


def test_means_of_small_ints_are_sums_of_ints() -> None:
    check_fused(shares, TABLE * 100, TABLE[::-1] + 1)
    for dtype in ("u1", "i1", "i2", "u2", "i4", "i8", "u8"):
        check(shares, (TABLE * 100).astype(dtype), TABLE)


def lengths_of_rows(x: Any) -> Any:
    return np.linalg.norm(x, axis=1), x / np.linalg.norm(x, axis=1, keepdims=True)


def turned(x: Any) -> Any:
    c, s = np.cos(0.3), np.sin(0.3)
    return x @ np.array([[c, -s], [s, c]]).T


def test_axes_in_a_tuple_and_lengths_that_are_known() -> None:
    check_fused(lengths_of_rows, TABLE.copy())
    check_fused(turned, X.reshape(6, 2))
    check(turned, X[:4].reshape(2, 2))
    check(turned, TABLE)


def in_blocks(x: Any, height: int, width: int) -> Any:
    return x.reshape(height // 2, 2, width // 2, 2).mean(axis=(1, 3))


def with_an_axis(x: Any, n: int, m: int, k: int, y: Any) -> Any:
    return np.reshape(np.reshape(x, (n, m, 1, k)) @ y, (n, m, k)) + 1


@pytest.mark.parametrize("n", [8, 300])
def test_large_arrays_of_other_axes(n: int) -> None:
    """Numbers give the lengths of the axes, so NumPy can only be asked about the very lengths."""
    check_fused(in_blocks, np.ones((n, n)), n, n)
    check_fused(with_an_axis, np.ones((n, n, 2)), n, n, 2, np.eye(2))
