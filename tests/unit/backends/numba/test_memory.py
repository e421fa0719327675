"""Memory of kernels: which arrays give theirs to the next."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([1.0, -2.0, np.nan, 3.0, 2.0, np.inf])
K = np.array([0.5, 0.25, 0.25])
pytestmark = pytest.mark.counts("which memory kernels reuse")


def of_a_call(x: Any, k: Any) -> Any:
    return np.convolve(x, k, "same") - 2.0


def held_by_the_user(x: Any, k: Any) -> Any:
    y = np.convolve(x, k, "same")
    return y, y - 2.0


def of_one_item(x: Any, k: Any) -> Any:
    return np.convolve(x[:1], k[:1]) - 2.0


@pytest.mark.parametrize(
    ("program", "free"), [(of_a_call, True), (held_by_the_user, False), (of_one_item, False)]
)
def test_results_of_calls(program: Any, free: bool) -> None:
    """They are the kernel's own where nobody else holds them."""
    check(program, X, K)
    jitted = framejit.jit(program, backend="numba")
    jitted(X, K)
    assert ("in memory that is free" in jitted.inspect("numba")) == free


def quotients_of_rows(x: Any, k: Any) -> Any:
    y = np.exp(x)
    return y / y.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_loops_of_threads_know_what_they_overwrite(dtype: Any) -> None:
    """One name for both arrays: LLVM vectorises no loop whose writes may precede its reads."""
    x = np.linspace(-1.0, 1.0, 40_000, dtype=dtype).reshape(400, 100)
    check(quotients_of_rows, x, K, backends=["numba"])
    jitted = framejit.jit(quotients_of_rows, backend="numba", compile="now")
    jitted(x, K), jitted(x, K)
    text = jitted.inspect("numba")
    kernel, *loops = text.split("@parallel")
    copies = re.findall(r"(\w+) = [a-z]\w*  # .*in memory that is free", kernel)
    assert copies
    assert loops
    assert not [name for name in copies for loop in loops if re.search(rf"\b{name}\b", loop)]
