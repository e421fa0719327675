"""Numbers that a compiler can predict, computed with by NumPy's scalars in a loop.

What LLVM computes before a kernel runs raises no flag, and eager's warning would be lost: of ints
and bools, of items stored a moment ago, of conditions of a branch, of the first iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

F = np.float64
ONE, BIG = F(1), F(1e308)


def _stored(x: Any, k: int) -> Any:
    x[k] = 0.0
    return ONE / x[k]


def _window_stored(x: Any, k: int) -> Any:
    window = x[k : k + 2]
    window[0] = k - k
    return ONE / x[k]


def _made(x: Any, k: int) -> Any:
    made = np.empty(3)
    made[0] = 0.0
    return ONE / made[0]


def _is_infinite(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    return v - v if v == np.inf else v


def _at_least_infinite(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    return v - v if np.inf <= v else v


def _infinite_with_another_sign(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    return v - v if -v == -np.inf else v


def _infinite_when_widened(x: Any, k: int) -> Any:
    v = np.float32(x[k]) * np.float32(np.inf)
    return F(v) - F(v) if F(v) == np.inf else F(v)


def _infinite_on_one_way(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    w = v if x[k] > 0 else ONE
    return v - v if w == np.inf else v


def _infinite_where_stored(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    x[k] = v
    return v - v if x[k] == np.inf else v


def _infinite_in_an_array(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    made = np.array([v, ONE])
    return v - v if made[0] == np.inf else v


def _asked_by_a_function(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    return v - np.abs(v) if np.isinf(v) else v


def _item_is_infinite(x: Any, k: int) -> Any:
    x[k] *= np.inf
    if x[k] == np.inf:
        x[k - 1] = 3.0
        return x[k] - x[k]
    return 0.0


def _waited_for(x: Any, k: int) -> Any:
    v = x[k] * np.inf
    while v != np.inf:
        v = v + 1
    return v - v


def _equal_ints(x: Any, k: int) -> Any:
    i = int(x[k])
    return F(k + 1 - i) / F(k + 1 - i) if i == k + 1 else 1.0


def _one_of_two(x: Any, k: int) -> Any:
    return ONE / (x[k] if x[k] < 0 else F(0.0))


BODIES: dict[str, Callable[[Any, int], Any]] = {
    "a difference of ints": lambda x, k: ONE / F(k - k),
    "a product of ints": lambda x, k: BIG * F(k * 0 + 10),
    "single precision": lambda x, k: np.float32(1) / np.float32(k & 0),
    "narrowed": lambda x, k: np.float32(F(1e300) * F(k - k + 1)),
    "a bool": lambda x, k: ONE / (x[k] > 2),
    "a condition that never holds": lambda x, k: ONE / F(x[k] > 9 and x[k] < 5),
    "a bit": lambda x, k: ONE / F(k & 1),
    "a root": lambda x, k: np.sqrt(F(k - k - 1)),
    "a remainder": lambda x, k: F(k - k) % F(k - k),
    "a complex number": lambda x, k: np.complex128(1) / np.complex128(k - k),
    "the greater one": lambda x, k: ONE / np.maximum(-x[k], 0.0),
    "an array of two": lambda x, k: (1.0 / np.array([F(k - k), ONE]))[0],
    "an item of two": lambda x, k: ONE / np.array([0.0, 1.0])[0],
    "an item of zeros": lambda x, k: ONE / np.zeros(3)[k],
    "an item of a list": lambda x, k: ONE / [F(0.0), ONE][0],
    "a sum of two": lambda x, k: np.array([BIG * ONE, BIG]).sum(),
    "stored": _stored,
    "stored in a window": _window_stored,
    "stored in an array of its own": _made,
    "infinite": _is_infinite,
    "infinite at least": _at_least_infinite,
    "infinite with another sign": _infinite_with_another_sign,
    "infinite when widened": _infinite_when_widened,
    "infinite on one way": _infinite_on_one_way,
    "infinite where stored": _infinite_where_stored,
    "infinite in an array": _infinite_in_an_array,
    "infinite, as a function says": _asked_by_a_function,
    "an infinite item": _item_is_infinite,
    "waited for": _waited_for,
    "equal ints": _equal_ints,
    "one of two": _one_of_two,
}


@pytest.mark.parametrize("name", BODIES)
def test_iterations(name: str) -> None:
    body = BODIES[name]

    def all_of_them(x: Any, n: int) -> Any:
        total = F(0.0)
        for k in range(n):
            total += body(x, k)
        return total

    check(all_of_them, np.arange(1.0, 6.0), 3, filters=("always",))


def first_iteration(x: Any) -> Any:
    total, before = F(0.0), F(0.0)
    for k in range(3):
        total += ONE / before
        before = x[k]
    return total


def before_the_loop(x: Any) -> Any:
    zero = F(0.0) if len(x) > 3 else F(-0.0)
    total = F(0.0)
    for _ in x:
        total += ONE / zero
    return total


def without_a_loop(x: Any) -> Any:
    return ONE / (x[0] > 2)


@pytest.mark.parametrize("function", [first_iteration, before_the_loop, without_a_loop])
def test_what_a_loop_begins_with(function: Callable[[Any], Any]) -> None:
    check(function, np.arange(1.0, 6.0), filters=("always",))
