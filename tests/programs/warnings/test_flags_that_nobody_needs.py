"""Numbers that report a flag and that nobody needs: LLVM would leave them out, the flag with them.

Found by a search for lost warnings, each reduced: what compares a number need not compute it, what
is stored may be stored over, NaN swallows what is added to it, and a loop of three iterations is
known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

F, C = np.float64, np.complex128
ONE, NAN = F(1), F(np.nan)


def _unequal(x: Any, k: int, n: int) -> Any:
    if C(x[k] + 1) * C(1e308) == 3:
        pass
    return 1


def _alike(x: Any, k: int, n: int) -> Any:
    if ONE / x[k] > 2:
        return x[k]
    return x[k]


def _always(x: Any, k: int, n: int) -> Any:
    kind = 0 if ONE / x[k] < 1 else 1
    return 1 if kind < 3 else 0


def _never(x: Any, k: int, n: int) -> Any:
    return 1 if ONE / x[k] > 5 and n == 0 else x[k]


def _contradicted(x: Any, k: int, n: int) -> Any:
    v = ONE / x[k]
    return 1 if v > 1 and v < 1 else 2


def _left_at_once(x: Any, k: int, n: int) -> Any:
    for j in range(3):
        if ONE / x[k] > j:
            break
    return 1


def _what_it_equals(x: Any, k: int, n: int) -> Any:
    v = ONE / x[k]
    return v if v == ONE else ONE


def _stored_over(x: Any, k: int, n: int) -> Any:
    y = np.zeros(n)
    y[0] = ONE / x[k]
    y[0] = 2
    return y[0]


def _stored_over_in_a_few(x: Any, k: int, n: int) -> Any:
    made = np.array([ONE / x[k], x[k]])
    made[0] = 0.0
    return made[1]


def _one_iteration(x: Any, k: int, n: int) -> Any:
    f = ONE
    for j in range(1):
        f *= ONE / x[j + 1]
    for _ in range(1):
        f = np.fmax(x[0], x[2])
    return f


BODIES: dict[str, Callable[[Any, int, int], Any]] = {
    "a ufunc": lambda x, k, n: (np.negative(ONE / x[k]), 0)[1],
    "a comparison": lambda x, k, n: (np.less(ONE / x[k], 2.0), 0)[1],
    "complex": _unequal,
    "ways that are alike": _alike,
    "a condition that always holds": _always,
    "a condition that never holds": _never,
    "and": lambda x, k, n: 1 if ONE / x[k] > 2 and n < 0 else 0,
    "a contradiction": _contradicted,
    "times 0": lambda x, k, n: int(ONE / x[k] > 2) * 0,
    "an inner loop": _left_at_once,
    "what it equals": _what_it_equals,
    "the truth of a root": lambda x, k, n: 1 if np.sqrt(-x[k]) else 0,
    "less than a zero of ints": lambda x, k, n: (x[k] * np.inf - x[k - 1] * np.inf) > F(n - n),
    "stored over": _stored_over,
    "stored over in a few": _stored_over_in_a_few,
    "a loop of one iteration": _one_iteration,
    "NaN": lambda x, k, n: NAN + ONE / x[k],
    "times NaN": lambda x, k, n: ONE / x[k] * -NAN,
    "NaN times and infinity": lambda x, k, n: x[k] * NAN + x[k] * F(np.inf),
    "a complex divisor": lambda x, k, n: C(2 + 1j) / F(5e-324) * x[k],
}


@pytest.mark.parametrize("name", BODIES)
def test_iterations(name: str) -> None:
    body = BODIES[name]

    def all_of_them(x: Any, n: int) -> Any:
        total = 0
        for k in range(n):
            total += body(x, k, n)
        return total

    check(all_of_them, np.array([1.0, 0.0, 2.0, 3.0]), 3, filters=("always",))


def overwritten(x: Any, n: int) -> Any:
    last, total = 0, F(0)
    for k in range(n):
        last = 0
        if ONE / x[k] > 5:
            last = 1
        total += x[k]
    return last


def forgotten_in_the_last_iteration(x: Any, n: int) -> Any:
    total = F(0)
    for k in range(3):
        total += ONE / x[k]
        if k == 2:
            total = F(0)
    return total


def nan_is_carried(x: Any, n: int) -> Any:
    total = F(np.nan)
    for k in range(n):
        total = total + ONE / x[k]
    return total


def filled_again(x: Any, n: int) -> Any:
    made = np.zeros(4)
    for k in range(4):
        made[k] = ONE / x[k]
    made[:] = 0
    return made


def arrays_are_stored_over(x: Any, n: int) -> Any:
    made = np.zeros(4)
    made[:] = 1 / x
    made[:] = 2
    return made


def nan_in_arrays(x: Any, n: int) -> Any:
    return np.full(4, np.nan) + 1 / x, x * np.nan + 1 / x


def nan_whatever_the_divisor(x: Any, n: int) -> Any:
    made, divisors = np.ones(n), np.zeros(n)
    for k in range(n):
        made[k] *= F(k % 2) / F(0) + NAN / divisors[k]
    return made


def beside_stores(x: Any, n: int) -> Any:
    made, bad = np.zeros(n), 0
    for k in range(n):
        quotient = ONE / x[k]
        made[k] = x[k] * 2
        bad += quotient > 2 and n < 0
    return made, bad


def handed_on_in_memory(x: Any, n: int) -> Any:
    made = np.zeros(n + 1)
    for k in range(n):
        rounded = 1.0 if x[k] > 1 else 0.0
        made[k] = rounded
        made[k + 1] += (made[k] - rounded) / (rounded - made[k])
    return made[:1]


PROGRAMS = [
    overwritten,
    nan_whatever_the_divisor,
    beside_stores,
    handed_on_in_memory,
    forgotten_in_the_last_iteration,
    nan_is_carried,
    filled_again,
    arrays_are_stored_over,
    nan_in_arrays,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: Callable[..., Any]) -> None:
    check(program, np.array([1.0, 0.0, 2.0, 3.0]), 3, filters=("always",))


def least_ints(x: Any) -> Any:
    return x + np.int8(-128), np.array([-(2**63)]) * 2


def least_at_first(x: Any) -> Any:
    best = np.int64(-(2**63))
    for k in range(len(x)):
        best = max(best, x[k])
    return best


def test_the_least_ints_tell_nothing_at_capture() -> None:
    """They have no opposite: `abs` of one, asked while a kernel is written, would warn."""
    check(least_ints, np.arange(3.0), filters=("always",))
    check(least_at_first, np.arange(3), filters=("always",))
