"""`np.array` of numbers: an array that the kernel fills."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

X = np.arange(6.0) * 1.5

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X,), (X.astype(np.float32),), (X[::-1],))
def states(x: Any) -> Any:
    state = np.array([x[0], 1.0, 2.0])
    for k in range(len(x)):
        a, b, c = state
        state = state + 0.01 * np.array([10.0 * (b - a), a * (x[k] - c) - b, a * b - 2 * c])
    return state


@runs((X, 3), (X, -2))
def rotations(x: Any, n: Any) -> Any:
    total = np.zeros(2)
    for k in range(len(x)):
        turn = np.array([[x[k], -n], [n, x[k]]])
        total += turn @ np.array((1.0, k))
    return total


@runs((np.arange(5, dtype=np.int32), 2.5), (np.arange(5, dtype=np.uint8), True))
def of_many_dtypes(x: Any, y: Any) -> Any:
    out = []
    out.append(np.array([x[1], 3]))
    out.append(np.array([x[1], y]))
    out.append(np.asarray((y, 2)))
    out.append(np.array([[x[1]], [y]]))
    out.append(np.array([y, x[2]], dtype=np.float32))
    out.append(np.array([x[1], x[2]], np.int64))
    out.append(np.array([[1, y]]) + x[3])
    return out


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


@pytest.mark.parametrize(
    "text",
    [
        "np.array([y, [1.0, 2.0]])",
        "np.array([[y, 1.0], [2.0]])",
        "np.array([])",
        "np.array([[]])",
        "np.array([y, None])",
        "np.array([y, 2**70])",
        "np.array([y, 1j])",
        "np.array([x, x])",
        "np.array([y, x[0]], dtype=object)",
        "np.array([y, 300], dtype=np.uint8)",
        "np.array([y, 2.0], order='F')",
        "np.array([y, 'text'])",
        "np.array(y)",
    ],
)
def test_what_is_numpys_matter(text: str) -> None:
    names: dict[str, Any] = {"np": np}
    exec(f"def f(x, y):\n    z = x * 2.0\n    return z, {text}", names)
    check(names["f"], X, 2.5)
    check(names["f"], X, 7)
