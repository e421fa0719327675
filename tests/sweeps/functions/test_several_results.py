"""Ufuncs of several results: divmod, modf, frexp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.array([7.5, -7.5, 0.0, -0.0, np.nan, np.inf, -np.inf, 1e300, 5e-324, 3.0])


def results(x: Any, y: Any) -> Any:
    quotient, rest = np.divmod(x, y)
    return quotient + 1, rest * 2, divmod(x, 2), divmod(y, x)


def of_floats(x: Any) -> Any:
    part, whole = np.modf(x * 2)
    size, exponent = np.frexp(x)
    return part + whole, size * 2.0**exponent, np.modf(x[..., :1]), exponent


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "?"])
def test_divmod(dtype: str) -> None:
    """Quotients by zero warn under the name of the ufunc."""
    x = np.array([7, 8, 0, 3, 255, 1]).astype(dtype)
    y = np.array([2, 3, 5, 7, 16, 1]).astype(dtype)
    for one, other in ((x, y), (x[::-2], y[:3]), (x[:, None], y), (x[:1], y), (x[:0], y[:0])):
        check(results, one, other)
    check(results, x, np.zeros_like(y))
    check(results, x[0], y)
    check(results, x, y[1])
    check(results, np.asfortranarray(np.outer(x, y)), y)


def test_parts_of_floats() -> None:
    for x in (X, X.astype("f4"), X[::-3], np.stack([X, X]).T, X[:0], np.array(2.5), np.arange(4)):
        if x.ndim:
            check(of_floats, x)
    check(lambda x: (np.modf(x), np.frexp(x)), 2.5)
    check(lambda x: (np.modf(x), np.frexp(x)), np.float32(-2.5))


def test_modes() -> None:
    for mode in ("raise", "ignore", "warn"):
        with np.errstate(all=mode):  # type: ignore[call-overload]
            check(results, X, np.zeros(10))
            check(results, np.array([1, -(2**63), 3]), np.array([1, -1, 0]))


def test_one_kernel() -> None:
    def clock(seconds: Any) -> Any:
        minutes, rest = np.divmod(seconds, 60.0)
        hours, minutes = np.divmod(minutes, 60.0)
        return hours * 100 + minutes, rest

    (jitted,) = check(clock, np.linspace(0.0, 1e5, 50), backends=["numba"])
    assert_counts([jitted], segments=1, breaks=0)
    assert "opaque" not in jitted.inspect("graph")
