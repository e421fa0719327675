"""Writes to where arrays say, of numbers in another dtype: cast as NumPy casts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.linspace(-3, 3, 12)
PLACES = np.array([3, 1, 1, 0, 11, 5])
DTYPES = ("?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8")


def put(array: Any, key: Any, value: Any) -> Any:
    array[key] = value
    return array


def put_computed(array: Any, key: Any, value: Any) -> Any:
    array[key] = value * 2
    return array.sum()


@pytest.mark.parametrize("given", ["?", "i1", "i8", "u8", "f2", "f4", "f8", "c8"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype: str, given: str) -> None:
    """Arrays and numbers, by places and by masks."""
    array, value = np.arange(12).astype(dtype), np.array([1, 0, 2, 3, 100, 2.7]).astype(given)
    for key, written in ((PLACES, value), (X > 1, value[:1]), (X > 1, value[5])):
        check(put, array, key, written)
    check(put_computed, array, PLACES, value)
    check(put, array.reshape(3, 4), (np.array([0, 1]), slice(None)), value[:4])


NUMBERS = [np.nan, np.inf, 1e300, -1, 2**40, 1e10, 300, -1.5, True, 1j]


@pytest.mark.parametrize("number", [*NUMBERS, *map(np.float64, NUMBERS[:3]), np.float32(3e38)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_without_room(dtype: str, number: Any) -> None:
    """NumPy raises or warns for numbers beyond the dtype, even if the mask selects no item."""
    for key in (PLACES, X > 1, X > 100):
        check(put, np.arange(12).astype(dtype), key, number)


@pytest.mark.parametrize("first", [np.nan, 1e300, 300.0, -1.0, 1e-320, 2.0**63])
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_without_room(dtype: str, first: float) -> None:
    """One item of many is too large for the dtype, and some indices are out of range."""
    value = np.array([first, 1, 2, 3, 4, 5])
    array = np.arange(12).astype(dtype)
    check(put, array, PLACES, value)
    check(put, array, X > 1.9, value[:2])
    check(put, array, PLACES + 100, value)


@pytest.mark.parametrize("first", [np.nan, 1e300, 2.0])
@pytest.mark.parametrize("dtype", ["i4", "f4"])
def test_errors_that_are_asked_for(dtype: str, first: float) -> None:
    """`np.errstate(all="raise")` stops at the same place."""
    with np.errstate(all="raise"):
        check(put, np.arange(12).astype(dtype), PLACES, np.array([first, 1, 2, 3, 4, 5]))


def in_a_loop(array: Any, places: Any, x: Any) -> Any:
    for k in range(4):
        array[places] = x * k
        array[array > 3] = 1.5
    return array


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4"])
def test_loops(dtype: str) -> None:
    """They are one segment."""
    jitted = check(in_a_loop, np.zeros(12, dtype), PLACES, X[6:])

    assert_counts(jitted, breaks=0, bails=0)


def of_itself(array: Any) -> Any:
    array[np.array([1, 0])] = array[:2] * 1.5
    array[array > 2] = 0.5
    return array


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_values_made_of_the_array(dtype: str) -> None:
    """Values are read before the array is written."""
    check(of_itself, np.arange(5).astype(dtype))
