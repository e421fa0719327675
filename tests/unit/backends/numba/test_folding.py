"""Numbers that LLVM knows before the loop runs: what is computed of them reports as in eager."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import check
from samples import program_of

import framejit

INTS = np.array([[3, -2, -4, 1]])
TEXTS = (
    *("(y - y) / (y - y)", "(y - y + 1) / (y - y)", "(y * 0) / (y * 0)", "(y ^ y) / (y & 0)"),
    *("(y - y) / 0", "1 / (y - y)", "(y != y) / (y != y)", "(y >> 63 >> 1) / (y - y)"),
    "np.where(y == y, 0.0, 1.0) / np.where(y == y, 0.0, 2.0)",
    *("1.0 / np.where(y > 0, 0.0, 0.0)", "np.sqrt((y - y) - 1.0)", "np.square((y - y) + 1e200)"),
    "(y - y).astype('f4') / (y - y).astype('f4')",
    *("((y * 0 + 1) * 1e300).astype('f4')", "(abs((y - y) * 1.0) + 1e308) * 10"),
    *("(y - y) / 0.0", "(y - y) * 0.5 / 0.0", "y / 2.0 * 1e300 * 1e300", "y * 1e-300 * 1e-300"),
    *("(y + 0.5 - 0.5) * 1e-295 * 1e-20", "y * np.float32(1e-30) * np.float32(1e-30)"),
    *("(y - y) * np.inf", "(y - y) / np.inf * np.inf", "y.astype('f4') * np.float32(1e38)"),
    *("(y - y).astype('i1') / 3.0 / 0.0", "y * 1e-320 * 0.5", "y / 1e-300 / 1e-300"),
    *("-(y - y) / (0 * y)", "np.reciprocal((y - y) * 1.0)", "(y - y) / np.float32(0)"),
)


@pytest.mark.parametrize("text", TEXTS)
def test_of_ints(text: str) -> None:
    """A constant for LLVM, and a warning or an error for eager."""
    check(program_of("y", text), INTS, calls=3)
    with np.errstate(all="raise"):
        check(program_of("y", text), INTS, calls=3)


@pytest.mark.counts("what kernels say")
def test_floats_are_left_alone() -> None:
    """Nothing is added where an operand stands in memory."""
    for text in ("(y - y) / (y - y)", "np.where(y > 0, y, 0.0) * y", "abs(y) * y"):
        jitted = framejit.jit(program_of("y", text), backend="numba")
        jitted(np.ones((2, 3)))
        assert "nothing" not in jitted.inspect("numba")


@pytest.mark.counts("what kernels say")
@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "?"])
def test_usual_sizes_are_left_alone(dtype: str) -> None:
    """Neither a product nor a sum of these can raise a flag."""
    y = np.array([[0, 1, 3]]).astype(dtype)
    for text in ("y * 0.299 + y / 255.0 - 1.5", "(y & 7) * np.float32(0.25)", "(y - 0.5) * 0.5"):
        if dtype == "?" and "&" in text:
            continue
        program = program_of("y", text)
        jitted = framejit.jit(program, backend="numba")
        jitted(y)
        assert "nothing" not in jitted.inspect("numba")
        check(program, y)
