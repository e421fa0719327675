"""Functions that tell where something is: argmax and argmin, nonzero, searchsorted, sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import check_whole

NAN, INF = np.nan, np.inf
RANDOM = np.random.default_rng(11)
LINES = {
    "random": RANDOM.normal(size=200),
    "rising": np.arange(150.0),
    "falling": -np.arange(150.0),
    "equal": np.ones(100),
    "NaN": np.where(np.arange(300) % 90 == 89, NAN, np.arange(300) % 7),
    "NaN first": np.r_[NAN, np.arange(80.0)],
    "infinities": np.r_[-INF, np.arange(70.0), INF, INF, -INF],
    "zeros": np.array([-0.0, 0.0, -0.0]),
    "one": np.array([3.0]),
    "gaps": RANDOM.normal(size=300)[::3],
    "backwards": RANDOM.normal(size=100)[::-1],
}
DTYPES = "?bBhHiIlLefdFD"


def places(x: Any) -> Any:
    return np.argmax(x), x.argmin(), x[x.argmax()] + np.argmin(x * 2)


def places_along(x: Any) -> Any:
    return x.argmax(axis=0) + 1, np.argmin(x, axis=-1), np.argmax(x, 1) * 2, (x + x).argmax()


@pytest.mark.parametrize("line", LINES)
def test_places(line: str) -> None:
    """The first of several, and NaN before all numbers."""
    backends = ["numba", "numpy"] if line in ("random", "NaN", "gaps") else ["numba"]
    check(places, LINES[line], backends=backends)


@pytest.mark.parametrize("dtype", DTYPES)
def test_places_of_dtypes(dtype: str) -> None:
    x = (RANDOM.normal(size=(5, 70)) * 50).astype(dtype)
    for array in (x, x.T, x[::2, ::3]):
        check(places_along, array, backends=["numba"])


def test_places_of_nothing() -> None:
    """NumPy's text; an axis beside it may be empty."""
    for x in (np.empty(0), np.empty((0, 3)), np.empty((3, 0))):
        check(places, x)
        check(places_along, x)


def nearest(points: Any, centres: Any) -> Any:
    found = np.empty(len(points), np.intp)
    for k in range(len(points)):
        found[k] = np.argmin(((centres - points[k]) ** 2).sum(axis=1))
    return found


def test_places_in_loops() -> None:
    check_whole(nearest, (RANDOM.normal(size=(20, 3)), RANDOM.normal(size=(4, 3))))


# ---- what is true --------------------------------------------------------------------------------


def true_places(x: Any) -> Any:
    return np.nonzero(x), x.nonzero()[0] + 1, np.flatnonzero(x), np.count_nonzero(x), np.where(x)


def true_in_tables(x: Any) -> Any:
    return np.count_nonzero(x) + 1, np.count_nonzero(x, axis=0), x.nonzero()


@pytest.mark.parametrize("dtype", "?bHlfd")
def test_true_places(dtype: str) -> None:
    x = (np.arange(40) % 3 - 1).astype(dtype)
    for line in (x, x[::-2], x * 0, x[:0]):
        check(true_places, line)
    check(true_in_tables, x.reshape(5, 8)[:, 1:].T)


# ---- what stands there ---------------------------------------------------------------------------


def taken(x: Any, i: Any) -> Any:
    return np.take(x, i), x.take(i) * 2, np.take(x[::-1], i, axis=0)


def rows_taken(x: Any, i: Any) -> Any:
    return np.take(x, i, 0), x.take(i, axis=1) + 1, x.take(i)


@pytest.mark.parametrize("order", "CF")
def test_take(order: Any) -> None:
    i = np.array([[0, 2, -1], [1, 1, -3]], order=order)
    check(taken, np.arange(5.0), i)
    check(rows_taken, np.array(RANDOM.normal(size=(4, 3)), order=order), i[0])
    check(taken, np.arange(2.0), i)


# ---- searches ------------------------------------------------------------------------------------


def searched(x: Any, v: Any) -> Any:
    number = v.ravel()[0] if v.size else x[0]
    left, right = np.searchsorted(x, v), x.searchsorted(v, side="right")
    return left * 2, right, x.searchsorted(number), np.searchsorted(x, number, "right") + 1


@pytest.mark.parametrize("dtype", "bHlLfd")
def test_searches(dtype: str) -> None:
    """Also in lines that are not sorted, and with NaN, which is the largest number."""
    keys = (RANDOM.normal(size=(6, 9)) * 20).astype(dtype)
    lines = [np.sort(keys.ravel()), keys[0], keys[:, 0], keys[0, :1], keys[0, :0]]
    if dtype in "fd":
        lines.append(np.r_[lines[0], NAN, NAN].astype(dtype))
        keys[2, ::2] = NAN
    for line in lines[: 3 if dtype in "bHL" else None]:
        if line.size or dtype == "d":
            check(searched, line, keys, backends=["numba"])
            check(searched, line, keys[:, ::-1].T, backends=["numba"])


def test_searches_for_other_dtypes() -> None:
    check(searched, np.arange(5.0), np.arange(9))
    check(searched, np.arange(5), np.linspace(0, 4, 9))


def test_searches_for_an_array_of_no_axes() -> None:
    def places_of(x: Any, t: Any) -> Any:
        return np.searchsorted(x, np.asarray(t)), x.searchsorted(np.array(t + 1), side="right")

    for number in (1.5, np.float64(2), np.array(3.0), np.array(np.nan)):
        check(places_of, np.arange(5.0), number)


# ---- counts --------------------------------------------------------------------------------------


def counted(x: Any, w: Any) -> Any:
    return np.bincount(x) * 2, np.bincount(x, w), np.bincount(x, minlength=7), np.bincount(x, w, 5)


@pytest.mark.parametrize("dtype", "bHil")
def test_counts(dtype: str) -> None:
    x, w = np.array([3, 1, 1, 0, 5, 3, 3]).astype(dtype), RANDOM.normal(size=7) * 1e307
    for k in (7, 1, 0):
        check(counted, x[:k], w[:k])
    check(counted, x[::-2], w[::2])


def test_counts_that_numpy_refuses() -> None:
    check(counted, np.array([1, -1]), np.ones(2))
    check(counted, np.array([1, 2]), np.ones(3))
    check(counted, np.array([1.0, 2]), np.ones(2))


# ---- sorting -------------------------------------------------------------------------------------


def sorted_lines(x: Any) -> Any:
    y = x * 1
    y.sort()
    return np.sort(x) * 2, np.sort(x, axis=0), np.sort(x, axis=None), y, np.argsort(x)


def places_of_the_sorted(x: Any) -> Any:
    return np.argsort(x) + 1, x.argsort(axis=0), x[np.argsort(x.ravel()) % 2]


def sorted_in_place(x: Any) -> Any:
    x.sort(axis=0)
    x[1:].sort()
    return x


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts(dtype: str) -> None:
    """NaN comes last with its bits; in place too."""
    x = (RANDOM.normal(size=(6, 50)) * 40).astype(dtype)
    if dtype in "efdFD":
        x[::2, ::7], x[3, 5:9] = NAN, [-0.0, 0.0, -0.0, 0.0]
    backends = ["numba", "numpy"] if dtype == "d" else ["numba"]
    for array in (x, x[0], x.T):
        for function in (sorted_lines, places_of_the_sorted):
            check(function, array, backends=backends)
    for array in (x, x[0, ::-2], x[:, 1:9].T, x[:, :1], x[:0], np.asfortranarray(x)):
        check(sorted_in_place, array, backends=backends)


def medians(x: Any, width: int) -> Any:
    found = np.empty(len(x) - width)
    for k in range(len(found)):
        window = np.sort(x[k : k + width])
        found[k] = window[width // 2]
    return found


def test_sorts_in_loops() -> None:
    check_whole(medians, (RANDOM.normal(size=60), 7))


def added_by_itself(a: Any) -> Any:
    for _ in a:
        x = a
        for _ in a:
            a[(a % a.shape[0]).astype("i2"), 1:] += a[:, 0]
    return x


def test_a_key_that_kernels_do_not_read_is_forgotten_but_not_the_live_ins_in_it() -> None:
    check(added_by_itself, np.ones((1, 4)))
    check(added_by_itself, np.ones((2, 4)))
