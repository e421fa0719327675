"""Hoisting: nodes that no iteration changes are computed before the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.arange(12.0).reshape(3, 4)


def inner_sum(x: Any) -> Any:
    n, m = x.shape
    total = 0.0
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            total += x[i, j]
    return total


def with_a_bound_of_its_iteration(x: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1):
            total += x[i, j]
    return total


def of_a_product(k: Any, n: Any) -> Any:
    total = 0
    for i in range(n):
        big = k * k * k
        total += i
        if i == 3:
            total += big
    return total


def while_it_lasts(k: Any, n: Any) -> Any:
    iterations = 0
    while n > k + 1:
        n -= k * 2
        iterations += 1
    return iterations


@pytest.mark.counts("which segments there are")
def test_bounds_of_inner_loops() -> None:
    """Those of a window come before the nest, those of a triangle stay where they are."""
    for program, before in ((inner_sum, True), (with_a_bound_of_its_iteration, False)):
        jitted = framejit.jit(program, backend="numpy")
        jitted(X)
        lines = jitted.inspect("graph").splitlines()
        first, second = (k for k, line in enumerate(lines) if "for(" in line)
        between = [line for line in lines[first + 1 : second] if "add" in line or "sub" in line]
        assert (not between) == before


def test_answers() -> None:
    """Also with no iteration, and where a number that nobody reads leaves 64 bits."""
    for x in (X, X[:1], X[:, :1], X[:0]):
        check(inner_sum, x)
        check(with_a_bound_of_its_iteration, X[:, : 1 + len(x)])
    for k in (3, 2**30, 2**62, -(2**63)):
        for n in (0, 2, 9):
            check(of_a_product, k, n)
    for k, n in ((1, 10), (3, 10), (2**61, 2**62), (2**62, 2**63 - 1), (2**63 - 1, 5)):
        check(while_it_lasts, k, n)
