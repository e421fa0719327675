"""The code that is compiled for a loop stays in proportion to the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import assert_counts, assert_normally, check

R = np.random.default_rng(0)


def regression(x: Any, y: Any) -> Any:
    """A loop of few iterations, each of many steps, that changes a list."""
    w = np.zeros((x.shape[1], 3))
    wanted = np.eye(3)[y]
    losses = []
    for _ in range(15):
        logits = x @ w
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(y)), y]).mean())
        w -= 0.5 * x.T @ (p - wanted) / len(y)
    return w, losses


def distance(a: str, b: str) -> Any:
    """Loops in loops over the places of texts, each of which would be an iteration of its own."""
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            above, left = table[i - 1, j] + 1, table[i, j - 1] + 1
            table[i, j] = min(above, left, table[i - 1, j - 1] + cost)
    return table


def adaptive(f: Any, y: Any, until: float, tolerance: float) -> Any:
    """Numbers that are Python's first and NumPy's later go into lists in a loop."""
    t, h = 0.0, 0.1
    ts, ys = [t], [y]
    while t < until:
        h = min(h, until - t)
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        error = np.max(np.abs(h * (k1 - k2)))
        if error <= tolerance:
            t = t + h
            y = y + h * k2
            ts.append(t)
            ys.append(y)
        h = 0.9 * h * min(2.0, max(0.2, (tolerance / (error + 1e-16)) ** (1 / 3)))
    return np.array(ts), np.array(ys)


def test_a_short_loop_of_many_steps_is_one_loop() -> None:
    """Its list grows in the kernel, as that of a long loop does."""
    jitted = check(regression, R.normal(size=(20, 3)), R.integers(0, 3, 20))

    assert_counts(jitted, captures=1, breaks=0)
    for each in jitted:
        assert_normally(each.inspect("graph").count("exp"), 1)


def test_iterations_that_are_many_steps_are_not_written_out() -> None:
    """They would be thousands of operations for two texts, and again for the next two.

    The reference backend takes what would gain nothing, too.
    """
    for each in check(distance, "kitten", "sitting", backends=["numba"]):
        assert_normally(each.stats()["segments"], 0)


def test_lists_that_grow_iteration_by_iteration_take_few_kernels() -> None:
    """Neither one for each length, nor one for each place that older code comes by."""

    def slope(t: float, y: Any) -> Any:
        return np.array([y[1], -y[0]])

    for each in check(adaptive, slope, np.array([1.0, 0.0]), 3.0, 1e-2, calls=4):
        assert_normally(each.stats()["segments"] <= 8)
