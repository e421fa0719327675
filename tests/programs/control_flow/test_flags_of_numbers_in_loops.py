"""Warnings of single numbers in loops: overflow, division by zero, invalid values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check, check_script

X = np.array([1.5, -2.0, 0.25, 4.0, -0.5, 3.0])


def flags_between_iterations(x: Any, y: Any) -> Any:
    """A loop over an array clears flags that a number at the end of the last iteration raised."""
    total = x[0] * 0
    for k in range(len(x)):
        z = np.log(abs(y) + 1) * k
        total = total + np.exp(x[k])
    return total, z


def flags_of_the_last_iteration(x: Any, n: Any) -> Any:
    total = x[0] * 0
    for _ in range(n):
        for k in range(len(x)):
            total = total + np.exp(x[k]) * np.sin(x[k])
            if x[k] < -1e3:
                return total, k
    return total, n


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_flags_of_single_elements(dtype: str, place: int) -> None:
    """Overflow, underflow and invalid values, in the first, the last and other iterations."""
    for number in (1e4, -1e4, np.inf, np.nan):
        x = X.astype(dtype)
        x[place] = number
        for modes in ({}, {"all": "ignore"}, {"all": "warn"}, {"over": "raise"}):
            with np.errstate(**modes):  # type: ignore[arg-type]
                check(flags_between_iterations, x, np.arange(50.0), calls=3)
                check(flags_of_the_last_iteration, x, 3, calls=3)


def quotients_with_signs(x: Any, p: Any) -> Any:
    total, found = 0.0, np.zeros((4, len(x)))
    for k in range(len(x)):
        found[0, k] = x[k] // p
        found[1, k] = x[k] % p
        found[2, k], found[3, k] = divmod(x[k], p)
        total = total + p // x[k] + p % x[k]
    return total, found


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
def test_quotients_of_single_elements(dtype: str) -> None:
    """NaN is no invalid operand; `divmod` warns once for both results, by its own name."""
    divisors = (0.5, np.nan, np.inf, -np.inf, 0.0, -2, 0, np.float64(np.nan), np.float32(np.nan))
    numbers = (7.0, 0.0, -7.0) if dtype == "i8" else (1.5, np.nan, np.inf, 0.0, -0.0, -7.5)
    lines = [np.array([number, 2, 5, number, -3]).astype(dtype) for number in numbers]

    def script(decorate: Any) -> list[Any]:
        jitted = decorate(quotients_with_signs)
        return [jitted(x, p) for p in divisors for x in lines]

    check_script(script)


def test_constants_that_are_divided_by_zero() -> None:
    """Each iteration says so, though the result is known before."""

    def f(x: Any, n: Any) -> Any:
        total = 0.5
        for i in range(n):
            if i % 3 == 0:
                total = np.float64(1) / np.float64(0)
        return total + x

    check(f, np.linspace(0, 1, 7), 10)


def test_powers_that_are_divided() -> None:
    """`pow` of three is no power."""

    def f(x: Any, n: Any) -> Any:
        total = 0
        for i in range(5):
            total += pow(n, i, 7)
        return x + pow(n, 2, 7), total

    check(f, np.zeros(3), 9)
