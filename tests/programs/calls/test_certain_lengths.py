"""Functions of NumPy that ask for certain lengths, or for matrices that are not singular."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.arange(12.0)
V = np.array([1.0, -2.0, 0.5])
REGULAR = np.arange(36.0).reshape(6, 6) ** 2 % 7 + 10 * np.eye(6)


def halves(x: Any) -> Any:
    one, other = np.split(x * 2, 2)
    return one + other


def crosses(a: Any, b: Any) -> Any:
    return np.cross(a * 2, b) + 1


def rows(x: Any) -> Any:
    return np.broadcast_to(x, (2, 12)) + 1


def inverts(a: Any) -> Any:
    return np.linalg.tensorinv(a * 2, ind=1) + 1


def by_dtype(x: Any, y: Any) -> Any:
    wide = np.result_type(x, y)
    if np.can_cast(y.dtype, x.dtype):
        return x.astype(wide) + y
    return np.zeros(3, wide) + np.zeros(1, np.common_type(x, y))


def parts(z: Any) -> Any:
    return z.real * 2 + z.imag, z.mT if z.ndim > 1 else z.nbytes


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (halves, (X,)),
        (halves, (X[:2],)),
        (crosses, (V, V[::-1].copy())),
        (crosses, (np.ones((4, 3)), V)),
        (rows, (X,)),
        (inverts, (REGULAR.reshape(6, 2, 3),)),
        (by_dtype, (X, X.astype(np.float32))),
        (by_dtype, (X.astype(np.float32), X)),
        (by_dtype, (X.astype(np.int8), X.astype(np.uint16))),
        (parts, (X,)),
        (parts, (X + 2j,)),
        (parts, (X.reshape(3, 4) * 1j,)),
    ],
)
def test_whole(program: Any, arguments: Any) -> None:
    """Captured for the lengths at capture; others of the kind need no other kernel."""
    assert_counts(check(program, *arguments), breaks=0, bails=0)


def test_other_lengths() -> None:
    """Calls that NumPy refuses raise eager's exceptions."""
    for n in (4, 7, 12, 0, 1):
        check(halves, X[:n])
    for n in (2, 3, 4):
        check(crosses, X[:n], X[:n])
        check(rows, X[:n])
