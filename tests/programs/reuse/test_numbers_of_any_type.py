"""One function, called with numbers of many types: kernels are shared where the bits allow it."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check_script

X = np.array([0.5, -2.0, 0.0, 1e300, np.inf, np.nan, 3.0])
NUMBERS: tuple[Any, ...] = (
    *(2, 2.5, True, np.float64(2.5), np.int64(3), np.float32(1.5), np.bool_(True), np.uint8(3)),
    *(np.array(2.5), np.array(3), np.array(1.5, "f4"), np.array(True), np.int32(-7)),
    *(np.uint64(2**63 + 1025), np.longlong(4), np.float16(0.1), np.array(2, ">i8"), 2 + 1j),
)
EDGES: tuple[Any, ...] = (
    *(0, -0.0, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 10**400, np.int64(2**53 + 1), np.nan),
    *(np.inf, np.float64(-0.0), np.float32(np.nan), np.array(np.nan, "f4"), np.uint64(2**64 - 1)),
    *(np.array([2.5]), [1.0], "2", None, np.longdouble(2), np.complex64(1j)),
)


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


def calls_each(function: Callable[..., Any], numbers: tuple[Any, ...], *others: Any) -> Any:
    """A script that calls a function with each of the numbers."""

    def script(jit: Any) -> Any:
        inner = jit(function)
        return [outcome(inner, number, *others) for number in numbers]

    return script


def affine(c: Any, x: Any) -> Any:
    return (x * c + 1.5) * c - x


def compared(c: Any, x: Any) -> Any:
    return (x < c) & (c != x), np.maximum(x, c), c // (x + 4.0), x % c


def of_numbers(c: Any, d: Any) -> Any:
    return c * d, d - c, c / d, c < d, d == c, np.arange(4.0) + c * d


def in_place(c: Any, x: Any) -> Any:
    y = x.copy()
    y *= c
    y -= c
    return y


def looked_at(c: Any, x: Any) -> Any:
    return x * c, type(c) is float, isinstance(c, int), np.ndim(c)


def given_back(c: Any, x: Any) -> Any:
    return x * c, c, [c, c * 2.0]


def as_index(c: Any, x: Any) -> Any:
    return x[:4] * c, x[c:]


def raised(c: Any, x: Any) -> Any:
    return x**c, c**x, np.power(x, c)


PROGRAMS = (affine, compared, in_place, looked_at, given_back, as_index, raised)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", ["f8", "i8"])
def test_all_types_in_turn(function: Any, dtype: str) -> None:
    with np.errstate(all="ignore"):
        x = X.astype(dtype) if dtype != "?" else X > 1
    check_script(calls_each(function, NUMBERS + EDGES, x), filters=("always",))


@pytest.mark.parametrize("other", [2.5, 3, np.float64(2.5), np.float32(2.5), 0.0, np.int64(3), 2j])
def test_two_numbers(other: Any) -> None:
    check_script(calls_each(of_numbers, NUMBERS + EDGES, other), filters=("always",))


def test_one_kernel_serves_many() -> None:
    """Doubles beside an array of doubles, whatever they came as."""
    for jitted in check_script(calls_each(affine, NUMBERS[:14], np.linspace(1.0, 2.0, 7))):
        stats = jitted[0].stats()
        assert_normally(stats["captures"], 2)
        assert_normally(stats["hits"], 14)


def test_attributes() -> None:
    def script(jit: Any) -> Any:
        class Damped:
            def __init__(self, rate: Any) -> None:
                self.rate = rate

            @jit
            def step(self, x: Any) -> Any:
                return x - x * self.rate + 0.25

        x = np.linspace(1.0, 2.0, 7)
        return [outcome(Damped(number).step, x) for number in NUMBERS[:14]]

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"], 2)


def test_an_array_without_axes_that_is_written_to() -> None:
    """It may be an element of the very array that the function changes."""

    def scaled(c: Any, x: Any) -> Any:
        x *= c
        x += c
        return x * c

    def script(jit: Any) -> Any:
        inner = jit(scaled)
        y = np.arange(1.0, 6.0)
        shared = y[2:3].reshape(())
        return [inner(c, y).copy() for c in (2.0, 3, shared, 2, shared, np.float64(1.5), shared)]

    check_script(script)


def test_the_way_it_raises() -> None:
    """Errors and warnings are those of the very number."""

    def divided(c: Any, x: Any) -> Any:
        return x / c, 1.5 / c

    def script(jit: Any) -> Any:
        inner = jit(divided)
        zeros = (1, 0, 0.0, np.float64(0), np.int64(0), False, np.array(0.0), 1)
        return [outcome(inner, zero, X) for zero in zeros]

    check_script(script)


def test_loops_with_bounds_of_any_type() -> None:
    def rises(end: Any, t: Any, step: Any) -> Any:
        n = 0
        while t < end:
            t += step
            n += 1
        return t, n, X[0] * t

    def script(jit: Any) -> Any:
        inner = jit(rises)
        ends = (5, 5.0, np.float64(5), 2**53 + 1, np.int64(5), True)
        return [
            outcome(inner, end, t, step)
            for end in ends
            for t in (0, 0.0, np.float64(0.5), 2.0**53 - 2)
            for step in (0.5, 1, 1.0)
            if t == 0 or end != 2**53 + 1
            if end != 2**53 + 1 or t > 5
        ]

    check_script(script)


OPERATORS = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.lt, operator.ge, operator.eq, np.maximum, np.fmin, np.arctan2),
    *(np.copysign, np.hypot, np.bitwise_or, np.logical_and, np.ldexp, np.power),
)


@pytest.mark.parametrize("seed", range(12))
def test_random_expressions(seed: int) -> None:
    """Operators of arrays of all dtypes and numbers of all types, in any order."""
    choose = random.Random(seed)
    steps = [
        (choose.choice(OPERATORS), choose.random() < 0.5, choose.random() < 0.4)
        for _ in range(choose.randint(1, 4))
    ]
    dtype = choose.choice(["f8", "f8", "f4", "i8", "i4", "u2", "?"])
    with np.errstate(all="ignore"):
        x = np.array([0, 1, 2, 5, 100, 3]).astype(dtype)
    numbers = tuple(choose.sample(NUMBERS + EDGES, 14))

    def expression(c: Any, x: Any, d: Any) -> Any:
        made = x
        for function, turned, other in steps:
            beside = d if other else c
            made = function(beside, made) if turned else function(made, beside)
        return made

    def script(jit: Any) -> Any:
        inner = jit(expression)
        given = [(c, d) for c in numbers[:7] for d in numbers[7:]]
        return [outcome(inner, c, x, d) for c, d in choose_some(given, seed)]

    check_script(script, filters=("always",))


def choose_some(given: list[Any], seed: int) -> list[Any]:
    return random.Random(seed + 1000).sample(given, 20)


def test_classes_derived_from_abstract_numbers() -> None:
    """NumPy has no dtype for them, and says so when it is asked."""

    class Odd(np.floating, float):  # type: ignore[type-arg]
        pass

    class Whole(np.integer, int):  # type: ignore[type-arg]
        pass

    def plain(c: Any, x: Any) -> Any:
        return x * c

    check_script(calls_each(plain, (2, 2.5, Odd(3), Whole(3), 2), np.ones(3)))


def test_warnings_beside_a_number_of_numpys() -> None:
    """An array without axes goes through the ufunc, whose warnings have other words."""

    def divided(c: Any, d: Any) -> Any:
        return np.ones(3) * (d / c)

    numbers = (2.0, 3, np.float64(0), np.float64(0), np.array(0.0), np.array(0.0), np.float64(0))
    check_script(calls_each(divided, numbers, np.float64(1)))
