"""The gain of kernels at a size where memory and arithmetic count, not calls."""

from __future__ import annotations

import importlib
import warnings
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from timing import in_a_process_of_its_own, ratio, until

import framejit
from framejit.examples import PROGRAMS, black_scholes

SIZE = 1_000_000
ROW = 5
"""Calls in a row: the cost of memory in the first depends on what the other side freed last."""


@framejit.jit
def chain(x: Any, y: Any) -> Any:
    """Ten operations on float64."""
    a = x * y + 1.5
    b = a - x
    c = b * b + y
    d = c / (1.0 + a * a)
    return np.sqrt(d) * x


def ten_operations() -> float:
    """Return the speed of the chain relative to eager."""
    rng = np.random.default_rng(0)
    x, y = rng.random(SIZE), rng.random(SIZE)
    return ratio(lambda: chain.__wrapped__(x, y), lambda: chain(x, y), calls=ROW)


def black_scholes_prices() -> float:
    """Return the speed of the example relative to eager, on its million options."""
    price: Any = black_scholes.price
    arguments = black_scholes.problem()
    eager: Any = price.__wrapped__
    return ratio(lambda: eager(*arguments), lambda: price(*arguments), calls=ROW, rounds=5)


def test_ten_operations() -> None:
    """One pass over memory in place of ten: at least 5 times as fast."""
    gain = until(lambda gain: gain >= 5.0, lambda: in_a_process_of_its_own(ten_operations))

    print(f"10 operations on 1e6 float64: {gain:.1f} times as fast")
    assert gain >= 5.0


def test_black_scholes() -> None:
    """NumPy's exp, log and sqrt on blocks that stay in the cache: at least 3 times as fast."""
    gain = until(lambda gain: gain >= 3.0, lambda: in_a_process_of_its_own(black_scholes_prices))

    print(f"Black-Scholes on 1e6 options: {gain:.1f} times as fast")
    assert gain >= 3.0


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_no_example_is_slower(name: str) -> None:
    """A real program, breaks and prints and all, takes at most 1/0.95 of eager's time."""
    module = importlib.import_module(f"framejit.examples.{name}")
    jitted = getattr(module, PROGRAMS[name][0])
    eager = deepcopy(module.problem())
    ours = deepcopy(eager)  # some programs work in place: each side has arrays of its own

    def measure() -> float:
        return ratio(lambda: jitted.__wrapped__(*eager), lambda: jitted(*ours), rounds=7)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gain = until(lambda gain: gain >= 0.95, measure)

    print(f"{name}: {gain:.2f} times as fast")
    assert gain >= 0.95
