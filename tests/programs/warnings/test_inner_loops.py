"""Slice 3: NumPy's inner loops, warnings, np.errstate."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import captured, sample

import framejit


@pytest.mark.parametrize("name", ["exp", "log", "sin", "tanh", "arctan", "log1p", "cbrt", "floor"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_one_ufunc_of_one_argument(name: str, dtype: str) -> None:
    """NumPy's own loop on blocks gives NumPy's bits, tails of blocks included."""
    ufunc = getattr(np, name)
    for size in (1, 7, 511, 512, 513, 2000):
        captured(lambda x: ufunc(x * 0.5) + x, np.linspace(0.1, 30, size).astype(dtype), calls=2)


def test_power() -> None:
    """The exponent decides which ufunc an operator is."""
    x = np.linspace(0.1, 3, 1000)
    for exponent in (2, 0.5, -1, 0, 1, 3, 2.5, -2, np.float64(2), np.arange(1000) % 5):
        check(lambda x, p: x**p + x, x, exponent)
        check(lambda x, p: np.power(x, p) + x, x, exponent)


def test_strided_operands() -> None:
    """A loop sees the strides that eager has."""
    x = np.linspace(0.1, 3, 2000)
    check(lambda x: np.exp(x) * 2 + np.log(x), x[::2])
    check(lambda x: np.exp(x) * 2 + np.log(x), x[::-1])
    square = x.reshape(40, 50)
    check(lambda x: np.exp(x) * 2 + np.log(x), square.T)
    check(lambda x: np.exp(x) * 2 + np.log(x), square[:, ::3])
    check(lambda x, y: np.power(x, y) * 2, square, square[0])
    check(lambda x, y: np.power(x, y) * 2, square, square[:, :1])


def test_nan_neither_warns_nor_bails() -> None:
    """Comparisons, selections, maxima of NaN raise a flag in LLVM's code and none in NumPy."""

    def f(x: Any) -> Any:
        y = np.where(x > 1, x * 2, np.maximum(x, 0.5))
        return np.sign(y) + np.clip(y, 0, 2) + (y <= 3)

    x = np.full(3000, np.nan)
    assert_counts(check(f, x, calls=4), bails=0)


def test_errstate_around_and_inside() -> None:
    def f(x: Any) -> Any:
        with np.errstate(divide="ignore"):
            y = 1 / x
        return y * 2 + np.log(x)

    x = np.array([0.0, 1.0, 2.0])
    check(f, x, calls=3)
    for mode in ("ignore", "raise", "warn"):
        with np.errstate(all=mode):  # type: ignore[arg-type]
            check(f, x, calls=3)
            check(lambda x: 1 / x + x, x, calls=3)


def test_errstate_call() -> None:
    """A handler of the user's is called as often as in eager, with the same arguments."""

    def f(x: Any) -> Any:
        seen: list[Any] = []
        old = np.seterrcall(lambda kind, flag: seen.append((kind, flag)))
        with np.errstate(all="call"):
            y = 1 / x + np.log(x)
        np.seterrcall(old)
        return y, seen

    check(f, np.array([0.0, 1.0, -2.0]), calls=3)


def iterate(c: Any) -> Any:
    """Squares that overflow on every call."""
    z = c * c + c
    z = z * z + c
    return z * z + c


def test_warnings_do_not_cost_the_kernel() -> None:
    """After the first bail the attributing kernel warns for eager."""
    c = np.full(100, 1e100)
    check(iterate, c, calls=4)
    jitted = framejit.jit(iterate)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for _ in range(5):
            jitted(c)

    assert_counts([jitted], bails=1, hits=4)
    assert len(shown) == 5


def test_two_places_warn_in_order() -> None:
    def f(x: Any) -> Any:
        y = 1 / x
        z = np.log(-x - 1)
        return y * 1e308 * 10 + z

    check(f, np.array([0.0, 1.0, 2.0]), calls=3)


def test_underflow_is_ignored_by_default() -> None:
    check(lambda x: np.exp(-x * 1000) * 1e-300, sample("f8"), calls=3)
    with np.errstate(under="warn"):
        check(lambda x: np.exp(-x * 1000) * 1e-300, sample("f8"), calls=3)
