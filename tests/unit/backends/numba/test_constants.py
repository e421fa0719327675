"""Constants that kernels read from their words: kernels that differ in them are one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import program_of

import framejit
from framejit.backends.numba.machine_code.shared_text import shared

X = np.linspace(-2.0, 3.0, 40)
SIGNALLING = np.array([0x7FF0000000000001, 0x3FF0000000000000, 0xFFF4000000000000], "u8")
SIGNALLING_SINGLE = np.array([0x7F800001, 0x3F800000, 0xFFA00000], "u4")


def compiled_text(text: str, x: Any) -> str:
    """Return the text that is compiled for an expression of `x`."""
    jitted = framejit.jit(program_of("x", text), backend="numba")
    jitted(x)
    found = jitted.inspect("numba")
    assert found is not None
    return shared(found)


PAIRS = (
    *(("x * 2.0", "x * 3.5"), ("x + 1", "x + 7"), ("x - 0.0", "x - 1e300")),
    *(("x * 1.0", "x * -4"), ("np.arctan(x * 2)", "np.arctan(x * 17)")),
    *(("np.where(x > 0, 1.0, x)", "np.where(x > 0.5, 0.0, x)"), ("x / 3", "x / 7.5")),
    *(("x ** 2.5", "x ** 1.25"), ("1 / x", "6.5 / x"), ("x >= 1", "x >= -2.5")),
)


@pytest.mark.counts("what kernels say")
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_kernels_that_differ_in_a_number_are_one(one: str, other: str) -> None:
    """Each gives what eager gives, though the text of both is the same."""
    assert compiled_text(one, X) == compiled_text(other, X)

    for text in (one, other):
        check(program_of("x", text), X)
        check(program_of("x", text), X.astype("f4"))


@pytest.mark.counts("what kernels say")
@pytest.mark.parametrize(
    ("one", "other"), [("x + 1", "x + 7"), ("x & 1", "x & 6"), ("x > 2", "x > -3")]
)
@pytest.mark.parametrize("dtype", ["i8", "i4", "u1"])
def test_of_ints(one: str, other: str, dtype: str) -> None:
    """Sums, bits and comparisons: what is multiplied, divided or shifted by stays in the text."""
    if dtype == "u1":
        other = other.replace("-", "")
    x = np.arange(40).astype(dtype)
    assert compiled_text(one, x) == compiled_text(other, x)

    for text in (one, other, "x * 3", "x // 4", "x % 8", "x << 2"):
        check(program_of("x", text), x)


@pytest.mark.counts("what kernels say")
def test_names_of_programs_are_not_in_what_is_compiled() -> None:
    """Two functions that do the same, with variables and constants of their own."""

    def one(x: Any, y: Any) -> Any:
        product = x * y
        return product + 1.5

    def other(force: Any, w: Any) -> Any:
        work = force * w
        return work + 2.5

    texts = set()
    for function in (one, other):
        jitted = framejit.jit(function, backend="numba")
        jitted(X, X)
        texts.add(shared(jitted.inspect("numba") or ""))
    assert len(texts) == 1


def by_items(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A loop that changes items one by one."""

    def program(x: Any) -> Any:
        y = np.zeros_like(x)
        for i in range(len(x)):
            y[i] = change(x[i])
        return y

    return program


CHANGES: dict[str, Callable[[Any], Any]] = {
    "x * 1.0": lambda x: x * 1.0,
    "1 * x": lambda x: 1 * x,
    "x - 0.0": lambda x: x - 0.0,
    "x + -0.0": lambda x: x + -0.0,
    "x / 1": lambda x: x / 1,
    "x / -1.0": lambda x: x / -1.0,
}


@pytest.mark.parametrize("name", CHANGES)
def test_signalling_numbers(name: str) -> None:
    """Operations that change no other number quieten signalling NaNs, and eager reports it."""
    x = np.resize(SIGNALLING.view("f8"), 40)
    check(CHANGES[name], x, calls=3)
    check(CHANGES[name], np.resize(SIGNALLING_SINGLE.view("f4"), 40), calls=3)
    check(by_items(CHANGES[name]), x, calls=3)


@pytest.mark.parametrize(
    "text",
    [
        *("x.astype('f8').astype('f4')", "np.negative(x.astype('f8')).astype('f4')"),
        *("np.where(x > 1, x.astype('f8'), 2.5).astype('f4')", "x.astype('f8')"),
        "x.astype('f8').astype('f4') * np.float32(2)",
    ],
)
def test_signalling_numbers_in_casts(text: str) -> None:
    """A cast to a wider float and back is none to LLVM."""
    check(program_of("x", text), np.resize(SIGNALLING_SINGLE.view("f4"), 40), calls=3)
    check(program_of("x", text), np.linspace(-2, 3, 40, dtype="f4"), calls=3)
