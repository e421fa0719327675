"""`np.interp`: a line through points, read at numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured
from whole import check_whole

NAN, INF = np.nan, np.inf
RANDOM = np.random.default_rng(5)
KNOTS = np.sort(RANDOM.normal(size=30))
POINTS = {
    "one": np.array([0.5]),
    "one that is no number": np.array([NAN]),
    "two": np.array([-1.0, 1.0]),
    "four": np.array([-1.0, -0.0, 0.5, 2.0]),
    "five": np.array([-1.0, 0.0, 0.5, 2.0, 3.0]),
    "many": KNOTS,
    "equal": np.array([-2.0, -1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0]),
    "falling": KNOTS[::-1],
    "in no order": RANDOM.normal(size=40),
    "infinite": np.array([-INF, -INF, -1.0, 0.5, 1e308, INF, INF]),
    "with NaN": np.array([NAN, -1.0, 0.0, NAN, 0.5, 1.0, 2.0, NAN, 2.5, 3.0, 3.5, 4.0, 5.0]),
}
NUMBERS = np.r_[NAN, -INF, INF, -0.0, 0.0, 0.5, -1.0, 1.0, 2.0, 1e308, -1e308, KNOTS[::3]]
NUMBERS = np.r_[NUMBERS, RANDOM.permutation(np.linspace(-4, 4, 60)), np.linspace(-3, 6, 41)]


def read(x: Any, points: Any, values: Any) -> Any:
    return np.interp(x, points, values), np.interp(points, points, values) * 2


def outside(x: Any, points: Any, values: Any, low: Any, high: Any) -> Any:
    return (
        np.interp(x, points, values, low, high) * 2,
        np.interp(x, points, values, left=low),
        np.interp(x, points, values, right=high),
        np.interp(x[0], points, values, None, 7),
    )


@pytest.mark.parametrize("name", POINTS)
def test_points(name: str) -> None:
    """If points do not rise, a result depends on the place where the number before was found."""
    points = POINTS[name]
    values = np.resize([1.0, 2.0, INF, INF, -0.0, NAN, 5.0, -1e308, 1e308, 4.0, 4.0], points.shape)
    with np.errstate(all="ignore"):
        cosines = np.cos(values)
    with np.errstate(all="warn"):
        for numbers in (NUMBERS, NUMBERS[:1], NUMBERS[5:9]):  # slopes are made before, or not
            check(read, numbers, points, values, backends=["numba"])
        check(read, NUMBERS, points, cosines)
        check(outside, NUMBERS[1:], points, values, -7.5, 3)


def number(x: Any, points: Any, values: Any) -> Any:
    made = np.interp(x, points, values)
    return made, made * 2, type(made)


@pytest.mark.parametrize("x", [0.3, 2, True, np.float64(-0.7), np.float32(0.1), np.array(0.2), NAN])
def test_a_number_of_whatever_kind(x: Any) -> None:
    """The result is a number of NumPy's."""
    with np.errstate(all="warn"):
        captured(number, x, KNOTS, np.sin(KNOTS))
        captured(number, x, KNOTS[:1], KNOTS[:1])


@pytest.mark.parametrize("dtype", "?bBhHiIlLfd")
def test_dtypes(dtype: str) -> None:
    """All are cast to float64."""
    x = (np.arange(20) * 3 % 17).astype(dtype)
    points = np.sort(np.arange(0, 21, 3).astype(dtype))
    captured(read, x, points, points[::-1])
    check(outside, x, points, points, dtype_number(dtype), np.int64(3), backends=["numba"])


def dtype_number(dtype: str) -> Any:
    return np.dtype(dtype).type(1)


@pytest.mark.parametrize("dtype", "egFD")
def test_dtypes_that_are_called(dtype: str) -> None:
    x = np.linspace(0, 1, 5).astype(dtype)
    check(read, x, x, x)
    check(read, x, np.arange(3.0), np.arange(3.0))


def test_layouts() -> None:
    """The numbers are gone through in C order, whatever the memory is."""
    table = RANDOM.normal(size=(6, 8))
    for x in (table, table.T, table[::2, ::-3], table[:, 1:2], table[::-1, 0], table[:0]):
        captured(read, x, KNOTS[::2], np.cos(KNOTS)[::-2])
    captured(read, np.broadcast_to(table[0], (3, 8)), np.arange(3.0), np.broadcast_to(1.5, 3))
    captured(read, np.arange(0.0), KNOTS, KNOTS)


def test_what_is_refused() -> None:
    """NumPy's text."""
    for x in (NUMBERS, NUMBERS[:0], 0.5):
        check(number, x, KNOTS[:0], KNOTS[:0])
        check(number, x, KNOTS, KNOTS[1:])
        check(number, x, KNOTS.reshape(5, 6), KNOTS)
    check(outside, NUMBERS, KNOTS, KNOTS, "a", 1j)


def of_lists(x: Any, high: Any) -> Any:
    return np.interp(x, [0.0, 1.5, high], [1, 2, 5]) + np.interp(x, (0, 1), (high, 2.0))


def test_lists() -> None:
    captured(of_lists, NUMBERS, 3.5)
    captured(of_lists, 0.25, 3.5)


def periodic(x: Any, points: Any, values: Any) -> Any:
    return np.interp(x, points, values, period=2.5), np.interp(x[1], points, values, period=-3)


def test_periods() -> None:
    check(periodic, NUMBERS[3:], KNOTS, np.sin(KNOTS))
    check(periodic, NUMBERS, KNOTS, np.sin(KNOTS))


def silent(x: Any, points: Any, values: Any) -> Any:
    with np.errstate(all="raise"):
        one = np.interp(x[2], points, values) * 0.5
        return np.interp(x, points, values) - 1, one, one + np.interp(-0.5, points, values)


def chosen(x: Any, points: Any, values: Any) -> Any:
    keep = points > 0
    return np.interp(x, points[keep], values[keep])


def test_points_in_other_ways() -> None:
    """Nothing is reported; a line of unknown length may be called."""
    points = POINTS["equal"]
    steep = np.resize([INF, 1e308, -1e308], points.shape)
    for first in (3, 4, 5, 20):
        check(silent, NUMBERS[first:], points, steep)
    check(chosen, NUMBERS, KNOTS, np.sin(KNOTS))
    check(chosen, NUMBERS, KNOTS - 100, np.sin(KNOTS))


def tank(times: Any, flow: Any, depths: Any, areas: Any, n: int) -> Any:
    """A tank that is filled, whose area depends on its depth."""
    depth, levels = 0.5, np.empty(n)
    step = times[-1] / n
    for k in range(n):
        inflow = np.interp(k * step, times, flow, right=0.0)
        area = np.interp(depth, depths, areas)
        depth = depth + step * (inflow - 0.3 * np.sqrt(depth)) / area
        levels[k] = depth
    return levels, np.interp(levels[::10], depths, areas)


def test_a_simulation() -> None:
    times, depths = np.linspace(0.0, 20.0, 9), np.array([0.0, 0.5, 2.0, 4.0])
    areas = np.array([1.0, 1.5, 3.0, 3.5])
    check_whole(tank, (times, 0.3 + 0.2 * np.sin(times), depths, areas, 200))
