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
    for text in ("(y - y) / (y - y)", "np.where(y > 0, y, 0.0) / 3.0", "abs(y) * y"):
        jitted = framejit.jit(program_of("y", text), backend="numba")
        jitted(np.ones((2, 3)))
        assert "nothing" not in jitted.inspect("numba")
