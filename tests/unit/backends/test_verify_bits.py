"""verify=True compares dtypes, memory and every bit, but for the bits of NaNs that are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from falsifying import complaint, computing

import framejit
from framejit.jit.ir.ops import (
    ACCUMULATE,
    COPY,
    UFUNC,
)

FOUND = pytest.mark.counts("whether a kernel runs, and to its end")


X = np.arange(1.0, 6.0)


Register = Callable[..., str]


WRONG_KINDS = {
    "its dtype is float64 in NumPy and float32": lambda attrs, *inputs: np.add(*inputs, dtype="f4"),
    "its strides is (8,) in NumPy and (16,)": lambda attrs, *inputs: np.repeat(np.add(*inputs), 2)[
        ::2
    ],
    "element [0] is 2.0 in NumPy and 2.0000000000000004": lambda attrs, *inputs: np.nextafter(
        np.add(*inputs), 9
    ),
}


@FOUND
@pytest.mark.parametrize("words", WRONG_KINDS)
def test_all_that_is_promised_of_an_array(register: Register, words: str) -> None:
    """Dtype, memory and every bit."""
    assert words in complaint(lambda x: x + x, register(computing(UFUNC, WRONG_KINDS[words])), X)


@FOUND
def test_signs_of_zero(register: Register) -> None:
    """Minus zero is not zero."""

    def with_minus(attrs: Any, *inputs: Any) -> Any:
        return np.copysign(np.subtract(*inputs), -1.0)

    text = complaint(lambda x: x - x, register(computing(UFUNC, with_minus)), X)

    assert "element [0] is 0.0 in NumPy and -0.0" in text


def other_nans(value: Any) -> Any:
    made = np.array(value)
    made[np.isnan(made)] = np.copysign(np.nan, -1.0)
    return made


@FOUND
def test_nans_that_are_moved_keep_their_bits(register: Register) -> None:
    """NaNs that are computed need not keep them."""
    nans = np.array([1.0, np.nan, -np.nan])

    def copies(attrs: Any, x: Any) -> Any:
        return other_nans(x)

    def sums(attrs: Any, x: Any, y: Any) -> Any:
        return other_nans(x + y)

    def moved_and_computed(x: Any) -> Any:
        y = (x + x).copy()
        return np.signbit(y), np.where(y > 0, x, y)

    def moved(x: Any) -> Any:
        y = x.copy()
        return y, y + 1

    text = complaint(moved, register(computing(COPY, copies)), nans)
    assert "element [1] is nan (0x7ff8000000000000) in NumPy and nan (0xfff8000000000000)" in text
    jitted = framejit.jit(moved_and_computed, backend=register(computing(UFUNC, sums)), verify=True)
    assert len(jitted(nans)) == 2


@FOUND
def test_nans_of_running_sums(register: Register) -> None:
    """They are computed."""

    def other_sums(attrs: Any, x: Any) -> Any:
        made = np.add.accumulate(x)
        return np.where(np.isnan(made), np.nan, made)  # x86 gives one with a sign

    backend = register(computing(ACCUMULATE, other_sums))
    running = framejit.jit(lambda x: x.cumsum(), backend=backend, verify=True)
    with np.errstate(invalid="ignore"):
        assert np.isnan(running(np.array([np.inf, -np.inf, 1.0]))[1:]).all()
