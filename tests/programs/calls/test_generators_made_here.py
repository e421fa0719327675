"""Generators that a segment makes, seeds and shuffles: `rng = np.random.default_rng(0)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.arange(6.0)
N = np.array([3, 1, 2])


def seeds(x: Any, n: Any) -> Any:
    np.random.seed(3)
    return np.random.rand(4) + x[0]


def seeds_that_are_data(x: Any, n: Any) -> Any:
    np.random.seed(int(x[1]))
    return np.random.normal(size=3) * 2, np.random.rand()


def makes_one(x: Any, n: Any) -> Any:
    rng = np.random.default_rng(0)
    return rng.random(3) + x[0], rng.normal()


def gives_it_back(x: Any, n: Any) -> Any:
    rng = np.random.default_rng(seed=int(n[0]))
    return rng.random(3) * 2, rng, isinstance(rng, np.random.Generator)


def shuffles(x: Any, n: Any) -> Any:
    rng = np.random.RandomState(7)
    places = np.arange(5)
    rng.shuffle(places)
    return x[places] * 2, rng.rand()


def shuffles_an_argument(x: Any, n: Any) -> Any:
    np.random.seed(1)
    np.random.shuffle(x)
    return x * 2


def shuffles_what_nobody_reads(x: Any, n: Any) -> Any:
    np.random.seed(1)
    np.random.shuffle(np.arange(4))
    return np.random.rand() + x


def shuffles_columns(x: Any, n: Any) -> Any:
    np.random.seed(1)
    table = x.reshape(2, 3)
    np.random.shuffle(table.T)
    return table * 2


def draws_in_a_loop(x: Any, n: Any) -> Any:
    rng, total = np.random.default_rng(5), 0.0
    for k in range(len(x)):
        total += rng.random() * x[k]
    return total


def two_of_them(x: Any, n: Any) -> Any:
    def make(seed: int) -> Any:
        return np.random.default_rng(seed)

    one, other = make(3), make(4)
    return one.random() + other.random() + x


WHOLE = [
    seeds,
    seeds_that_are_data,
    makes_one,
    gives_it_back,
    shuffles,
    shuffles_an_argument,
    shuffles_what_nobody_reads,
    shuffles_columns,
    draws_in_a_loop,
    two_of_them,
]


@pytest.mark.parametrize("function", WHOLE)
def test_whole(function: Any) -> None:
    assert_counts(check(function, X, N, calls=3), segments=1, breaks=0, bails=0)


def a_bail_in_the_middle(x: Any, n: Any) -> Any:
    rng = np.random.default_rng(1)
    y = rng.permutation(x)
    np.sqrt(y - 3, out=y)
    return y, rng.random(2), rng.random()


def makes_them_in_a_loop(x: Any, n: Any) -> Any:
    total = 0.0
    for k in range(int(n[0])):
        rng = np.random.default_rng(k)
        total += rng.random()
    return total


def is_refused(x: Any, n: Any) -> Any:
    np.random.seed(3)
    np.random.default_rng(-1)
    return x + 1


def draws_what_is_refused(x: Any, n: Any) -> Any:
    rng = np.random.default_rng(1)
    try:
        return rng.normal(0, x[0] - 1, 3)
    except ValueError:
        return rng.random(3) * 2


def is_true(x: Any, n: Any) -> Any:
    rng = np.random.default_rng(1)
    return (x + 1 if rng else x), rng.random()


OTHERS = [
    a_bail_in_the_middle,
    makes_them_in_a_loop,
    is_refused,
    draws_what_is_refused,
    is_true,
]


@pytest.mark.parametrize("function", OTHERS)
def test_the_same(function: Any) -> None:
    check(function, X, N, calls=3)
