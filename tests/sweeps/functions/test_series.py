"""Series of polynomials: Clenshaw's recursion on points and coefficients of all sorts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, chebyshev, hermite, hermite_e, laguerre, legendre
from oracle import check

import framejit


def of_chebyshev(x: Any, c: Any) -> Any:
    return chebyshev.chebval(x, c)


def of_legendre(x: Any, c: Any) -> Any:
    return legendre.legval(x, c, False) + legendre.legval(x, c)


def of_hermite(x: Any, c: Any) -> Any:
    return hermite.hermval(x, c)


def of_hermite_e(x: Any, c: Any) -> Any:
    return hermite_e.hermeval(x, c)


def of_laguerre(x: Any, c: Any) -> Any:
    return laguerre.lagval(x, c)


SERIES = [of_chebyshev, of_legendre, of_hermite, of_hermite_e, of_laguerre]
POINTS = {
    "line": np.linspace(-1.0, 1.0, 100),
    "table": np.linspace(-1.0, 1.0, 12).reshape(3, 4),
    "singles": np.linspace(-1.0, 1.0, 5, dtype="f4"),
    "ints": np.arange(5),
    "complex": np.array([1j, 2.0]),
    "one": np.ones(1),
    "none": np.ones(0),
    "no axis": np.array(0.5),
    "float": 0.5,
    "float32": np.float32(0.5),
    "list": [0.5, 2, 3],
}
COEFFICIENTS = [
    *(np.arange(1.0, count) for count in (2, 3, 4, 5, 6, 13)),
    *([1.0, 2, 3, 4], [1, 2, 3], [2.0], [], 3.0),
    *(np.arange(12.0).reshape(6, 2), np.arange(12.0).reshape(2, 6)),
    *(np.ones(9, "f4"), np.ones(5, "c8"), np.arange(3, 12)),
    np.array([1.0, np.nan, np.inf, -0.0, 1e308]),
]


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("points", POINTS)
def test_all_sorts(series: Callable[..., Any], points: str) -> None:
    with np.errstate(all="ignore"):
        for c in COEFFICIENTS:
            check(series, POINTS[points], c, backends=("numpy",))


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_kernels(series: Callable[..., Any], mode: Any) -> None:
    with np.errstate(all=mode):
        for c in (COEFFICIENTS[4], COEFFICIENTS[5], COEFFICIENTS[-1]):
            check(series, POINTS["line"], c)


@pytest.mark.counts("how many launches hit")
@pytest.mark.parametrize("series", [one for one in SERIES if one is not of_legendre])
def test_no_number_of_coefficients_is_left(series: Callable[..., Any]) -> None:
    """The terms begin as arrays of one item: a loop that took them for such bailed at each call."""
    jitted = framejit.jit(series)
    for count in range(2, 12):
        jitted(POINTS["line"], np.arange(1.0, 1 + count))
    stats = jitted.stats()
    assert (stats["hits"], stats["bails"], stats["captures"]) == (10, 0, 1)


def test_an_object_of_a_series() -> None:
    series = Chebyshev([1.0, 2.0, 0.5, 3.0, 1.0, 7.0], domain=[0, 2])
    check(lambda x: series(x) + series(x * 0.5), np.linspace(0.0, 2.0, 50), calls=3)
