"""Arrays whose lengths are numbers of the program: windows on them, stores, sums, other shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

MAKERS = {
    "zeros": "np.zeros((n, 3)) + k",
    "filled": "np.full((n, 3), 2.0)",
    "square": "np.ones((4, 4))",
    "display": "np.array([[k, 2.0, 3.0], [4.0, k, 6.0]])",
    "cube": "np.zeros((2, n, 3))",
    "row": "np.full(5, k)",
}
WINDOWS = (":", "1:", ":1", ":2", "0:2", "::2", "::-1", "-2:", "k:", ":k", "0", "-1", "k")


def program(maker: str, window: str) -> Callable[..., Any]:
    """Makes an array and does all sorts of things to a window on it."""
    lines = [
        "def f(n, k):",
        f"    a = {maker}",
        "    a[...] = np.arange(a.size).reshape(a.shape)",
        f"    w = a[{window}]",
        "    b = a.copy()",
        f"    b[{window}] = 7.5",
        "    c = a.copy()",
        f"    c[{window}] *= 2",
        "    d = w + 1",
        "    e = np.exp(w * 0.01)",
        "    t = w.T + 0.5",
        "    return a, b, c, d, e, t, w.sum(), w.max(initial=0), w.sum(axis=0), np.ravel(w), w",
    ]
    namespace: dict[str, Any] = {"np": np}
    exec("\n".join(lines), namespace)
    function: Callable[..., Any] = namespace["f"]
    return function


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("window", WINDOWS)
def test_windows(maker: str, window: str) -> None:
    """On the first axis and on the last, with bounds that are constants and such that are not."""
    check(program(MAKERS[maker], window), 4, 1)
    if maker == "row":
        return
    indices = [f"..., {window}", f":, {window}", f"{window}, 1:"]
    if maker in {"zeros", "display"}:
        check(program(MAKERS[maker], indices.pop(0)), 4, 1)
    for index in indices:  # a kernel each would take half a second
        check(program(MAKERS[maker], index), 4, 1, backends=["numpy"])


def test_in_loops() -> None:
    """The same in a kernel with loops, where strides and indices are computed."""

    def f(n: Any, k: Any) -> Any:
        a = np.zeros((n, 3))
        stack = np.zeros((8, 2), dtype=np.int64)
        kernel = np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])
        inner = kernel[1:, :2]
        for i in range(n):
            row = a[i, k:]
            for j in range(2):
                row[j] = i + j + inner[j, j] * kernel[i % 3, -1]
            stack[i, 1] = i * 2
            stack[i, 0] += stack[i - 1, 1]
            kernel[:, 1:] += row[0]
            inner[0] = 0.5
        return a, stack, kernel, inner, stack[:, 1].sum()

    check(f, 5, 1)
    check(f, 2, 1)
