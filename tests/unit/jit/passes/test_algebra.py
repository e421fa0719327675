"""Exact algebra: each rule on numbers that would give away one that is not exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import program_of

import framejit
from framejit.jit.passes.algebra import RULES

HOSTILE = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 5e-324, -5e-324, 1e308, -1.5])
SIGNALLING = np.array([0x7FF0000000000001, 0xFFF0000000000001], np.uint64).view(np.float64)
INTS = np.array([-128, -1, 0, 1, 127], np.int8)
EXACT = {
    "multiply": "(x * 1) + x, (1.0 * x) + x, (k * 1) + k",
    "divide": "(x / 1) + x, (x / 1.0) * x",
    "floor_divide": "(k // 1) + k, (x // 1) + x",
    "add": "(x + -0.0) + x, (0 + k) + k",
    "subtract": "(x - 0.0) + x, (x - 0) * x, (k - 0) + k",
    "bitwise_or": "(k | 0) + k, (k | k) + k",
    "bitwise_xor": "(k ^ 0) + k",
    "bitwise_and": "(k & -1) + k, (k & k) + k",
    "left_shift": "(k << 0) + k",
    "right_shift": "(k >> 0) + k",
    "negative": "np.signbit(-(-x)), -(-k) + k",
    "invert": "~~k + k, ~~(k > 0) | (k > 1)",
    "logical_not": "np.logical_not(np.logical_not(x > 0)) & (x < 5)",
    "absolute": "abs(abs(x)) + x, abs(abs(k)) + k, abs(abs(x + 1j)) + x",
    "fabs": "np.fabs(np.fabs(x)) + x",
    "floor": "np.floor(np.floor(x)) + x",
    "ceil": "np.ceil(np.ceil(x)) + x",
    "trunc": "np.trunc(np.trunc(x)) + x",
    "rint": "np.rint(np.rint(x)) + x",
    "where": "np.where(x > 0, x, x) + x",
    "cast": "x.astype('f4').astype('f8').astype('f4') + x, k.astype('i8').astype('i1') + k",
}
"""Programs in which the rules of an operation hold."""
NOT = (
    "(x + 0.0) + x, np.signbit(x + 0), np.signbit(0 + x)",
    "np.signbit(x - -0.0), np.signbit(0 - x), np.signbit(0.0 - x)",
    "1 / x, 1 // k, 0 << k, 2 * k, x * -1.0, x / -1",
    "-(x * -1.0), -(~k), abs(-k), -abs(x), abs(x + 1j)",
    "x.astype('f4').astype('f8') + x, k.astype('u1').astype('i1'), x.astype('f2').astype('f8')",
    "(k * 4000).astype('f4').astype('i8'), (k * 2**40).astype('f8').astype('i8')",
    "(k * 1.0) + k, (k + 0.0), (x > 0) * 1, (x > 0) + 0, (x > 0) ** 1",
    "np.where(x > 0, x, x.copy()), np.where(x > 0, x, -x)",
    "(x * 1j) * 1, (x + 1j) / 1, (x + 1j) - 0, -(-(x + 1j))",
)
"""Programs that look like it."""


def simplified(program: Callable[..., Any]) -> int:
    """Return the number of operations that the pass has taken out."""
    report = framejit.explain(framejit.jit(program, backend="numba"))(HOSTILE[5:], INTS)
    return sum(segment.passes.get("simplified", 0) for segment in report.segments)


def test_each_rule_has_programs() -> None:
    """A ufunc with a rule is in the list; `where` and `cast` are ops with rules of their own."""
    assert EXACT.keys() == {ufunc.__name__ for ufunc in RULES} | {"where", "cast"}


@pytest.mark.counts("which operations are taken out")
@pytest.mark.parametrize("name", EXACT)
def test_exact(name: str) -> None:
    """The rules of an operation hold, with the bits of eager."""
    program = program_of("x, k", f"{EXACT[name]},")
    for x in (HOSTILE, HOSTILE.astype("f4"), SIGNALLING, HOSTILE[::-2]):
        with np.errstate(all="ignore"):
            check(program, x, INTS)
    with np.errstate(all="ignore"):
        assert simplified(program) > 0


@pytest.mark.parametrize("text", NOT)
def test_not_exact(text: str) -> None:
    """Operations that only seem to keep their bits and their dtype."""
    for x in (HOSTILE, HOSTILE.astype("f4")):
        with np.errstate(all="ignore"):
            check(program_of("x, k", f"{text},"), x, INTS)


def returned(x: Any) -> Any:
    y, z = x * 1.0, np.negative(-x)
    y += 1.0
    return y, z, z is x


def written(x: Any) -> Any:
    y = x * 1.0
    x += 1.0
    return y + x


@pytest.mark.parametrize("program", [returned, written])
def test_fresh_arrays(program: Any) -> None:
    """Arrays that are handed out, or read behind a write, are copies."""
    check(program, HOSTILE)
