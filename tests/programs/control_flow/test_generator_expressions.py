"""Generator expressions and `map`: items are computed when somebody asks for them."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import captured

X = np.array([1.5, 2.5, -3.0, 4.0])


N = np.array([3, 1, 0, 2])


A = np.arange(12.0).reshape(3, 4)


ROUNDS = np.array([1e100, 1.0, -1e100, 3.0, 1e-3])


# ---- one item in each iteration ------------------------------------------------------------------


def products(x: Any) -> Any:
    return sum(x[k] * x[k + 1] for k in range(len(x) - 1))


def of_rows(a: Any) -> Any:
    return sum(row * k for k, row in enumerate(a)) + 1


def of_pairs(x: Any) -> Any:
    return sum(a * b for a, b in zip(x, x[1:], strict=False)), sum((a for a in x), 2.5)  # noqa: RUF007


def pythons_own(x: Any) -> Any:
    return sum(float(v) for v in x), sum(int(v) for v in x), sum(v > 0 for v in x)


def greatest(x: Any) -> Any:
    return max(abs(v) for v in x), min(v * v for v in x), max(int(v) for v in x)


def truths(x: Any) -> Any:
    ordered = all(x[k] <= x[k + 1] for k in range(len(x) - 1))
    return ordered, any(v > 3 for v in x), all(v for v in x), any(math.isnan(v) for v in x)


def lists(x: Any) -> Any:
    return list({0: v * 2}[0] for v in x), list(map(float, x))  # noqa: C400


def from_iterables(x: Any) -> Any:
    floats = np.fromiter((v * v for v in x), dtype=float)
    few = np.fromiter((k * 2.0 for k in range(3)), float)
    return floats + np.fromiter((int(v) for v in x), float, len(x)), np.fromiter(x, float), few


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for v in (u * 2 for u in x):
        if v > 6:
            break
        total += v
    return total


def with_closures(x: Any) -> Any:
    scale = x[0] * 2
    offsets = x + 1
    return sum(scale * v + offsets[k] for k, v in enumerate(x))


def of_generators(x: Any) -> Any:
    return sum(v + 1 for v in (u * 2 for u in x)), sum(
        max(w for w in row) for row in x.reshape(2, 2)
    )


def mapped(x: Any) -> Any:
    return sum(map(abs, x)), max(map(lambda a, b: a - b, x, x[::-1])), any(map(np.isnan, x))


def by_keys(x: Any) -> Any:
    return min(range(len(x)), key=lambda k: x[k]), max((v for v in x), key=abs), max(x, key=abs)


@pytest.mark.parametrize(
    "function",
    [
        *(products, of_pairs, pythons_own, greatest, truths, lists, from_iterables, in_a_loop),
        *(with_closures, of_generators, mapped, by_keys),
    ],
    ids=lambda function: function.__name__,
)
def test_whole(function: Any) -> None:
    captured(function, X)
    check(function, X[:1].repeat(4) if function is of_generators else X[::-1][:2].repeat(2))


def test_rows() -> None:
    check(of_rows, A, calls=3)


@pytest.mark.parametrize("function", [pythons_own, greatest, truths, lists, mapped, by_keys])
def test_nothing_to_go_through(function: Any) -> None:
    """Some of them raise."""
    check(function, X[:0])


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "D"])
def test_dtypes(dtype: str) -> None:
    for function in (products, of_pairs, lists, in_a_loop, with_closures):
        check(function, X.astype(dtype))


# ---- some iterations only ------------------------------------------------------------------------


def counts(x: Any) -> Any:
    return sum(1 for v in x if v > 0), sum(v for v in x if v < 0 if v > -5), sum(0 for v in x if v)


def chosen(x: Any) -> Any:
    return max(v for v in x if v < 3), list(v + 1 for v in x if v > 2), any(v for v in x if v < 0)  # noqa: C400


def chosen_in_a_loop(x: Any) -> Any:
    found = []
    for k in (k for k, v in enumerate(x) if v > 2):
        if k == 0:
            continue
        found.append(k)
    return np.array(found) * 2


def filled(x: Any) -> Any:
    return np.fromiter((v if v > 0 else -v for v in x if v != 4), dtype=np.float64)


@pytest.mark.parametrize("function", [counts, chosen, chosen_in_a_loop, filled])
def test_filters(function: Any) -> None:
    captured(function, X)
    check(function, np.zeros(3))
    check(function, X[:0])


# ---- sums of floats ------------------------------------------------------------------------------


def sums_of_floats(x: Any) -> Any:
    return sum(float(v) for v in x), sum((float(v) for v in x), 1), sum((float(v) for v in x), 0.5)


@pytest.mark.parametrize(
    "values",
    [
        ROUNDS,
        ROUNDS[::-1],
        [np.inf, 1.0, 2.0],
        [1.0, np.inf, -np.inf],
        [np.nan, 1.0],
        [-0.0, -0.0],
        [1e308, 1e308, -1e308],
        np.random.default_rng(7).normal(size=100) * 10.0 ** np.arange(-50, 50),
    ],
)
def test_what_rounding_takes_away(values: Any) -> None:
    """CPython makes up for it since 3.12."""
    check(sums_of_floats, np.array(values), calls=3)


def floats_and_others(x: Any) -> Any:
    return sum(float(v) if v > 0 else 1 for v in x), sum(float(v) if v > 0 else v for v in x)


def test_floats_and_others() -> None:
    check(floats_and_others, ROUNDS, calls=3)
    check(floats_and_others, X, calls=3)


# ---- effects happen when an item is asked for ----------------------------------------------------


def until_it_holds(x: Any) -> Any:
    return any(v / 0 > 1 for v in x), all(1 / v > 0 for v in x)


def noted(x: Any) -> Any:
    seen: list[Any] = []

    def note(v: Any) -> Any:
        seen.append(v)
        return v > 2

    return any(note(v) for v in x), seen


def added_and_divided(x: Any) -> Any:
    return sum(v / 0 for v in x), sum(v * 1e308 for v in x)


def asked_of_others(x: Any, note: Any) -> Any:
    y = x * 2
    return all(note(v) for v in y), tuple(note(v) for v in y), any(note(v) > 3 for v in y)


@pytest.mark.parametrize("last", [1, 4, 8, 99])
def test_errors_of_items(last: int) -> None:
    """Tracebacks name the columns that eager names, where the compiler writes a loop as well."""

    class Note:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def __call__(self, v: Any) -> Any:
            self.seen.append(v)
            if len(self.seen) == last:
                raise ValueError(last)
            return v > 0

    check(asked_of_others, X, Note(), calls=3)


@pytest.mark.parametrize("function", [until_it_holds, noted, added_and_divided])
def test_effects(function: Any) -> None:
    check(function, X, calls=3)
    check(function, np.zeros(3))


def written_meanwhile(x: Any) -> Any:
    for k, v in enumerate(u * 2 for u in x):
        x[len(x) - 1 - k] = v
    return x


def drawn(x: Any, rng: Any) -> Any:
    return sum(v * rng.random() for v in x if v > 0) + rng.random()


def test_order() -> None:
    captured(written_meanwhile, X)
    check(drawn, X, np.random.default_rng(3), calls=3)


def partly(x: Any) -> Any:
    rest = (v * 2 for v in x)
    first = next(rest)
    return first, list(rest)


def held(x: Any) -> Any:
    rest = (v * 2 for v in x)
    for v in rest:
        if v > 3:
            break
    return v, sum(rest)


def given_back(x: Any) -> Any:
    return tuple(v * 2 for v in x + 1), sorted(v for v in x * 2)


def raised_midway(x: Any) -> Any:
    try:
        return sum(x[k + 1] for k in range(len(x)))
    except IndexError as error:
        return str(error), x + 1


@pytest.mark.parametrize("function", [partly, held, given_back, raised_midway])
def test_other_uses(function: Any) -> None:
    check(function, X, calls=3)


def test_a_generator_leaves() -> None:
    def made(x: Any) -> Any:
        return (v * 2 for v in x + 1)

    from framejit import jit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert list(jit(made)(X)) == list(made(X))


# ---- indices -------------------------------------------------------------------------------------


def test_segments() -> None:
    assert_counts(check(products, X, calls=3), segments=1, breaks=0, bails=0)
