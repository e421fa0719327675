"""Sums of lines of a few items, which are made in one loop with what is added up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

FLOATS = ("f4", "f8")


def distances(a: Any, b: Any) -> Any:
    """Compute the distance of each point to each."""
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


def two_sums(a: Any, b: Any) -> Any:
    """Compute two sums of one line, of a product that is a result itself."""
    x = a * b
    return x.sum(axis=1), (x + 1.0).sum(axis=1), x


def backwards(a: Any, b: Any) -> Any:
    """Lines with gaps, and from their ends."""
    return (a[::2, ::-1] * b[::2, ::-1]).sum(axis=-1, keepdims=True)


def chosen(a: Any, b: Any) -> Any:
    """Divide everywhere: quotients that are not chosen warn as well."""
    return np.where(a > 0.5, a / b, 0.0).sum(axis=1)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", range(10))
def test_each_length(length: int, dtype: str) -> None:
    """Around those that have a loop of their own and those that are added up side by side."""
    rng = np.random.default_rng(length)
    numbers = rng.normal(size=(2, 23, length)) * 10.0 ** rng.integers(-6, 6, length)
    a, b = numbers.astype(dtype)
    for program in (distances, two_sums, backwards):
        check(program, a, b)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 7, 8])
def test_zeros_and_no_numbers(length: int, dtype: str) -> None:
    """Signs of zeros, NaNs, infinities of both signs, and what overflows in the last sum."""
    special = np.array([-0.0, 0.0, np.nan, np.inf, -np.inf, 1.0, np.finfo(dtype).max], dtype)
    a = special[np.random.default_rng(length).integers(0, len(special), (40, length))]
    a[0], a[1] = -0.0, np.finfo(dtype).max
    ones = np.ones_like(a)
    for program in (distances, two_sums, backwards, chosen):
        check(program, a, ones)
        check(program, a, a)


def test_many_short_lines() -> None:
    """More than a block of them."""
    a, b = np.linspace(0, 1, 3 * 700).reshape(-1, 3), np.linspace(2, 3, 3 * 450).reshape(-1, 3)

    check(distances, a, b)
    check(distances, a[:, :2], b[:, 1:])


def test_warnings_of_short_lines() -> None:
    """Warnings of the elements, and of their sum."""
    big = np.full((5, 3), 1e308)

    check(two_sums, big, np.ones_like(big))
    check(distances, big, -big)
    check(chosen, big, np.zeros_like(big))
