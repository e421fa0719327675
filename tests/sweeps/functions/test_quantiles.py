"""Medians, percentiles and quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured
from whole import check_whole

from framejit import jit

NAN, INF = np.nan, np.inf
RANDOM = np.random.default_rng(3)
LINES = {
    "random": RANDOM.normal(size=101),
    "even": RANDOM.normal(size=40),
    "one": np.array([2.5]),
    "two": np.array([3.0, -1.0]),
    "equal": np.full(9, 0.1),
    "zeros": RANDOM.choice([-0.0, 0.0], 31),
    "zeros in the middle": RANDOM.permutation(np.r_[np.arange(-5.0, 6.0), [-0.0] * 3]),
    "many zeros": np.where(RANDOM.random(700) < 0.5, -0.0, RANDOM.choice([-1.0, 0.0, 1.0], 700)),
    "positive zeros": np.zeros(12),
    "NaN": np.where(np.arange(60) % 9 == 3, NAN, np.arange(60.0)),
    "NaN of two kinds": np.r_[np.array([0x7FF8000000000001, 0x7FF8000000000002]).view("f8"), 1.0],
    "infinities": np.r_[-INF, np.arange(6.0), INF, INF],
    "both infinities": np.array([-INF, INF]),
    "large": np.array([1.7e308, 1.6e308, 1e308, 1.7e308]),
    "tiny": np.array([5e-324, 0.0, 5e-324, 0.0]),
    "long": RANDOM.normal(size=1001),
    "long and even": RANDOM.integers(-9, 9, 2000) * 1.0,
    "long with NaN": np.r_[RANDOM.normal(size=400), NAN],
    "gaps": RANDOM.normal(size=90)[::3],
    "backwards": RANDOM.normal(size=50)[::-1],
    "nothing": np.empty(0),
}
TABLE = RANDOM.normal(size=(12, 9))
TABLES = (TABLE, np.where(RANDOM.random((12, 9)) < 0.05, NAN, TABLE), np.tile(TABLE, (30, 2)))
ZEROS = RANDOM.choice([-0.0, 0.0, 1.0, -1.0], (6, 7))
TABLES_TOO = (ZEROS, TABLE.T, TABLE[1::2, ::-2], TABLE[:1], TABLE[:, :1], TABLE[:0])


def of_line(x: Any) -> Any:
    return np.median(x) * 2, np.median(x, -1, keepdims=True)


def of_table(x: Any) -> Any:
    return np.median(x, keepdims=True), np.median(x, axis=0), np.median(x, 1, keepdims=True) + 1


@pytest.mark.parametrize("name", LINES)
def test_median(name: str) -> None:
    with np.errstate(all="warn"):
        check(of_line, LINES[name], backends=["numba"])


@pytest.mark.parametrize("dtype", "?bHiLefdgD")
def test_medians_of_dtypes(dtype: str) -> None:
    x = (RANDOM.normal(size=(5, 300)) * 50).astype(dtype)
    for array in (x[0], x[1, :40], x[:, ::3]):
        backend = "numba" if array.ndim == 1 else "numpy"
        check(of_line if array.ndim == 1 else of_table, array, backends=[backend])


def test_tables() -> None:
    """Each line along the axis has its own middle, and NaN."""
    for table in TABLES:
        check(of_table, table, backends=["numba"])
    for table in TABLES_TOO:
        check(of_table, table, backends=["numpy"])


def test_sizes_and_kinds() -> None:
    """One kernel for all sizes; what is no NaN and no zero bails nowhere."""
    for size in (1, 2, 7, 8, 256, 257, 258):
        captured(of_line, RANDOM.normal(size=size))
    captured(of_table, RANDOM.normal(size=(8, 5)))
    captured(of_table, RANDOM.integers(-20, 20, (8, 5)))


def median_filter(signal: Any, width: int) -> Any:
    made = np.empty(len(signal))
    for k in range(len(signal)):
        made[k] = np.median(signal[max(0, k - width) : k + width + 1])
    return made


def test_a_median_filter() -> None:
    """Windows of many lengths; zeros of either sign in the middle."""
    signal = np.sin(np.linspace(0, 9, 150)) + RANDOM.normal(size=150) * 0.2
    signal[::9] = 9.0
    check_whole(median_filter, (signal, 4))
    check_whole(median_filter, (RANDOM.choice([-0.0, 0.0, 1.0], 80), 2))


# ---- quantiles -----------------------------------------------------------------------------------


def quantiles(x: Any, q: Any) -> Any:
    return (
        np.percentile(x, q * 100, axis=0) * 2,
        np.quantile(x, q, axis=-1, keepdims=True),
    )


@pytest.mark.parametrize("name", LINES)
def test_quantiles(name: str) -> None:
    with np.errstate(all="warn"):
        check(quantiles, LINES[name], 0.6, backends=["numba"])


def test_quantiles_at_the_ends() -> None:
    """NumPy has the last item at -1."""
    for name in ("random", "many zeros", "two"):
        for q in (0.0, 0.11, 1.0, np.float64(0.6)):
            check(quantiles, LINES[name], q, backends=["numba"])


@pytest.mark.parametrize("dtype", "?bILefdgF")
def test_quantiles_of_dtypes(dtype: str) -> None:
    x = (RANDOM.normal(size=(5, 300)) * 50).astype(dtype)
    for array in (x[0], x[1, :40], x[:, ::3]):
        check(quantiles, array, 0.4, backends=["numba" if array.ndim == 1 else "numpy"])


def test_quantiles_of_tables() -> None:
    for table in TABLES[:2]:
        check(quantiles, table, 0.7, backends=["numba"])
    for table in (TABLES[2], *TABLES_TOO):
        check(quantiles, table, 0.7, backends=["numpy"])


def test_quantiles_of_all_sizes() -> None:
    for size in (1, 2, 7, 8, 256, 257, 258):
        captured(quantiles, RANDOM.normal(size=size), 0.3)
    captured(quantiles, RANDOM.normal(size=(8, 5)), 0.9)
    captured(quantiles, RANDOM.integers(-20, 20, (8, 5)), 0.9)


def several(x: Any, q: Any) -> Any:
    return (
        np.percentile(x, [25, q * 100]),
        np.quantile(x, (1.0, q), axis=-1, keepdims=True),
    )


@pytest.mark.parametrize("name", ["random", "one", "zeros", "NaN", "infinities", "long with NaN"])
def test_several_quantiles(name: str) -> None:
    with np.errstate(all="warn"):
        check(several, LINES[name], 0.1, backends=["numba"])


def test_several_quantiles_of_tables() -> None:
    check(several, TABLES[0], 0.7, backends=["numba"])
    for table in (*TABLES[1:], *TABLES_TOO):
        check(several, table, 0.7, backends=["numpy"])
    x = TABLES[0]
    check(several, x.astype("i2"), 0.7, backends=["numba"])
    check(several, x[0].astype("f4"), np.float64(0.9), backends=["numba"])
    captured(several, x[0], 0.3)
    captured(several, x, 0.3)


@pytest.mark.counts("the graph of the normal mode")
def test_nothing_is_called_whole() -> None:
    """NumPy's partition may be, of long lines."""
    for function, *more in ((of_line,), (quantiles, 0.3), (several, 0.3), (of_numbers, 0.3)):
        jitted = jit(function)
        jitted(LINES["random"], *more)
        assert "opaque" not in jitted.inspect("graph")


def refused(x: Any, q: Any) -> Any:
    return np.percentile(x, q), np.quantile(x, q)


def test_what_is_refused() -> None:
    """NumPy's text, or NumPy's function."""
    for q in (
        0,
        1,
        101,
        1.5,
        -0.1,
        NAN,
        True,
        "a",
        np.float32(0.25),
        np.array(0.5),
        np.array([0.5]),
    ):
        check(refused, LINES["random"], q)
    check(refused, LINES["random"], [0.5, 2.0])
    check(refused, LINES["random"], [])
    check(refused, [1.0, 2.0], 0.5)


def called(x: Any) -> Any:
    made = np.empty(())
    return (
        np.percentile(x, 30, method="lower"),
        np.quantile(x, 0.3, 0, made),
        np.median(x, (0,)),
        np.quantile(x, 0.3, method="inverted_cdf", weights=np.abs(x)),
        np.median(x, overwrite_input=True),
    )


def test_what_is_called() -> None:
    check(called, LINES["random"])


# ---- of all but NaN ------------------------------------------------------------------------------


def of_numbers(x: Any, q: Any) -> Any:
    return (
        np.nanmedian(x, axis=0),
        np.nanquantile(x, q, keepdims=True),
        np.nanpercentile(x, (10, q)),
    )


HOLES = {
    **{name: LINES[name] for name in ("random", "nothing", "zeros", "NaN", "infinities", "long")},
    "all NaN": np.full(4, NAN),
    "one number": np.r_[NAN, NAN, 2.0],
    "NaN behind": np.r_[np.arange(5.0), NAN, NAN],
    "NaN and zeros": np.where(RANDOM.random(50) < 0.3, NAN, RANDOM.choice([-0.0, 0.0], 50)),
    "many of them": np.where(RANDOM.random(900) < 0.3, NAN, RANDOM.choice([-0.0, 0.0, 1.0], 900)),
}


@pytest.mark.parametrize("name", HOLES)
def test_numbers_among_nan(name: str) -> None:
    with np.errstate(all="warn"):
        check(of_numbers, HOLES[name], 0.5, backends=["numba"])


def test_tables_with_nan() -> None:
    """Lines of tables are called."""
    x = np.where(RANDOM.random((12, 9)) < 0.1, NAN, RANDOM.normal(size=(12, 9)))
    check(of_numbers, x, 0.5, backends=["numpy"])
    check(of_numbers, x[0].astype("f4"), 0.3, backends=["numba"])
    captured(of_numbers, (x[0] > 0).astype("i4"), 0.3)
    check(of_numbers, x[0].astype("D"), 0.5)


def cleaned(readings: Any, width: int) -> Any:
    """Outliers of a measurement are replaced, window by window."""
    made = readings.copy()
    low, high = np.nanpercentile(readings, [5, 95])
    for k in range(width, len(readings) - width):
        window = readings[k - width : k + width + 1]
        spread = np.percentile(window, 75) - np.percentile(window, 25)
        if abs(readings[k] - np.median(window)) > 3 * spread or not low <= readings[k] <= high:
            made[k] = np.nanmedian(window)
    return made, low


def test_outliers() -> None:
    readings = np.cumsum(RANDOM.normal(size=120))
    readings[::17] += 30
    check_whole(cleaned, (readings, 5))
