"""`np.asarray` of a plain array is the array; `np.array` is a copy of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.arange(6.0)
WINDOWS = (X, X[::-2], X.reshape(2, 3), X.reshape(2, 3).T, X[:0], X[:1], np.array(2.5))


def itself(x: Any) -> Any:
    a, b = np.asarray(x), np.asanyarray(x, dtype=float)
    a += 1
    return a, b, np.ascontiguousarray(a) * 2


def copied(x: Any) -> Any:
    a = np.array(x)
    a *= 2
    return a, np.array(x, float) + x


def converted(x: Any) -> Any:
    return np.asarray(x, np.float32) * 2, np.array(x, dtype="i8") + 1, np.asarray(x, bool)


@pytest.mark.parametrize("x", WINDOWS, ids=lambda x: f"{x.shape}{x.strides}")
@pytest.mark.parametrize("program", [itself, copied, converted])
def test_of_arrays(program: Any, x: Any) -> None:
    """Identity of the result, order in memory and dtype, for several arguments."""
    assert_counts(check(program, x), breaks=0)


def test_with_warnings() -> None:
    """Casts warn as eager's do."""
    for x in (np.array([1.0, np.nan]), np.array([1e30, 2.0]), np.array([1j, 2])):
        check(converted, x)
        check(copied, x)


def drops(z: Any, x: Any) -> Any:
    x[:] = z * 2
    return x + 1


def drops_by_cast(z: Any, x: Any) -> Any:
    return (z * 2).astype(np.float64) + x, z.astype(bool)


def drops_in_a_loop(z: Any, x: Any) -> Any:
    for i in range(len(x)):
        x[i] = x[i] + 1
        x += z[i].real
        x[i:] = z[i:]
    return x


def test_imaginary_parts_that_are_dropped() -> None:
    """The warning is issued at the user's line."""
    z, x = np.array([1j, 2, 3 + 1j]), np.ones(3)
    for program in (drops, drops_by_cast, drops_in_a_loop):
        check(program, z, x)
