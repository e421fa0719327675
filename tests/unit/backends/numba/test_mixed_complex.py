"""Python's complex numbers with real ones: since 3.14 these have no imaginary part."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import framejit

pytestmark = pytest.mark.on_numba

PARTS = (0.0, -0.0, 1.0, -2.5, 1e308, math.inf, math.nan)
REAL = (*PARTS, -1.5, 5e-324, -math.inf, 3, 0, 2**53 + 1, True, np.float64(2.5))
COMPLEX = [complex(*parts) for parts in itertools.product(PARTS, (*PARTS[:4], math.nan, -math.inf))]
X = np.arange(3.0)


def added(a: Any, b: Any) -> Any:
    return a + b, b + a, a - b, b - a, a - 1, 1 - a, a + 0, 0.0 - a


def multiplied(a: Any, b: Any) -> Any:
    return a * b, b * a, a * 2, -1.0 * a


def divided(a: Any, b: Any) -> Any:
    return a / b


def dividing(a: Any, b: Any) -> Any:
    return b / a


def squared(a: Any, b: Any) -> Any:
    return a**2, (a * b) ** 2, a * a


def told(number: Any) -> Any:
    """Type and bits, but that a NaN is a NaN."""
    if isinstance(number, tuple):
        return tuple(map(told, number))
    parts = (number.real, number.imag) if isinstance(number, complex) else (number,)
    return type(number), [repr(float(part)) for part in parts]


def answer(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return told(function(*args)[0])
    except (ZeroDivisionError, OverflowError) as error:
        return repr(error)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", [added, multiplied, divided, dividing, squared])
def test_real_and_complex(function: Any) -> None:
    """Zeros of both signs, infinities and NaN in each part."""

    def program(a: Any, b: Any, x: Any) -> Any:
        return function(a, b), x + 1

    jitted = framejit.jit(program, backend="numba")
    for a, b in itertools.product(COMPLEX, (*REAL, *COMPLEX[::4])):
        assert answer(jitted, a, b, X) == answer(program, a, b, X), (a, b)
    stats = jitted.stats()
    assert stats["launches"] > 500
    assert function is squared or stats["bails"] < 200  # squares that overflow raise


@pytest.mark.parametrize("start", [0, 1.0, -0j])
@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_sums(start: Any, backend: str) -> None:
    """They make up for what rounding takes away, on 3.14 in both parts."""

    def of_items(a: Any, b: Any, x: Any) -> Any:
        return sum([1e16 * a, b, a, -1e16 * a, 1e-3 * b], start), x + 1

    def of_generators(a: Any, b: Any, x: Any) -> Any:
        return sum(v * a for v in (1e16, b, 1.0, -1e16, 3)), x + 1

    for program in (of_items, of_generators):
        jitted = framejit.jit(program, backend=backend)
        for a, b in itertools.product((1j, 1 + 1j, -0.0 - 3j), (1.0, 2.5, 3, 1 + 2j)):
            assert answer(jitted, a, b, X) == answer(program, a, b, X), (a, b)
