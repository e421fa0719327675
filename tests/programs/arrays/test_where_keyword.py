"""`np.divide(a, b, out=c, where=b != 0)`: what is left out is not computed, and reports nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

A = np.array([1.0, 2.0, 0.0, -1.0, np.inf, np.nan])
B = np.array([2.0, 0.0, 0.0, 1.0, 3.0, 0.0])
M = np.array([True, False, True, False, True, False])


def quotient(a: Any, b: Any) -> Any:
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0) + 1


def logarithm(a: Any, out: Any) -> Any:
    np.log(a, out=out, where=a > 0)
    return out


def total(a: Any, b: Any, out: Any, mask: Any) -> Any:
    return np.add(a, b, out=out, where=mask)


def of_a_constant(a: Any, out: Any, mask: Any) -> Any:
    return np.true_divide(1.0, a, out, where=mask)


def of_a_total(a: Any, out: Any, mask: Any) -> Any:
    return np.add(a.sum(), 1, out=out, where=mask)


def power(a: Any, out: Any, mask: Any) -> Any:
    return np.power(a, -2, out=out, where=mask)


def in_place(a: Any) -> Any:
    return np.sqrt(a, out=a, where=a > 0)


def without_an_output(a: Any, b: Any) -> Any:
    return np.multiply(a + 0, 2.0, where=a > b)


WHOLE = [
    (quotient, A, B),
    (quotient, A.astype("f4"), B.astype("f4")),
    (logarithm, A, np.full(6, 7.0)),
    (total, A, B, np.full(6, 7.0), M),
    (total, A, B, np.full((3, 6), 7.0), M),
    (total, A, B, np.full((2, 6), 7.0), np.stack([M, ~M])),
    (total, np.arange(6), np.arange(6) * 2, np.full(6, 7), M),
    (of_a_constant, A, A.copy(), A != 0),
    (power, A, A.copy(), A != 0),
    (in_place, A),
]
OTHERS = [
    (total, A, B, np.full(6, 7.0, "f4"), M),
    (total, A[::-1], B, np.full(6, 7.0), M),
    (total, A, B, np.full(6, 7.0), np.array(True)),
    (total, A, B, np.full(6, 7.0), np.stack([M, M])),
    (total, A, B, A[:3], M),
    (total, A, np.float64(3), A.copy(), M),
    (total, A, B, np.full(6, 7.0), M.astype(int)),
    (of_a_constant, A, A.copy(), M),
    (power, np.arange(6), np.zeros(6, int), M),
    (total, A, B, np.full(6, 7.0), True),
    (total, A, B, np.full(6, 7.0), False),
    (of_a_total, A, A.copy(), True),
    (of_a_total, A, A.copy(), False),
]


@pytest.mark.parametrize("call", WHOLE, ids=lambda call: call[0].__name__)
def test_whole(call: Any) -> None:
    """One kernel, and nothing is said of elements that are left out."""
    jitted = check(*call, calls=3)

    assert_counts(jitted, segments=1, breaks=0, bails=0)


@pytest.mark.parametrize("call", OTHERS, ids=lambda call: call[0].__name__)
def test_others(call: Any) -> None:
    """Whatever else is given, the answer is eager's: errors and warnings too."""
    check(*call, calls=3)


@pytest.mark.parametrize("where", [0.0, np.inf])
def test_of_a_mask_without_an_output_numpy_warns_at_the_users_line(where: float) -> None:
    """NumPy 2.4 and later warn. A kernel's call has no line to warn at; probes must not warn."""
    check(without_an_output, A, where, calls=3)
