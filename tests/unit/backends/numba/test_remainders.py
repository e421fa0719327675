"""Remainders of lines of ints by one number: NumPy's, for numbers of every size and sign."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

KINDS = ("i8", "u8", "i4", "u4", "i2", "u1")
DIVISORS = (
    *(1, 2, 3, 7, 10, 255, 256, 641, 2**16 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**49 + 5, 2**50 - 1),
    *(2**50, 2**50 + 1, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 5, 2**64 - 2**49, 0),
)


def by_one(x: Any, y: Any) -> Any:
    return x % y[0] + 1, np.remainder(x * 3, y[0])


def rows(x: Any, y: Any) -> Any:
    return x % y


def fitting(dtype: str, numbers: tuple[int, ...]) -> list[int]:
    limits = np.iinfo(dtype)
    signs = (1, -1) if limits.min < 0 else (1,)
    return [s * n for n in numbers for s in signs if limits.min <= s * n <= limits.max]


def numbers_of(dtype: str, divisor: int, count: int) -> Any:
    """Draw ints of all sizes, many of them around multiples of the divisor, and the ends."""
    draw = random.Random(count + divisor)
    limits = np.iinfo(dtype)
    found = [int(limits.min), int(limits.max), 0, int(limits.max) - 1]
    while len(found) < count:
        number = draw.getrandbits(draw.randrange(limits.bits + 1))
        if divisor and draw.random() < 0.5:
            number = number // divisor * divisor + draw.randrange(-1, 2)
        number *= draw.choice((1, -1))
        if limits.min <= number <= limits.max:
            found.append(number)
    return np.array(found[-count:], dtype)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_all_sizes(dtype: str) -> None:
    """Each divisor with numbers for whole groups of eight and a rest."""
    jitted = framejit.jit(by_one, backend="numba")
    for divisor in fitting(dtype, DIVISORS):
        y = np.array([divisor]).astype(dtype)
        for count in (1, 9, 40, 1031):
            x = numbers_of(dtype, divisor, count)
            for expected, actual in zip(by_one(x, y), jitted(x, y), strict=True):
                assert expected.dtype == actual.dtype
                np.testing.assert_array_equal(expected, actual)
        check(by_one, x[:40], y)
    assert ("remainders_" in jitted.inspect("numba")) == (np.iinfo(dtype).bits >= 32)


@pytest.mark.parametrize("dtype", ["i8", "u4"])
def test_rows_and_gaps(dtype: str) -> None:
    """Each line by a number of its own, in all orders of memory."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 10**6, (5, 40)).astype(dtype)
    y = rng.integers(1, 99, (5, 1)).astype(dtype)
    for one in (x, x[:, :9], x[:, ::2], x[::-1], np.asfortranarray(x), x[:, :1], x[:0]):
        check(rows, one, y[: len(one)])
        check(rows, one, y[:1])
        check(rows, one, x[:1, : one.shape[1]] + y[:1])
    check(rows, x.T, y.T)
    check(rows, x, y.astype("i2"))


def changing(x: Any, by: Any) -> Any:
    y = x * 1
    for k in range(3):
        y %= by + k
        y = y * y % by
    return y


def test_in_loops_and_in_place() -> None:
    x = np.arange(-50, 50) ** 3
    for by in (7, -7, 1, -1, 2**40, np.int64(12)):
        check(changing, x, by)


@pytest.mark.parametrize("mode", ["warn", "raise", "ignore"])
def test_what_is_reported(mode: str) -> None:
    with np.errstate(all=mode):  # type: ignore[call-overload]
        for by in (0, 3, -1):
            check(by_one, np.arange(-20, 20), np.array([by]), calls=3)
            check(by_one, np.full(20, np.iinfo(np.int64).min), np.array([by]), calls=3)
